import RecordModel
import RecordPlatform

/// A set of record names that may also contain names that were not inserted (a Bloom filter): at
/// most about one in 70.
struct NameFilter: Sendable {
  /// The number of bits for each name, of which two are set.
  private static let bitsPerName = 16

  private var words: [UInt64]
  private let mask: UInt64
  private let capacity: Int
  private var count = 0

  /// - Parameter capacity: The number of names, rounded up to a power of two.
  init(capacity: Int) {
    var size = 64
    while size < capacity { size *= 2 }
    self.capacity = size
    words = [UInt64](repeating: 0, count: size * Self.bitsPerName / 64)
    mask = UInt64(words.count * 64 - 1)
  }

  /// Whether a further name would make it less exact.
  var isFull: Bool { count >= capacity }

  mutating func insert(_ name: CompactName) {
    var text = name.string
    let hash = text.withUTF8 { XXH64.hash(UnsafeRawBufferPointer($0)) }
    for bit in [hash & mask, hash &>> 32 & mask] { words[Int(bit &>> 6)] |= 1 &<< (bit & 63) }
    count += 1
  }

  /// - Parameter name: A name in UTF-8.
  /// - Returns: False if it was certainly not inserted.
  func mayContain(_ name: UnsafeRawBufferPointer) -> Bool {
    let hash = XXH64.hash(name)
    return isSet(hash & mask) && isSet(hash &>> 32 & mask)
  }

  @inline(__always)
  private func isSet(_ bit: UInt64) -> Bool { words[Int(bit &>> 6)] &>> (bit & 63) & 1 != 0 }
}
