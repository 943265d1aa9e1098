import RecordCoding
import RecordModel
import RecordPlatform

/// A Bloom filter of the names of a frame's records: it tells of most names that they are not in the
/// frame, without reading it.
///
/// It has 8 bits for each record, of which a name sets ``bitsPerName``: one in 46 other names passes.
struct NameFilter: Sendable, Hashable {
  private(set) var bytes: [UInt8]

  static let bitsPerName: UInt64 = 5

  /// Creates the filter of names, one byte for each.
  init(hashes: [UInt64]) {
    bytes = Array(repeating: 0, count: hashes.count)
    let size = UInt64(bytes.count) * 8
    bytes.withUnsafeMutableBufferPointer { bytes in
      for hash in hashes {
        for number in 0..<Self.bitsPerName {
          let place = Self.place(number, of: hash, in: size)
          bytes[Int(place / 8)] |= 1 << UInt8(place % 8)
        }
      }
    }
  }

  /// Returns the hash of a record name in UTF-8.
  @inline(__always)
  static func hash(_ name: UnsafeRawBufferPointer) -> UInt64 { XXH64.hash(name) }

  static func hash(_ name: String) -> UInt64 {
    var name = name
    return name.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
  }

  /// Whether a record with a name of that hash can be in the frame.
  func mayContain(_ hash: UInt64) -> Bool {
    let size = UInt64(bytes.count) * 8
    return (0..<Self.bitsPerName).allSatisfy { number in
      let place = Self.place(number, of: hash, in: size)
      return bytes[Int(place / 8)] & 1 << UInt8(place % 8) != 0
    }
  }

  /// The low half of the hash plus a multiple of the high half, scaled to the size of the filter.
  @inline(__always)
  private static func place(_ number: UInt64, of hash: UInt64, in size: UInt64) -> UInt64 {
    (((hash &+ number &* (hash >> 32)) & 0xFFFF_FFFF) &* size) >> 32
  }
}

extension NameFilter {
  var jsonValue: JSONValue {
    let text = ByteBuffer(capacity: bytes.count / 3 * 4 + 4)
    bytes.withUnsafeBytes { Base64.append($0, to: text) }
    return .string(String(decoding: text.bytes, as: UTF8.self))
  }

  /// Parses a filter of a frame with that number of lines; nil if the JSON is not one.
  init?(json: JSONValue, lines: Int) {
    guard let bytes = json.string.flatMap({ Base64.data(from: $0) }), 1...lines ~= bytes.count
    else { return nil }
    self.bytes = [UInt8](bytes)
  }
}

/// Makes the filters of a file's frames while its lines are written or checked.
struct NameFilters {
  /// Those of a file that is written.
  ///
  /// With fewer frames, a search reads few of them, whatever it looks for; with more records, the
  /// writer and each reader would need more memory.
  static let written = NameFilters(minFrames: 32, maxSize: 8 << 20)
  /// Those of all frames.
  static let all = NameFilters(minFrames: 0, maxSize: .max)
  static let none = NameFilters(minFrames: .max, maxSize: 0)

  /// A file with fewer frames has no filters.
  private let minFrames: Int
  /// A file whose filters have more bytes in all has none.
  private let maxSize: Int
  /// The size of all filters so far, in bytes.
  private(set) var size = 0
  private var hashes: [UInt64] = []
  private var filters: [Int: NameFilter] = [:]

  init(minFrames: Int, maxSize: Int) {
    self.minFrames = minFrames
    self.maxSize = maxSize
  }

  /// Adds the name of a record in the current frame.
  @inline(__always)
  mutating func add(_ hash: UInt64) {
    if size <= maxSize { hashes.append(hash) }
  }

  /// Makes the filter of a frame with the names that were added.
  mutating func endFrame(_ number: Int) {
    guard !hashes.isEmpty else { return }
    size += hashes.count
    if size <= maxSize {
      filters[number] = NameFilter(hashes: hashes)
    } else {
      filters = [:]
    }
    hashes.removeAll(keepingCapacity: true)
  }

  /// Returns the filters by frame number.
  func filters(ofFrames count: Int) -> [Int: NameFilter] { count < minFrames ? [:] : filters }
}
