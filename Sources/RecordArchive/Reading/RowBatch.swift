import MockCloud
import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform

/// Records of a container as lines of a bundle, about 1 MiB of one database; or what is no record,
/// decoded.
///
/// It is filled in one thread, then handed on; many may read what is full.
final class RowBatch: @unchecked Sendable {
  static let fullSize = 1 << 20
  /// A buffer that had to be larger is given back after it.
  private static let keptSize = fullSize + (256 << 10)

  /// Room for lines; large blocks that come and go with each batch make the heap grow.
  typealias Buffers = ResourcePool<ByteBuffer>

  static func buffers(keeping limit: Int) -> Buffers {
    Buffers(keeping: limit) { ByteBuffer(capacity: keptSize) }
  }

  /// What errors call the container.
  let source: String
  /// The database of the records.
  let database: DatabaseScope
  /// What is no record.
  let items: [BundleItem]
  /// Bytes of the lines, and of the pieces of assets.
  private(set) var size: Int
  private let buffers: Buffers?
  private let buffer: ByteBuffer
  /// Where each line ends.
  private var ends: [Int] = []

  /// A batch of records to be added.
  init(_ source: String, _ database: DatabaseScope, _ buffers: Buffers) throws {
    self.source = source
    self.database = database
    self.buffers = buffers
    buffer = try buffers.take()
    items = []
    size = 0
  }

  /// A batch of what is no record.
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
    buffers?.giveBack(buffer)
  }

  var isEmpty: Bool { ends.isEmpty && items.isEmpty }
  var isFull: Bool { buffer.count >= Self.fullSize }

  /// Adds a record's dictionary.
  func add(_ dictionary: UnsafeRawBufferPointer) {
    buffer.append(RecordLine.opening(for: database))
    buffer.append(UnsafeRawBufferPointer(rebasing: dictionary.dropFirst()))
    ends.append(buffer.count)
    buffer.append(UInt8(ascii: "\n"))
    size = buffer.count
  }

  /// Ends the filling.
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

  /// Reads a line that is not canonical.
  ///
  /// - Throws: `MockContainerError.unreadable`, which names the record.
  func record(
    _ line: UnsafeRawBufferPointer, with reader: RecordJSONReader
  ) throws -> ResultRecord {
    do {
      return try ResultRecord(json: JSONParser.parse(line).dropping(["kind", "database"]))
    } catch {
      let key = reader.readKey(line)?.recordID
      let name = key.map { "record '\($0.recordName)' of the zone '\($0.zoneID)'" } ?? "a record"
      throw MockContainerError.unreadable(
        name: "\(name) in the \(database.rawValue) database of \(source)", detail: "\(error)")
    }
  }
}
