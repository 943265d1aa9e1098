import Testing
import TestSupport

@testable import RecordCoding

@Suite("Passing texts")
struct ScannedTextTests {
  /// Parts of texts as the canonical writer writes them.
  private static let parts: [[UInt8]] =
    [
      "a", "plain text", "eight ch", "ä", "schön", "привет", "你好", "👍", "👩‍👩‍👧", "\u{7F}", "\u{80}",
      "\u{7FF}",
      "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "\\\"", "\\\\",
      "\\n", "\\t", "\\u0001", "\\u001f",
    ].map { Array($0.utf8) }

  /// Parts that it does not write.
  private static let wrongParts: [[UInt8]] =
    [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x9F, 0xBF], [0xE2, 0x82],
      [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x91], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xFF], [0x00], [0x1F], [0x0A],
    ] + ["\\/", "\\q", "\\u0041", "\\u000a", "\\u001F", "\\u00e4"].map { Array($0.utf8) }

  /// Returns the range of the text that the bytes begin with.
  private func scan(_ bytes: [UInt8]) -> Range<Int>? {
    bytes.withUnsafeBytes { bytes in
      var scanner = CanonicalReader(bytes)
      guard let text = scanner.string() else { return nil }
      #expect(scanner.position == text.upperBound + 1)
      return text
    }
  }

  private func text(_ random: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 0...6, using: &random)).flatMap { _ in
      Self.parts.randomElement(using: &random) ?? []
    }
  }

  @Test("A text is passed up to its quote, and no text without one")
  func texts() {
    var random = SeededGenerator(7)
    for _ in 0..<2000 {
      let text = text(&random)
      let bytes = [0x22] + text + [0x22]
      #expect(scan(bytes) == 1..<text.count + 1)
      #expect(scan(bytes + Array(",\"é\":\"rest of the line\"".utf8)) == 1..<text.count + 1)
      for length in 0..<bytes.count { #expect(scan(Array(bytes[..<length])) == nil) }
    }
  }

  @Test("A text with a part that the canonical writer does not write is not passed")
  func wrongTexts() {
    var random = SeededGenerator(8)
    for part in Self.wrongParts {
      for _ in 0..<50 {
        let (before, after) = (text(&random), text(&random))
        let bytes = [0x22] + before + part + after + [0x22]
        // Quotes and controls end a character, too: what follows does not complete it.
        #expect(scan(bytes + Array("                ".utf8)) == nil, "\(bytes)")
      }
    }
  }
}
