extension SHA256 {
  /// Returns the HMAC of a message (RFC 2104).
  package static func authenticate(
    _ message: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer
  ) -> SHA256Digest {
    let blockSize = 64
    var block = [UInt8](repeating: 0, count: blockSize)
    if key.count > blockSize {
      SHA256Digest(of: key).withBytes { block.replaceSubrange(0..<$0.count, with: $0) }
    } else {
      block.replaceSubrange(0..<key.count, with: key)
    }
    var inner = SHA256()
    block.map { $0 ^ 0x36 }.withUnsafeBytes { inner.update($0) }
    inner.update(message)
    var outer = SHA256()
    block.map { $0 ^ 0x5c }.withUnsafeBytes { outer.update($0) }
    inner.finalize().withBytes { outer.update($0) }
    return outer.finalize()
  }
}
