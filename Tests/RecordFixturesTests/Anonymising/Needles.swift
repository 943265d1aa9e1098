/// Many byte strings to search for in one pass.
struct Needles {
  /// The least number of bytes of a string.
  private static let keySize = 5
  private var byKey: [UInt64: [(bytes: [UInt8], name: String)]] = [:]

  private static func key(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func add(_ bytes: [UInt8], _ name: String) {
    guard bytes.count >= Self.keySize else { return }
    byKey[Self.key(bytes[..<Self.keySize]), default: []].append((bytes, name))
  }

  func found(in content: [UInt8]) -> Set<String> {
    guard content.count >= Self.keySize else { return [] }
    var found: Set<String> = []
    var key = Self.key(content[..<(Self.keySize - 1)])
    for end in (Self.keySize - 1)..<content.count {
      key = (key << 8 | UInt64(content[end])) & 0xFF_FFFF_FFFF
      guard let needles = byKey[key] else { continue }
      let rest = content[(end + 1 - Self.keySize)...]
      for needle in needles where rest.starts(with: needle.bytes) { found.insert(needle.name) }
    }
    return found
  }
}
