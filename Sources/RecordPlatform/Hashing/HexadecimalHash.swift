/// A 64-bit hash as 16 lowercase hexadecimal digits.
package enum HexadecimalHash {
  /// Returns the hash of such a text; nil for anything else.
  package static func hash(of text: String) -> UInt64? {
    guard let hash = UInt64(text, radix: 16), self.text(of: hash) == text else { return nil }
    return hash
  }

  package static func text(of hash: UInt64) -> String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
