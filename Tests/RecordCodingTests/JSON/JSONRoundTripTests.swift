import RecordModel
import Testing

@testable import RecordCoding

@Suite struct JSONRoundTripTests {
  @Test func `random JSON comes back as it was written`() throws {
    var random = SeededGenerator(1)
    for _ in 0..<500 {
      let value = RandomJSON.value(depth: 4, using: &random)
      let text = value.compactText
      let again = try JSONParser.parse(text)
      #expect(again == value)
      #expect(again.compactText.utf8.elementsEqual(text.utf8))
    }
  }

  @Test func `every beginning of a text is refused, never taken for the whole`() throws {
    var random = SeededGenerator(2)
    for _ in 0..<20 {
      let value = JSONValue.array([RandomJSON.value(depth: 3, using: &random)])
      let bytes = Array(value.compactText.utf8)
      for length in 0..<bytes.count {
        let error = #expect(throws: RecordCodingError.self) {
          try bytes[..<length].withUnsafeBytes { try JSONParser.parse($0) }
        }
        #expect((error?.offset).map { (0...length).contains($0) } == true)
      }
    }
  }

  @Test func `a changed byte never crashes and never gives what is no JSON`() throws {
    var random = SeededGenerator(3)
    for _ in 0..<20 {
      let original = Array(RandomJSON.value(depth: 3, using: &random).compactText.utf8)
      for place in original.indices {
        var bytes = original
        bytes[place] = UInt8.random(in: 0...255, using: &random)
        guard let value = try? bytes.withUnsafeBytes({ try JSONParser.parse($0) }) else { continue }
        #expect(try JSONParser.parse(value.compactText) == value)
      }
    }
  }
}
