import Foundation
import Testing

@testable import RecordCoding

@Suite struct Base64Tests {
  private func encode(_ bytes: [UInt8]) -> String {
    let buffer = ByteBuffer()
    bytes.withUnsafeBytes { Base64.append($0, to: buffer) }
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  private func decode(_ text: String) -> [UInt8]? {
    Array(text.utf8).withUnsafeBytes { text in
      let isCanonical = Base64.isCanonical(text)
      guard let count = Base64.decodedCount(text) else {
        #expect(!isCanonical)
        return nil
      }
      var bytes = [UInt8](repeating: 0, count: count)
      let isDecoded = bytes.withUnsafeMutableBytes { Base64.decode(text, into: $0) }
      #expect(isDecoded == isCanonical)
      return isDecoded ? bytes : nil
    }
  }

  @Test("bytes of every length read and write as Foundation's base64")
  func foundation() {
    var random = SeededGenerator(3)
    for length in 0..<300 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      let text = encode(bytes)
      #expect(text == Data(bytes).base64EncodedString())
      #expect(decode(text) == bytes)
    }
  }

  @Test(
    "what is not canonical base64 is refused",
    arguments: [
      "A", "AB", "ABC", "AB=C", "====", "A===", "AA=A", "AB==AB==", "AAA-", "AA A", "AAB=", "AB==",
      "AAAA\n", "ÄAA", "AAAA=", "=AAA",
    ])
  func refused(text: String) {
    #expect(decode(text) == nil)
  }
}
