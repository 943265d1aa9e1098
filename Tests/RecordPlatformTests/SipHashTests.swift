import RecordPlatform
import Testing

@Suite("SipHash and HMAC")
struct SipHashTests {
  private let hash = SipHash(low: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908)

  @Test(
    "The hashes are those of the reference implementation, for the bytes 0, 1, 2, …",
    arguments: [
      (0, 0x726f_db47_dd0e_0e31 as UInt64), (1, 0x74f8_39c5_93dc_67fd), (7, 0xab02_00f5_8b01_d137),
      (8, 0x93f5_f579_9a93_2462), (15, 0xa129_ca61_49be_45e5),
    ])
  func referenceHashes(_ count: Int, _ expected: UInt64) {
    let bytes = (0..<count).map(UInt8.init)
    #expect(bytes.withUnsafeBytes { hash.hash($0) } == expected)
  }

  @Test("Two words have the hash of their bytes")
  func words() {
    var bytes: [UInt8] = []
    for word in [0x0123_4567_89AB_CDEF as UInt64, 42] {
      withUnsafeBytes(of: word.littleEndian) { bytes += $0 }
    }
    let expected = bytes.withUnsafeBytes { hash.hash($0) }
    #expect(hash.hash(0x0123_4567_89AB_CDEF, 42) == expected)
  }

  @Test("A function of a word depends on the key, the word before it, and the word")
  func functions() {
    // What ends in this word, whose highest byte is its length, is a whole hash of the seven bytes
    // behind the word before.
    let bytes: [UInt8] = Array(0..<15)
    let last: UInt64 = 15 << 56 | (8..<15).reversed().reduce(0) { $0 << 8 | $1 }
    let prefix: UInt64 = (0..<8).reversed().reduce(0) { $0 << 8 | $1 }
    #expect(hash.function(prefix)(last) == bytes.withUnsafeBytes { hash.hash($0) })
    let other = SipHash(low: 0, high: 1)
    #expect(
      Set([
        hash.function(1)(2), hash.function(2)(1), hash.function(1)(1), other.function(1)(2),
      ]).count == 4)
  }

  @Test(
    "HMAC gives the digests of RFC 4231",
    arguments: [
      (
        [UInt8](repeating: 0x0b, count: 20), "Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        [UInt8](repeating: 0xaa, count: 131),
        "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ])
  func hmac(_ key: [UInt8], _ message: String, _ expected: String) {
    let digest = Array(message.utf8).withUnsafeBytes { message in
      key.withUnsafeBytes { SHA256.authenticate(message, key: $0) }
    }
    #expect(digest.description == expected)
  }
}
