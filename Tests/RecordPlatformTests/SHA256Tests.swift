import RecordPlatform
import Testing

@Suite("SHA-256")
struct SHA256Tests {
  private let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
  private let abc = Array("abc".utf8).withUnsafeBytes { SHA256Digest(of: $0) }

  @Test("Digests are those of the standard's examples")
  func standardExamples() {
    #expect(abc.description == known)
    #expect(
      SHA256().finalize().description
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    let million = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(
      million.withUnsafeBytes { SHA256Digest(of: $0) }.description
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test("Bytes may come in pieces of any size, and a copy goes on by itself")
  func pieces() {
    var hash = SHA256()
    Array("a".utf8).withUnsafeBytes { hash.update($0) }
    var copy = hash
    Array("x".utf8).withUnsafeBytes { copy.update($0) }
    Array("bc".utf8).withUnsafeBytes { hash.update($0) }
    hash.update(UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(hash.finalize() == abc)
    #expect(hash.finalize() == abc)
    #expect(copy.finalize() == Array("ax".utf8).withUnsafeBytes { SHA256Digest(of: $0) })
  }

  @Test("Only 64 lower-case hexadecimal digits are read as a digest")
  func hexadecimal() {
    #expect(SHA256Digest(hexadecimal: known) == abc)
    #expect(SHA256Digest(hexadecimal: known.uppercased()) == nil)
    #expect(SHA256Digest(hexadecimal: known.dropLast()) == nil)
    #expect(SHA256Digest(hexadecimal: known.dropLast() + "g") == nil)
    #expect(SHA256Digest(hexadecimal: known + "0") == nil)
  }

  @Test("A digest is its 32 bytes")
  func bytes() {
    #expect(abc.withBytes { $0.count } == 32)
    #expect(abc.withBytes { SHA256Digest(bytes: $0) } == abc)
    #expect(
      abc.withBytes { SHA256Digest(bytes: UnsafeRawBufferPointer(rebasing: $0.dropLast())) } == nil)
  }
}
