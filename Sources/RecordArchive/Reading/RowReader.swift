import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform
import RecordStore

/// Reads a container as batches of lines in the order of a bundle, on the thread of its snapshot.
final class RowReader {
  private let snapshot: ContainerSnapshot
  private let source: String
  private let selection: LineSelection
  private let buffers: RowBatch.Buffers
  /// Items that are not records, collected for the next batch.
  private var items: [BundleItem] = []
  private var itemBytes = 0

  init(
    _ snapshot: ContainerSnapshot, named source: String, _ selection: LineSelection,
    _ buffers: RowBatch.Buffers
  ) {
    self.snapshot = snapshot
    self.source = source
    self.selection = selection
    self.buffers = buffers
  }

  func forEachBatch(_ body: (RowBatch) throws -> Void) throws {
    for scope in scopes(with: .zone) {
      let zones = try snapshot.zones(in: scope) { snapshot.damage?.add($0) }
      for zone in zones.sorted(by: { $0.zoneID < $1.zoneID }) {
        try add(.zone(zone, scope), body)
      }
    }
    for scope in scopes(with: .subscription) {
      let subscriptions = try snapshot.subscriptions(in: scope) { snapshot.damage?.add($0) }
      for subscription in subscriptions.sorted(by: {
        compareUTF8($0.subscriptionID, $1.subscriptionID) < 0
      }) {
        try add(.subscription(subscription, scope), body)
      }
    }
    try flush(body)
    for scope in scopes(with: .record) { try records(of: scope, body) }
    for scope in scopes(with: .tombstone) {
      try snapshot.forEachTombstone(in: scope, filter: selection.filter) {
        try add(.tombstone($0, scope), body)
      }
    }
    for scope in scopes(with: .zoneTombstone) {
      for tombstone in try snapshot.zoneTombstones(in: scope).sorted(by: {
        $0.zoneID < $1.zoneID
      }) {
        try add(.zoneTombstone(tombstone, scope), body)
      }
    }
    if selection.contains(.asset) { try assets(body) }
    try flush(body)
  }

  private func scopes(with kind: LineKind) -> [DatabaseScope] {
    selection.contains(kind)
      ? DatabaseScope.allCases.filter { selection.filter.contains(database: $0) } : []
  }

  // MARK: Items that are not records

  private func add(
    _ item: BundleItem, bytes: Int = 1024, _ body: (RowBatch) throws -> Void
  ) throws {
    items.append(item)
    itemBytes += bytes
    if itemBytes >= RowBatch.fullSize { try flush(body) }
  }

  private func flush(_ body: (RowBatch) throws -> Void) throws {
    guard !items.isEmpty else { return }
    try body(RowBatch(source, items))
    (items, itemBytes) = ([], 0)
  }

  private func assets(_ body: (RowBatch) throws -> Void) throws {
    try snapshot.forEachAsset { asset in
      guard let size = asset.size.map(Int.init), selection.assets?.contains(asset.sha256) != false
      else { return }
      func chunk(_ offset: Int, _ data: [UInt8]) -> BundleItem {
        .asset(AssetChunk(sha256: asset.sha256, assetSize: size, offset: offset, data: data))
      }
      try snapshot.forEachIntactAssetChunk(sha256: asset.sha256, size: size) { offset, bytes in
        try add(chunk(Int(offset), Array(bytes)), bytes: 1024 + bytes.count, body)
      }
    }
  }

  // MARK: Records

  private func records(of scope: DatabaseScope, _ body: (RowBatch) throws -> Void) throws {
    var filter = selection.filter
    if let sections = selection.sections?.filter({ $0.database == scope }) {
      guard !sections.isEmpty else { return }
      filter.zoneIDs = Set(sections.map(\.zoneID))
      filter.recordTypes = NameSet(sections.map(\.recordType))
    }
    var batch = try RowBatch(source, scope, buffers)
    var wanted = SectionMatcher(selection)
    try snapshot.forEachRecordBytes(in: scope, filter: filter) { dictionary, key in
      guard wanted.contains(scope, key.zoneID, key.recordType) else { return }
      batch.add(dictionary)
      guard batch.isFull else { return }
      batch.close()
      try body(batch)
      batch = try RowBatch(source, scope, buffers)
    }
    batch.close()
    if !batch.isEmpty { try body(batch) }
  }
}

/// Records of one database of a container as lines of a bundle, about 1 MiB; or decoded items that
/// are not records. One thread fills it; after that, several can read it.
final class RowBatch: @unchecked Sendable {
  static let fullSize = 1 << 20
  /// The buffer capacity to keep; larger buffers are shrunk after use.
  private static let keptSize = fullSize + (256 << 10)

  /// A pool of buffers for lines. Allocating large blocks for each batch makes the heap grow.
  typealias Buffers = ResourcePool<ByteBuffer>

  static func buffers(keeping limit: Int) -> Buffers {
    Buffers(keeping: limit) { ByteBuffer(capacity: keptSize) }
  }

  /// The name of the container in error messages.
  let source: String
  let database: DatabaseScope
  /// The items that are not records.
  let items: [BundleItem]
  /// The size of the lines and asset chunks in bytes.
  private(set) var size: Int
  private let buffers: Buffers?
  private let buffer: ByteBuffer
  /// The end of each line in the buffer.
  private var ends: [Int] = []

  /// Creates an empty batch for records.
  init(_ source: String, _ database: DatabaseScope, _ buffers: Buffers) throws {
    self.source = source
    self.database = database
    self.buffers = buffers
    buffer = try buffers.take()
    items = []
    size = 0
  }

  /// Creates a batch of items that are not records.
  init(_ source: String, _ items: [BundleItem]) {
    self.source = source
    self.items = items
    database = .private
    buffers = nil
    buffer = ByteBuffer()
    size = items.reduce(0) {
      if case .asset(let chunk) = $1 { $0 + chunk.data.count } else { $0 }
    }
  }

  deinit {
    buffer.reset(keeping: Self.keptSize)
    buffers?.putBack(buffer)
  }

  var isEmpty: Bool { ends.isEmpty && items.isEmpty }
  var isFull: Bool { buffer.count >= Self.fullSize }

  /// Appends a record's canonical JSON as a line.
  func add(_ dictionary: UnsafeRawBufferPointer) {
    buffer.append(RecordLine.opening(for: database))
    buffer.append(UnsafeRawBufferPointer(rebasing: dictionary.dropFirst()))
    ends.append(buffer.count)
    buffer.append(UInt8(ascii: "\n"))
    size = buffer.count
  }

  /// Completes the batch with the padding that readers need.
  func close() { buffer.padWithZeros() }

  /// Calls `body` with each line and its number in the batch, from 1.
  @inline(__always)
  func forEachLine(_ body: (UnsafeRawBufferPointer, Int) throws -> Void) throws {
    var start = 0
    for (index, end) in ends.enumerated() {
      try body(UnsafeRawBufferPointer(rebasing: buffer.bytes[start..<end]), index + 1)
      start = end + 1
    }
  }

  /// Decodes a line that is not canonical.
  ///
  /// - Throws: `ContainerStoreError` with the name of the record.
  func record(
    _ line: UnsafeRawBufferPointer, with reader: RecordJSONReader
  ) throws -> ResultRecord {
    do {
      return try ResultRecord(json: JSONParser.parse(line).dropping(["kind", "database"]))
    } catch {
      let key = reader.readKey(line)?.recordID
      let name = key.map { "record '\($0.recordName)' of the zone '\($0.zoneID)'" } ?? "a record"
      throw ContainerStoreError.unreadable(
        name: "\(name) in the \(database.rawValue) database of \(source)", detail: "\(error)",
        recordID: key, in: database)
    }
  }
}
