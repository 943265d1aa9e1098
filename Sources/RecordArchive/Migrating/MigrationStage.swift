import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel
import RecordPlatform

/// Migrates batches of lines, on any thread.
struct MigrationStage: Sendable {
  let migrator: Migrator
  /// What messages call the source.
  let source: String
  var environment = MigrationEnvironment()
  /// Whether failures are counted, and nothing is kept of the results.
  var isDryRun = false
  /// Whether it is to be known which assets results refer to.
  var collectsAssets = false
  /// Whether a container is to know when records were modified, and their change tags.
  var needsStamps = true
  /// In the second pass of a dry run: the names and zones that records have got newly.
  var arrivals: Set<RecordLocation> = []
  /// Whether only the records are looked for that leave their names and zones, or are left behind.
  var findsDepartures = false
  /// The limits that records are held to which are saved in their place; nil where all results are
  /// written anew.
  var savingLimits: RecordLimits?
  let makesAssets: Bool
  let changesIdentity: Bool
  /// Room for the results of a batch, which the next batch can have afterwards: memory that is got
  /// from the system anew must be cleared first.
  let buffers: ResourcePool<ByteBuffer>

  init(_ migrator: Migrator, source: String, threads: Int) {
    self.migrator = migrator
    self.source = source
    buffers = ResourcePool(keeping: threads + 1) { ByteBuffer() }
    makesAssets = migrator.makesAssets
    changesIdentity = migrator.stages.contains(where: \.changesIdentity)
  }

  func callAsFunction(_ batch: LineBatch) throws -> MigratedBatch {
    try MigratedBatch(batch, self)
  }

  /// The most bytes that the records of a batch may become.
  func maxBytes(ofBatch size: Int) -> Int { (256 << 20) + 16 * size }

  func tooLarge(_ size: Int) -> MigrationError {
    .invalid(
      "\(source): records of \(size) bytes would become more than \(maxBytes(ofBatch: size)). The "
        + "steps make values far larger than those they read. Nothing was written")
  }
}
