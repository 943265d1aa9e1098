import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel
import RecordPlatform

/// Migrates batches of lines on any thread.
struct MigrationStage: Sendable {
  let migrator: Migrator
  /// The name of the source in messages.
  let source: String
  var environment = MigrationEnvironment()
  /// Whether failures are counted and results discarded.
  var isDryRun = false
  /// Whether to collect the assets that results refer to.
  var collectsAssets = false
  /// Whether to read the modification dates and change tags of results, for a container.
  var needsStamps = true
  /// In the second pass of a dry run, the new identities of renamed or moved records.
  var arrivals: Set<RecordLocation> = []
  /// Whether to look only for records that are renamed, moved or left behind.
  var findsDepartures = false
  /// The limits for records saved in place; nil if all results are written.
  var savingLimits: RecordLimits?
  let makesAssets: Bool
  let changesIdentity: Bool
  /// The buffers for results. They are reused, as new memory from the system must be cleared first.
  let buffers: ResourcePool<ByteBuffer>

  init(_ migrator: Migrator, source: String, threads: Int) {
    self.migrator = migrator
    self.source = source
    buffers = ResourcePool(keeping: threads + 1) { ByteBuffer() }
    makesAssets = migrator.makesAssets
    changesIdentity = migrator.stages.contains(where: \.changesIdentity)
  }

  func callAsFunction(_ batch: LineBatch, _ runners: RunnerPool) throws -> MigratedBatch {
    try MigratedBatch(batch, self, runners)
  }

  /// The size limit for the results of a batch in bytes.
  func maxBytes(ofBatch size: Int) -> Int { (256 << 20) + 16 * size }

  func tooLarge(_ size: Int) -> MigrationError {
    .invalid(
      "\(source): records of \(size) bytes would become more than \(maxBytes(ofBatch: size)), as "
        + "the steps create far larger values than they read. Nothing was written")
  }
}
