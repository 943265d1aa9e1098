import RecordArchive
import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform
import RecordSchema

/// Makes records for a schema: as many as are wanted, the same for the same seed.
///
/// ```swift
/// let generation = try Generation(schema: schema, seed: 42)
/// let report = try generation.write(to: "chats.recordpack")
/// print(report.records, report.contentHash)
/// ```
///
/// The result is a bundle whose records the production server would accept. References refer to
/// records of the bundle, children are created after their parents, and everything follows from the
/// schema, the recipe and the seed: there is no clock, and the number of threads changes nothing. The
/// same seed gives the same content hash on every machine, and with every later version of
/// RecordPack.
///
/// Records are made in the order of the bundle, each from a seed of its own, so that memory does not
/// depend on their number.
public struct Generation: Sendable {
  /// The seed of tests and examples that name none.
  package static let defaultSeed: UInt64 = 1

  /// The schema that the records fit.
  package let schema: CloudSchema
  /// The numbers of records, and how values are made.
  package let recipe: FixtureRecipe
  /// The number that everything random follows from.
  package let seed: UInt64
  /// The compression and the number of threads.
  public var bundleOptions = BundleWriter.Options()
  /// Called periodically. If it throws, the call ends with that error and writes nothing.
  public var progress: (@Sendable (ArchiveProgress) throws -> Void)?

  let layout: GenerationLayout

  /// Creates a generation.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - recipe: The record that is made; nil for a few records of each type.
  ///   - seed: The number that everything random follows from.
  /// - Throws: `FixtureError`, with line and column, if the recipe does not fit the schema.
  public init(
    schema: CloudSchema, recipe: FixtureRecipe? = nil, seed: UInt64 = 1
  ) throws {
    self.schema = schema
    self.recipe = recipe ?? FixtureRecipe(for: schema)
    self.seed = seed
    layout = try GenerationLayout(self.recipe, schema, seed: seed)
  }

  /// The number of records of each type, without shares.
  package var counts: [String: Int] {
    layout.sections.reduce(into: [:]) { $0[$1.type.name, default: 0] += $1.count }
  }

  /// Writes the records as a bundle.
  ///
  /// - Parameters:
  ///   - path: The path of the bundle; `-` is standard output.
  ///   - overwrite: Whether to replace an existing file.
  /// - Throws: The errors of writing a bundle; `FixtureError` if an expression of the recipe has no
  ///   value for a record. An existing file is then unchanged.
  @discardableResult
  public func write(to path: String, overwrite: Bool = true) throws -> GenerationReport {
    let writer = try BundleWriter(
      path: path, container: info, options: bundleOptions, overwrite: overwrite)
    for site in layout.sites {
      var zone = RecordZone(zoneID: site.zoneID)
      if site.isShared {
        zone.share = Reference(
          recordID: RecordID(recordName: Share.zoneWideRecordName, zoneID: site.zoneID))
      }
      try writer.write(zone, database: site.database)
    }
    var counts: [String: Int] = [:]
    var leftOut = 0
    let used = try writeRecords(to: writer, &counts, &leftOut)
    let assets = try writeAssets(used, to: writer)
    return GenerationReport(
      counts: counts, assets: assets, valuesLeftOut: leftOut, bundle: try writer.finish())
  }
}

/// The result of a generation.
public struct GenerationReport: Sendable {
  /// The number of records of each type; shares have the type `cloudkit.share`.
  public var counts: [String: Int]
  /// The number of files that the records have.
  public var assets: Int
  /// The number of values that were left out, because their records would be larger than CloudKit
  /// allows. The largest value of a record is left out first.
  public var valuesLeftOut: Int
  /// The bundle.
  package var bundle: BundleSummary

  /// The number of all records.
  public var records: Int { bundle.records }
  /// The content hash of the bundle: the same for the same schema, recipe and seed.
  public var contentHash: String { bundle.contentHash }
}

/// The records are made on several threads, and written in their order.
extension Generation {
  private var info: ContainerInfo {
    let recipe = layout.recipe
    var info = ContainerInfo(
      identifier: recipe.container, environment: recipe.environment,
      schema: SchemaPrinter(order: .asWritten).print(layout.schema),
      currentUserRecordName: layout.users[0].userRecordName)
    if layout.users.count > 1 {
      info.accounts = layout.users.sorted {
        compareUTF8($0.userRecordName, $1.userRecordName) < 0
      }
    }
    return info
  }

  // MARK: Records

  /// Returns whether each file is used.
  private func writeRecords(
    to writer: BundleWriter, _ counts: inout [String: Int], _ leftOut: inout Int
  ) throws -> [Bool] {
    let threads = bundleOptions.threads
    let buffers = ResourcePool(keeping: 4 * threads) { ByteBuffer(capacity: 1 << 20) }
    let makers = ResourcePool(keeping: threads) { RecordMaker(layout, buffers) }
    var used = [Bool](repeating: false, count: layout.assets.count)
    var done = ArchiveProgress(records: 0, totalRecords: layout.records, bytes: 0)
    var made: [String: Int] = [:]
    var left = 0
    try OrderedMap<RecordBatchPlan, MadeBatch>.run(
      threads: threads, window: 3 * threads,
      transform: { batch in try makers.with { try $0.make(batch) } },
      consume: { batch in
        try write(batch, to: writer)
        for number in batch.assets { used[number] = true }
        made[layout.parts[batch.part].recordType, default: 0] += batch.places.count
        left += batch.places.reduce(0) { $0 + $1.leftOut }
        done.records += batch.places.count
        done.bytes += batch.buffer.count
        buffers.putBack(batch.buffer)
        try progress?(done)
      },
      produce: { add in
        for (number, part) in layout.parts.enumerated() {
          try part.forEachBatch {
            try add(RecordBatchPlan(part: number, section: $0, range: $1))
          }
        }
      })
    (counts, leftOut) = (made, left)
    return used
  }

  private func write(_ batch: MadeBatch, to writer: BundleWriter) throws {
    let part = layout.parts[batch.part]
    let bytes = batch.buffer.bytes
    for place in batch.places {
      try writer.writeRecord(
        dictionary: UnsafeRawBufferPointer(rebasing: bytes[place.start..<place.end]),
        name: UnsafeRawBufferPointer(rebasing: bytes[place.name]), zoneID: part.site.zoneID,
        recordType: part.recordType, database: part.site.database)
    }
  }

  // MARK: Files

  /// Writes the used files, each once, in the order of their digests.
  ///
  /// - Returns: Their number.
  private func writeAssets(_ used: [Bool], to writer: BundleWriter) throws -> Int {
    let variants = zip(layout.assets, used).filter(\.1).map(\.0).sorted { $0.sha256 < $1.sha256 }
    var last: String?
    var count = 0
    for variant in variants where variant.sha256 != last {
      last = variant.sha256
      count += 1
      let bytes = variant.bytes
      try writer.writeAsset(sha256: variant.sha256, size: bytes.count) {
        try bytes.withUnsafeBytes($0)
      }
    }
    return count
  }
}
