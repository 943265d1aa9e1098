#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// Computes SHA-256 with the system's implementation: CryptoKit, or OpenSSL's libcrypto.
package struct SHA256: Sendable {
  #if canImport(CryptoKit)
    private var state = CryptoKit.SHA256()
  #else
    private var state = SHA256_CTX()
  #endif

  /// Creates a hash of no bytes.
  package init() {
    #if !canImport(CryptoKit)
      SHA256_Init(&state)
    #endif
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    #if canImport(CryptoKit)
      state.update(bufferPointer: bytes)
    #else
      SHA256_Update(&state, bytes.baseAddress, bytes.count)
    #endif
  }

  /// Returns the digest of all added bytes.
  package func finalize() -> SHA256Digest {
    withUnsafeTemporaryAllocation(byteCount: SHA256Digest.byteCount, alignment: 8) { bytes in
      #if canImport(CryptoKit)
        state.finalize().withUnsafeBytes { bytes.copyMemory(from: $0) }
      #else
        var state = state
        SHA256_Final(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), &state)
      #endif
      return SHA256Digest(UnsafeRawBufferPointer(bytes))
    }
  }
}

/// HMAC-SHA-256 under one key (RFC 2104).
///
/// The key is hashed once, so a short message costs two blocks.
package struct HMACSHA256: Sendable {
  private let inner: SHA256
  private let outer: SHA256

  private static let blockSize = 64

  package init(key: UnsafeRawBufferPointer) {
    var block = [UInt8](repeating: 0, count: Self.blockSize)
    if key.count > Self.blockSize {
      SHA256Digest(of: key).withBytes { block.replaceSubrange(0..<$0.count, with: $0) }
    } else {
      block.replaceSubrange(0..<key.count, with: key)
    }
    func start(_ padding: UInt8) -> SHA256 {
      var hash = SHA256()
      block.map { $0 ^ padding }.withUnsafeBytes { hash.update($0) }
      return hash
    }
    inner = start(0x36)
    outer = start(0x5C)
  }

  /// Returns the code of a message, which may come in two parts.
  package func authenticate(
    _ message: UnsafeRawBufferPointer,
    _ rest: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) -> SHA256Digest {
    var hash = inner
    hash.update(message)
    if !rest.isEmpty { hash.update(rest) }
    var result = outer
    hash.finalize().withBytes { result.update($0) }
    return result.finalize()
  }
}

/// A SHA-256 digest: 32 bytes, compared and hashed by value.
package struct SHA256Digest: Sendable, Hashable {
  /// The number of bytes in a digest.
  package static let byteCount = 32

  /// The bytes of the digest as big-endian words.
  package let words: SIMD4<UInt64>

  /// - Precondition: `bytes` has ``byteCount`` bytes.
  init(_ bytes: UnsafeRawBufferPointer) {
    var words = SIMD4<UInt64>()
    for index in 0..<4 {
      words[index] = UInt64(
        bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
    }
    self.words = words
  }

  /// Creates a digest from its 32 bytes; `nil` for any other number of bytes.
  package init?(bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(bytes)
  }

  /// Computes the digest of bytes.
  package init(of bytes: UnsafeRawBufferPointer) {
    var hash = SHA256()
    hash.update(bytes)
    self = hash.finalize()
  }

  /// Parses 64 lowercase hexadecimal digits; `nil` for anything else.
  package init?(hexadecimal text: UnsafeRawBufferPointer) {
    guard text.count == 2 * Self.byteCount else { return nil }
    var words = SIMD4<UInt64>()
    for (position, character) in text.enumerated() {
      let digit: UInt8
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character &- 0x30
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character &- 0x57
      default: return nil
      }
      words[position / 16] = words[position / 16] << 4 | UInt64(digit)
    }
    self.words = words
  }

  /// Parses 64 lowercase hexadecimal digits; `nil` for anything else.
  package init?(hexadecimal text: some StringProtocol) {
    var text = String(text)
    guard let digest = text.withUTF8({ Self(hexadecimal: UnsafeRawBufferPointer($0)) }) else {
      return nil
    }
    self = digest
  }

  /// Calls `body` with the 32 bytes.
  package func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    var bigEndian = SIMD4<UInt64>()
    for index in 0..<4 { bigEndian[index] = words[index].bigEndian }
    return try withUnsafeBytes(of: bigEndian, body)
  }
}

extension SHA256Digest: CustomStringConvertible {
  /// The digest as 64 lowercase hexadecimal digits.
  package var description: String {
    String(unsafeUninitializedCapacity: 2 * Self.byteCount) { text in
      withBytes { bytes in
        for (index, byte) in bytes.enumerated() {
          text[2 * index] = Self.digit(byte >> 4)
          text[2 * index + 1] = Self.digit(byte & 15)
        }
      }
      return 2 * Self.byteCount
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
}
