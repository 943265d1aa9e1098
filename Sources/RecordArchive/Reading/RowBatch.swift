import RecordStore
import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform

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
  /// - Throws: `ContainerStoreError.unreadable` with the name of the record.
  func record(
    _ line: UnsafeRawBufferPointer, with reader: RecordJSONReader
  ) throws -> ResultRecord {
    do {
      return try ResultRecord(json: JSONParser.parse(line).dropping(["kind", "database"]))
    } catch {
      let key = reader.readKey(line)?.recordID
      let name = key.map { "record '\($0.recordName)' of the zone '\($0.zoneID)'" } ?? "a record"
      throw ContainerStoreError.unreadable(
        name: "\(name) in the \(database.rawValue) database of \(source)", detail: "\(error)")
    }
  }
}
