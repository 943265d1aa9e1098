import AppStores
import Foundation
import RecordBundle
import RecordModel
import RecordPlatform
import RecordStore
import Synchronization

/// A bundle, a container, responses, or the store of an app to read.
///
/// ```swift
/// let source = try ArchiveSource.open(["Tact.recordpack"])
/// try source.forEachRecord { record, database in print(database, record.recordID) }
/// ```
public enum ArchiveSource: Sendable {
  /// A bundle of one or several files.
  case bundle(BundleReader)
  /// A container.
  case container(ContainerStore)
  /// Responses of a server or tool. They are sorted in a temporary container, unless they are
  /// imported without a migration.
  case responses(ResponseSet)
  /// The store of an app with Core Data, SwiftData or SQLiteData: its objects, as the records that
  /// CloudKit has for them.
  case appStore(AppStoreSource)

  /// The records of one type in one zone.
  package struct Section: Sendable, Hashable {
    /// The database.
    package var database: DatabaseScope
    /// The zone.
    package var zoneID: ZoneID
    /// The record type.
    package var recordType: String
    /// The number of records.
    package var records: Int
    /// The size of their canonical JSON in bytes.
    package var bytes: Int
  }

  /// An asset with stored bytes.
  package struct StoredAsset: Sendable, Hashable {
    /// The SHA-256 digest of the bytes, as 64 lowercase hexadecimal digits.
    package var sha256: String
    /// The size in bytes.
    package var size: Int
  }

  /// Opens a file: a container or the store of an app if it is an SQLite database, else a bundle.
  ///
  /// - Parameter paths: One path, or the paths of all files of a split bundle. `-` is standard
  ///   input, which can only be a bundle.
  public static func open(_ paths: [String]) throws -> ArchiveSource {
    if let path = paths.first, paths.count == 1, isDatabase(path) { return try openDatabase(path) }
    return .bundle(try BundleReader(paths: paths))
  }

  /// Opens several bundles, and combines the files of split ones, and several containers.
  ///
  /// - Returns: The sources, in the order of the first path of each.
  package static func open(each paths: [String]) throws -> [ArchiveSource] {
    var found: [(place: Int, source: ArchiveSource)] = []
    var bundlePaths: [String] = []
    for (place, path) in paths.enumerated() {
      if isDatabase(path) {
        // All containers stay open; each has a lock, the file, its log and up to two connections.
        SystemCall.reserveDescriptors(32)
        found.append((place, try openDatabase(path)))
      } else {
        bundlePaths.append(path)
      }
    }
    var places = Dictionary(grouping: paths.indices) { paths[$0] }
    for bundle in try BundleReader.open(bundlePaths) {
      // A path can be named twice. The name of standard input is not its path.
      let own = bundle.fileNames.compactMap { name in
        places[name]?.isEmpty == false ? places[name]?.removeFirst() : nil
      }
      found.append((own.min() ?? paths.firstIndex(of: "-") ?? 0, .bundle(bundle)))
    }
    return found.sorted { $0.place < $1.place }.map(\.source)
  }

  private static func openDatabase(_ path: String) throws -> ArchiveSource {
    if AppStoreFile.isStore(path) { return .appStore(AppStoreSource(path: path)) }
    return .container(try ContainerStore.open(path: path, mode: .readOnly))
  }

  /// Whether a file starts with the SQLite header. Does not read pipes and devices.
  package static func isDatabase(_ path: String) -> Bool {
    path != "-" && ContainerStore.isDatabase(path: path)
  }

  /// Whether a file is an SQLite database that is not the store of an app.
  package static func isContainer(_ path: String) -> Bool {
    isDatabase(path) && !AppStoreFile.isStore(path)
  }

  /// Whether a path has the extension of a container: `.sqlite`, `.sqlite3` or `.db`, in any case.
  package static func isContainerName(_ path: String) -> Bool {
    let name = path.lowercased()
    return [".sqlite", ".sqlite3", ".db"].contains { name.hasSuffix($0) }
  }

  /// Information about the container.
  public func info() throws -> ContainerInfo { try read { try $0.info() } }

  /// Calls `body` with a reader of the current state, which later saves do not change.
  func read<R>(_ body: (ArchiveReader) throws -> R) throws -> R {
    switch self {
    case .bundle(let bundle): try body(ArchiveReader(bundle))
    case .container(let container):
      try container.snapshot { try body(ArchiveReader($0, of: container)) }
    case .responses(let responses):
      try withExtendedLifetime(responses) {
        let container = try responses.container()
        return try container.snapshot {
          try body(ArchiveReader($0, of: container, named: responses.name))
        }
      }
    case .appStore(let store):
      try withExtendedLifetime(store) {
        let container = try store.container()
        return try container.snapshot {
          try body(ArchiveReader($0, of: container, named: store.path))
        }
      }
    }
  }

  /// The source in its current state: a copy, if it is a container in memory.
  ///
  /// Such a container has one connection. A thread that reads it while it waits for another container
  /// could wait without end.
  func copiedIfInMemory() throws -> ArchiveSource {
    guard case .container(let container) = self, container.path == nil else { return self }
    return .container(try container.fork())
  }

  /// The name of the source in messages: its path, where it has one.
  package var name: String {
    switch self {
    case .bundle(let bundle): bundle.fileNames.first ?? "the source"
    case .container(let container): container.path ?? "the container"
    case .responses(let responses): responses.name
    case .appStore(let store): store.path
    }
  }

  /// The record sections, in the order of a bundle.
  package func sections(_ filter: RecordFilter = .all) throws -> [Section] {
    try read { try $0.sections(filter) }
  }

  /// The zones of each database, in the order of a bundle.
  package func zones() throws -> [(database: DatabaseScope, zone: RecordZone)] {
    try read { try $0.zones() }
  }

  /// The deleted zones of each database whose traces are there.
  package func zoneTombstones() throws -> [(database: DatabaseScope, tombstone: DeletedZone)] {
    try read { try $0.zoneTombstones() }
  }

  /// The subscriptions of each database, in the order of a bundle.
  package func subscriptions() throws -> [(
    database: DatabaseScope, subscription: CloudSubscription
  )] {
    try read { try $0.subscriptions() }
  }

  /// Calls `body` with the tombstone of each deleted record.
  package func forEachTombstone(
    _ filter: RecordFilter = .all, _ body: (DeletedRecord, DatabaseScope) throws -> Void
  ) throws {
    try read { try $0.forEachTombstone(filter, body) }
  }

  /// The assets with stored bytes, in the order of their digests.
  package func assets() throws -> [StoredAsset] {
    try read { try $0.storedAssets() }
  }

  /// Calls `body` with each record in the order of a bundle: database, zone, type, name.
  ///
  /// - Parameters:
  ///   - filter: The records to read.
  ///   - progress: Called periodically; an error it throws ends the reading.
  ///   - body: Receives each record and its database. May throw to end early.
  public func forEachRecord(
    _ filter: RecordFilter = .all, progress: ((ArchiveProgress) throws -> Void)? = nil,
    _ body: (ResultRecord, DatabaseScope) throws -> Void
  ) throws {
    try read { reader in
      var count = try ReadingProgress(reader, filter, progress)
      try reader.forEachRecord(filter) {
        try count.add()
        try body($0, $1)
      }
    }
  }

  /// Calls `body` with each record until it returns false.
  ///
  /// - Returns: Whether all records were read.
  @discardableResult
  package func readRecords(
    _ filter: RecordFilter, while body: (ResultRecord, DatabaseScope) throws -> Bool
  ) throws -> Bool {
    try StopReading.ends {
      try forEachRecord(filter) { record, database in
        guard try body(record, database) else { throw StopReading() }
      }
    }
  }

  /// Transforms each record, and calls `body` with the results in the order of a bundle.
  ///
  /// - Parameters:
  ///   - filter: The records to read.
  ///   - transform: Called on several threads at a time; returns nil to leave a record out.
  ///   - progress: Called periodically; an error it throws ends the reading.
  ///   - body: Receives each result. May throw to end early.
  package func forEachRecord<T: Sendable>(
    _ filter: RecordFilter,
    transform: @escaping @Sendable (ResultRecord, DatabaseScope) throws -> T?,
    progress: @escaping (ArchiveProgress) throws -> Void, _ body: (T) throws -> Void
  ) throws {
    try read { reader in
      var count = try ReadingProgress(reader, filter, progress)
      try reader.forEachRecord(
        filter, transform: transform, progress: { try count.add($0) }, body)
    }
  }

  /// Calls `body` with the identity and type of each record in the order of a bundle.
  ///
  /// - Parameters:
  ///   - filter: The records to read.
  ///   - progress: Called periodically; an error it throws ends the reading.
  ///   - body: Receives each ID, type and database. May throw to end early.
  package func forEachRecordID(
    _ filter: RecordFilter = .all, progress: ((ArchiveProgress) throws -> Void)? = nil,
    _ body: (RecordID, String, DatabaseScope) throws -> Void
  ) throws {
    try read { reader in
      var count = try ReadingProgress(reader, filter, progress)
      try reader.forEachRecordID(filter) {
        try count.add()
        try body($0, $1, $2)
      }
    }
  }

  /// Returns the records with a name, in all zones and databases that the filter includes.
  public func records(
    named recordName: String, _ filter: RecordFilter = .all
  ) throws -> [(database: DatabaseScope, record: ResultRecord)] {
    try read { try $0.records(named: recordName, filter) }
  }

  /// Calls `body` with each name and the records with that name, as of one moment.
  ///
  /// - Parameter damaged: Receives the damaged records of a container before `body` is called with
  ///   their name; nil if they are an error.
  package func forEachName(
    _ names: [String], _ filter: RecordFilter, damaged: ((RecordLocation) -> Void)? = nil,
    _ body: (String, [(database: DatabaseScope, record: ResultRecord)]) throws -> Void
  ) throws {
    try read { try $0.forEachName(names, filter, damaged: damaged, body) }
  }

  /// Calls `body` with the bytes of an asset in chunks.
  package func forEachChunk(
    ofAsset sha256: String, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    // Responses have no bytes of assets.
    if case .responses = self { throw ContainerStoreError.assetNotFound(sha256: sha256) }
    try read { reader in
      switch reader.content {
      case .bundle(let bundle):
        try bundle.forEachChunk(ofAsset: sha256) { try $0.withUnsafeBytes(body) }
      case .snapshot(let snapshot, _):
        try snapshot.forEachAssetChunk(sha256: sha256) { _, bytes in try body(bytes) }
      }
    }
  }

  /// Returns the first bytes of an asset; nil if they are not stored.
  package func firstBytes(_ count: Int, ofAsset sha256: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    do {
      try StopReading.ends {
        try forEachChunk(ofAsset: sha256) { chunk in
          bytes += chunk.prefix(count - bytes.count)
          if bytes.count == count { throw StopReading() }
        }
      }
      return bytes
    } catch {
      return nil
    }
  }

  /// Writes the bytes of an asset to a file, which appears when it is complete.
  ///
  /// - Parameters:
  ///   - sha256: The SHA-256 of the asset, 64 lowercase hexadecimal digits.
  ///   - path: The path of the file; `-` is standard output.
  ///   - overwrite: Whether to replace an existing file.
  /// - Returns: The number of bytes.
  @discardableResult
  package func writeAsset(sha256: String, to path: String, overwrite: Bool = true) throws -> Int {
    try FrameOutput.write(to: path, overwrite: overwrite) { sink in
      var count = 0
      try forEachChunk(ofAsset: sha256) { bytes in
        try sink.write(bytes)
        count += bytes.count
      }
      return count
    }
  }

  /// The zones, with deleted ones.
  package func zoneIDs() throws -> [(database: DatabaseScope, zoneID: ZoneID)] {
    try zones().map { ($0.database, $0.zone.zoneID) }
      + zoneTombstones().map { ($0.database, $0.tombstone.zoneID) }
  }

  /// The record types of the records that a filter selects.
  ///
  /// - Parameter withDeleted: Whether to include the types of deleted records.
  package func recordTypes(_ filter: RecordFilter, withDeleted: Bool) throws -> NameSet {
    var types = NameSet(try sections(filter).map(\.recordType))
    guard withDeleted else { return types }
    try forEachTombstone(filter) { tombstone, _ in
      if let type = tombstone.recordType { types.insert(type) }
    }
    return types
  }
}

extension ArchiveSource {
  /// Called again and again while records are read; an error that it throws ends the reading. A program
  /// sets it that is interrupted by signals.
  package static let check = Mutex<@Sendable () throws -> Void>({})
}

/// Tells how many records were read.
private struct ReadingProgress {
  /// The numbers of records after which a report is due, and a check: some work takes a millisecond for
  /// each record.
  private static let (interval, checkInterval) = (1024, 16)
  private let tell: ((ArchiveProgress) throws -> Void)?
  private var progress = ArchiveProgress(records: 0, bytes: 0)

  init(
    _ reader: ArchiveReader, _ filter: RecordFilter, _ tell: ((ArchiveProgress) throws -> Void)?
  ) throws {
    self.tell = tell
    if tell != nil { progress.totalRecords = try reader.recordCount(filter) }
  }

  mutating func add(_ count: Int = 1) throws {
    func isDue(_ interval: Int) -> Bool {
      progress.records / interval > (progress.records - count) / interval
    }
    progress.records += count
    if isDue(Self.checkInterval) { try ArchiveSource.check.withLock(\.self)() }
    if isDue(Self.interval) { try tell?(progress) }
  }
}
