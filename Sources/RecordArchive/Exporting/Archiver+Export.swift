import MockCloud
import RecordBundle
import RecordModel
import RecordSchema

extension Archiver {
  /// Exports a container, or the part that ``filter`` lets pass, as a bundle.
  ///
  /// The container is read as it is when the export begins, whatever is saved meanwhile. Assets
  /// that the exported records hold come with them.
  ///
  /// - Parameters:
  ///   - path: where the bundle will lie; `-` is standard output.
  ///   - mustNotExist: refuse to replace an existing file.
  /// - Returns: what was written.
  /// - Throws: `MockContainerError`, `FrameError`, ``RecordValidationError``, or what ``progress`` throws.
  ///   Nothing stands under the bundle's name then that was not there before.
  @discardableResult
  public func export(
    _ container: MockContainer, to path: String, mustNotExist: Bool = false
  ) throws -> BundleSummary {
    try container.snapshot { snapshot in
      let info = try validated(snapshot)
      let writer = try BundleWriter(
        path: path, container: info, options: bundleOptions, mustNotExist: mustNotExist)
      do {
        let export = ContainerExport(archiver: self, snapshot: snapshot, writer: writer)
        try export.run()
        var summary = try writer.finish()
        summary.missingAssets = export.missingAssets
        return summary
      } catch {
        writer.cancel()
        throw error
      }
    }
  }
}

extension Archiver {
  /// Holds what is to be exported against the schema, before anything is written; what is known of
  /// the container then, with the schema grown in development.
  private func validated(_ snapshot: ContainerSnapshot) throws -> ContainerInfo {
    var info = try snapshot.info()
    guard let validation else { return info }
    let source = info.identifier ?? "the container"
    let census = try snapshot.census(RecordCensus(source: source), filter, threads, progress)
    let outcome = try validation.check(census, embedded: info.schemaDocument(of: source))
    if let growth = outcome.growth { info.schema = SchemaPrinter().print(growth.schema) }
    return info
  }
}

/// One export, from a snapshot of a container into a writer.
private final class ContainerExport {
  private let archiver: Archiver
  private let snapshot: ContainerSnapshot
  private let writer: BundleWriter
  private var progress = ArchiveProgress(records: 0, bytes: 0)
  /// The records that hold assets, where not all are exported.
  private var assets: Set<String> = []
  /// Assets whose bytes the container does not have.
  private(set) var missingAssets = 0

  init(archiver: Archiver, snapshot: ContainerSnapshot, writer: BundleWriter) {
    self.archiver = archiver
    self.snapshot = snapshot
    self.writer = writer
  }

  private var scopes: [DatabaseScope] {
    DatabaseScope.allCases.filter { archiver.filter.contains(database: $0) }
  }

  func run() throws {
    try count()
    for scope in scopes { try zones(of: scope) }
    for scope in scopes { try subscriptions(of: scope) }
    for scope in scopes { try records(of: scope) }
    for scope in scopes { try tombstones(of: scope) }
    for scope in scopes { try zoneTombstones(of: scope) }
    try writeAssets()
    try archiver.report(progress)
  }

  private func count() throws {
    guard archiver.progress != nil, archiver.filter.modifiedSince == nil else { return }
    var total = 0
    for scope in scopes {
      for type in try snapshot.recordTypes(in: scope)
      where archiver.filter.contains(
        database: scope, zoneID: type.zoneID, recordType: type.recordType)
      {
        total += type.recordCount
      }
    }
    progress.totalRecords = total
  }

  private func zones(of scope: DatabaseScope) throws {
    let zones = try snapshot.zones(in: scope).sorted { $0.zoneID < $1.zoneID }
    for zone in zones where archiver.filter.contains(database: scope, zoneID: zone.zoneID) {
      try writer.write(zone, database: scope)
    }
  }

  private func subscriptions(of scope: DatabaseScope) throws {
    let subscriptions = try snapshot.subscriptions(in: scope).sorted {
      compareUTF8($0.subscriptionID, $1.subscriptionID) < 0
    }
    for subscription in subscriptions where archiver.filter.contains(subscription, database: scope)
    {
      try writer.write(subscription, database: scope)
    }
  }

  private func records(of scope: DatabaseScope) throws {
    let isPartial = archiver.filter != .all
    try snapshot.forEachRecordBytes(in: scope, filter: archiver.filter) { dictionary, key in
      try writer.writeRecord(
        dictionary: dictionary, name: key.name, zoneID: key.zoneID, recordType: key.recordType,
        database: scope)
      if isPartial { try noteAssets(of: key, in: dictionary, scope) }
      progress.records += 1
      progress.bytes += dictionary.count
      if progress.records & 1023 == 0 { try archiver.report(progress) }
    }
  }

  private func noteAssets(
    of key: borrowing RecordKey, in dictionary: UnsafeRawBufferPointer, _ scope: DatabaseScope
  ) throws {
    for asset in try snapshot.assets(of: key.recordID, in: scope) { assets.insert(asset.sha256) }
  }

  private func tombstones(of scope: DatabaseScope) throws {
    try snapshot.forEachTombstone(in: scope, filter: archiver.filter) {
      try writer.write($0, database: scope)
    }
  }

  private func zoneTombstones(of scope: DatabaseScope) throws {
    for zoneID in try snapshot.zoneTombstones(in: scope).sorted()
    where archiver.filter.contains(zoneTombstone: zoneID, database: scope) {
      try writer.write(zoneTombstone: zoneID, database: scope)
    }
  }

  private func writeAssets() throws {
    let isPartial = archiver.filter != .all
    try snapshot.forEachAsset { asset in
      guard !isPartial || assets.contains(asset.sha256) else { return }
      guard let size = asset.size else {
        missingAssets += 1
        return
      }
      if size == 0 {
        try writer.writeAssetChunk(
          sha256: asset.sha256, assetSize: 0, offset: 0,
          bytes: UnsafeRawBufferPointer(start: nil, count: 0))
      }
      try snapshot.forEachAssetChunk(sha256: asset.sha256) { offset, bytes in
        try writer.writeAssetChunk(
          sha256: asset.sha256, assetSize: Int(size), offset: Int(offset), bytes: bytes)
        progress.bytes += bytes.count
        try archiver.report(progress)
      }
    }
  }
}
