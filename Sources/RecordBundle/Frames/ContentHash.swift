import RecordPlatform

/// The identity of a bundle's content: the sum, modulo 2^64, of the XXH64 hashes of its lines.
///
/// It does not depend on the order of the lines, or on how they are split into frames and files.
struct ContentHash: Sendable, Hashable {
  private(set) var value: UInt64 = 0

  init() {}

  /// Creates the hash of lines without their line feeds.
  init(of lines: some Sequence<UnsafeRawBufferPointer>) {
    for line in lines { add(line) }
  }

  /// Adds a line without its line feed.
  mutating func add(_ line: UnsafeRawBufferPointer) { value &+= XXH64.hash(line) }

  static func + (lhs: ContentHash, rhs: ContentHash) -> ContentHash {
    var sum = lhs
    sum.value &+= rhs.value
    return sum
  }
}

extension ContentHash: CustomStringConvertible {
  /// Parses 16 lowercase hexadecimal digits; `nil` for anything else.
  init?(hexadecimal text: String) {
    guard let value = HexadecimalHash.hash(of: text) else { return nil }
    self.value = value
  }

  /// The value as 16 lowercase hexadecimal digits.
  var description: String { HexadecimalHash.text(of: value) }
}
