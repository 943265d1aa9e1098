import Foundation
import MockCloud
import RecordBundle
import RecordCoding
import RecordModel

/// A bundle or a container, read in the same way.
public enum ArchiveSource: Sendable {
  /// A bundle of one or several files.
  case bundle(BundleReader)
  /// A container.
  case container(MockContainer)

  /// Records of one type in one zone.
  public struct Section: Sendable, Hashable {
    /// The database.
    public var database: DatabaseScope
    /// The zone.
    public var zoneID: ZoneID
    /// The record type.
    public var recordType: String
    /// The number of records.
    public var records: Int
    /// Bytes of their canonical JSON.
    public var bytes: Int
  }

  /// An asset whose bytes are at hand.
  public struct StoredAsset: Sendable, Hashable {
    /// SHA-256 of the bytes, 64 lower-case hexadecimal digits.
    public var sha256: String
    /// The size in bytes.
    public var size: Int
  }

  /// Opens what lies at a path: a container where it is an SQLite file, else a bundle.
  ///
  /// - Parameter paths: several paths are the files of one split bundle; `-` is standard input,
  ///   which can only be a bundle.
  public static func open(_ paths: [String]) throws -> ArchiveSource {
    if let path = paths.first, paths.count == 1, isContainer(path) {
      return .container(try MockContainer.open(path: path, mode: .readOnly))
    }
    return .bundle(try BundleReader(paths: paths))
  }

  /// Whether the file at a path begins as an SQLite database does. Pipes and devices are not read.
  public static func isContainer(_ path: String) -> Bool {
    path != "-" && MockContainer.isDatabase(path: path)
  }

  /// Whether a file of that name is to be a container: one that ends in `.sqlite`, `.sqlite3` or
  /// `.db`, in any case of letters.
  public static func isContainerName(_ path: String) -> Bool {
    let name = path.lowercased()
    return [".sqlite", ".sqlite3", ".db"].contains { name.hasSuffix($0) }
  }

  /// What is known of the container.
  public func info() throws -> ContainerInfo { try read { try $0.info() } }

  /// Calls `body` with what is there now, whatever is saved meanwhile.
  func read<R>(_ body: (ArchiveReader) throws -> R) throws -> R {
    switch self {
    case .bundle(let bundle): try body(ArchiveReader(bundle))
    case .container(let container):
      try container.snapshot { try body(ArchiveReader($0, of: container)) }
    }
  }

  /// Records by database, zone and type, in the order of a bundle.
  public func sections(_ filter: RecordFilter = .all) throws -> [Section] {
    try read { try $0.sections(filter) }
  }

  /// The zones of each database, in the order of a bundle.
  public func zones() throws -> [(database: DatabaseScope, zone: RecordZone)] {
    try read { try $0.zones() }
  }

  /// The deleted zones of each database whose traces are there.
  public func zoneTombstones() throws -> [(database: DatabaseScope, zoneID: ZoneID)] {
    try read { try $0.zoneTombstones() }
  }

  /// The subscriptions of each database, in the order of a bundle.
  public func subscriptions() throws -> [(database: DatabaseScope, subscription: Subscription)] {
    try read { try $0.subscriptions() }
  }

  /// The number of traces of deleted records and zones.
  public func tombstoneCount() throws -> Int {
    try read { reader in
      var count = try reader.zoneTombstones().count
      try reader.forEachTombstone { _, _ in count += 1 }
      return count
    }
  }

  /// The assets whose bytes are at hand, by SHA-256.
  public func assets() throws -> [StoredAsset] {
    try read { try $0.storedAssets() }
  }

  /// Visits records in the order of a bundle: database, zone, type, name.
  public func forEachRecord(
    _ filter: RecordFilter = .all, _ body: (ResultRecord, DatabaseScope) throws -> Void
  ) throws {
    try read { try $0.forEachRecord(filter, body) }
  }

  /// Visits the identities and types of records in the order of a bundle.
  public func forEachRecordID(
    _ filter: RecordFilter = .all, _ body: (RecordID, String, DatabaseScope) throws -> Void
  ) throws {
    try read { try $0.forEachRecordID(filter, body) }
  }

  /// The SHA-256 digests of the assets that records hold, those in fields of unknown types too.
  ///
  /// - Parameter filter: which records.
  public func assetDigests(of filter: RecordFilter) throws -> Set<String> {
    var digests: Set<String> = []
    try forEachRecord(filter) { record, _ in digests.formUnion(record.assetDigests) }
    return digests
  }

  /// The records of a name, in any zone of any database that the filter lets pass.
  public func records(
    named recordName: String, _ filter: RecordFilter = .all
  ) throws -> [(database: DatabaseScope, record: ResultRecord)] {
    try read { try $0.records(named: recordName, filter) }
  }

  /// Visits the bytes of an asset, piece by piece.
  public func forEachChunk(
    ofAsset sha256: String, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    switch self {
    case .bundle(let bundle):
      try bundle.forEachChunk(ofAsset: sha256) { try $0.withUnsafeBytes(body) }
    case .container(let container):
      try container.forEachAssetChunk(sha256: sha256) { _, bytes in try body(bytes) }
    }
  }
}
