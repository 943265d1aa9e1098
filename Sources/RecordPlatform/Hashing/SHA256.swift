#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// Computes SHA-256 with the system's implementation: CryptoKit, or OpenSSL's libcrypto.
package struct SHA256 {
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
