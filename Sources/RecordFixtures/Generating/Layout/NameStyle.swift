import RecordCoding
import RecordModel
import RecordPlatform

/// The names of the records of a section: in the order of the records, so that a bundle needs no
/// sorting, and each made from the index and the sub-seed of its record alone.
struct NameStyle: @unchecked Sendable {
  /// The text before the number. The section owns the memory, so that threads can read it without
  /// counting references.
  private let prefix: UnsafeRawBufferPointer
  private let width: Int
  private let isUUID: Bool
  private let hasEdgeCases: Bool
  /// The number of different first 48 bits of a UUID for each record.
  private let stratum: UInt64
  /// The names themselves, where they are given.
  private let list: WordTable?

  private static let firstBits: UInt64 = 1 << 48
  /// One name of so many is as long as CloudKit allows, where edge cases are wanted.
  private static let edgePart = 64

  init(prefix: String, count: Int, form: TypeRule.NameForm, hasEdgeCases: Bool) {
    let text = Array(prefix.utf8)
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
    bytes.copyBytes(from: text)
    self.prefix = UnsafeRawBufferPointer(bytes)
    width = String(count).utf8.count
    isUUID = form == .uuid
    self.hasEdgeCases = hasEdgeCases
    list = nil
    stratum = Self.firstBits / UInt64(max(1, count))
  }

  /// Creates the names of users.
  ///
  /// - Parameter names: Names in order, without spaces.
  init(_ names: [String]) {
    prefix = UnsafeRawBufferPointer(start: nil, count: 0)
    (width, isUUID, hasEdgeCases, stratum) = (0, false, false, 0)
    list = WordTable(names.joined(separator: " "))
  }

  func deallocate() {
    prefix.deallocate()
    list?.deallocate()
  }

  /// Appends the name of a record.
  func append(_ index: Int, seed: UInt64, to buffer: ByteBuffer) {
    if let list { return buffer.append(list[index]) }
    if isUUID { return appendUUID(index, seed, to: buffer) }
    let start = buffer.count
    buffer.append(prefix)
    let number = index &+ 1
    for _ in 0..<(width &- Self.digits(number)) { buffer.append(UInt8(ascii: "0")) }
    buffer.appendInteger(Int64(number))
    guard hasEdgeCases, isEdge(seed) else { return }
    buffer.append(UInt8(ascii: "-"))
    while buffer.count &- start < RecordLimits.cloudKit.recordNameLength {
      buffer.append(UInt8(ascii: "x"))
    }
  }

  private func isEdge(_ seed: UInt64) -> Bool {
    var random = SeededNumbers(seed: seed ^ 0x6E61_6D65)
    return random.below(Self.edgePart) == 0
  }

  private static func digits(_ number: Int) -> Int {
    var (digits, limit) = (1, 10)
    while number >= limit {
      digits &+= 1
      limit &*= 10
    }
    return digits
  }

  /// Appends a random UUID (version 4) whose first bits grow with the index.
  private func appendUUID(_ index: Int, _ seed: UInt64, to buffer: ByteBuffer) {
    var random = SeededNumbers(seed: seed ^ 0x7575_6964)
    let first = UInt64(index) &* stratum &+ random.next() % stratum
    let high = first &<< 16 | 0x4000 | random.next() & 0xFFF
    let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    buffer.appendUUID(high, low)
  }
}

extension ByteBuffer {
  /// Appends the 36 characters of a UUID, in upper case.
  func appendUUID(_ high: UInt64, _ low: UInt64) {
    reserve(36)
    CompactName.write(high, low, isUpper: true, to: base + count)
    count &+= 36
  }
}
