import Crypto

/// A SHA-256 digest: 32 bytes, compared and hashed by value.
package struct FrameDigest: Sendable, Hashable, CustomStringConvertible {
  /// The number of bytes in a digest.
  static let byteCount = 32

  /// The digest's bytes, four at a time as big-endian words.
  private let words: SIMD4<UInt64>

  /// The digest of some bytes.
  package init(of bytes: UnsafeRawBufferPointer) {
    var hash = SHA256()
    hash.update(bufferPointer: bytes)
    self.init(hash.finalize())
  }

  /// The digest over other digests' bytes, one after another.
  init(over digests: some Sequence<FrameDigest>) {
    var hash = SHA256()
    for digest in digests {
      digest.withBytes { hash.update(bufferPointer: $0) }
    }
    self.init(hash.finalize())
  }

  /// Reads 64 hexadecimal digits (either case); `nil` for anything else.
  init?(hexadecimal text: some StringProtocol) {
    guard text.utf8.count == 2 * Self.byteCount else { return nil }
    var words = SIMD4<UInt64>()
    for (position, character) in text.utf8.enumerated() {
      let digit: UInt64
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt64(character &- 0x30)
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = UInt64(character &- 0x57)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = UInt64(character &- 0x37)
      default: return nil
      }
      words[position / 16] = words[position / 16] << 4 | digit
    }
    self.words = words
  }

  init(_ digest: SHA256Digest) {
    var words = SIMD4<UInt64>()
    for (position, byte) in digest.enumerated() where position < Self.byteCount {
      words[position / 8] = words[position / 8] << 8 | UInt64(byte)
    }
    self.words = words
  }

  /// Calls `body` with the 32 bytes.
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    var bigEndian = SIMD4<UInt64>()
    for index in 0..<4 { bigEndian[index] = words[index].bigEndian }
    return try withUnsafeBytes(of: bigEndian, body)
  }

  /// 64 lower-case hexadecimal digits.
  package var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return withBytes { bytes in
      String(
        decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
  }
}
