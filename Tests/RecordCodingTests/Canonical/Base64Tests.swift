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
      let data = Base64.data(from: text)
      #expect(Base64.isCanonical(text) == (data != nil))
      return data.map { [UInt8]($0) }
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
      "AAAA\n", "ÄAA", "AAAA=", "=AAA", "Eg=z", "Zm=v", "Zm9v====", "Zh==",
    ])
  func refused(text: String) throws {
    #expect(decode(text) == nil)
    #expect(throws: RecordCodingError.self) {
      try Data(json: .string(text), DecodingContext())
    }
  }

  @Test("a base64 text that differs in one character from a good one has the bytes that it encodes")
  func oneCharacter() throws {
    var random = SeededGenerator(3)
    let characters = Array("AEQgwZz019+/=-_ \n")
    for _ in 0..<4000 {
      let good = Data((0..<random.below(9)).map { _ in UInt8(random.below(256)) })
      var text = Array(good.base64EncodedString())
      if text.isEmpty || random.chance(4) {
        text.insert(random.pick(characters), at: random.below(text.count + 1))
      } else {
        text[random.below(text.count)] = random.pick(characters)
      }
      let data = try? Data(json: .string(String(text)), DecodingContext())
      if let data { #expect(data.base64EncodedString() == String(text)) }
    }
  }
}
