import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

/// The texts of a source, as hashes, and the search for them in the texts of a result: in other letter cases, between
/// other words, behind other punctuation, in JSON, bytes, Base64, hexadecimal digits and percent signs.
struct SourceTexts {
  private var hashes: Set<UInt64> = []
  /// The first words, which spare most of the search.
  private var firsts: Set<UInt64> = []
  /// Whether there were too many texts to compare all.
  private(set) var isCut = false

  /// The maximum number of texts: about 60 MB.
  private static let maxTexts = 1 << 22
  /// The words of a text that are compared together.
  private static let window = 6

  /// The words of made-up values, which a source can have, too.
  private static let vocabulary: Set<UInt64> = {
    let words = Vocabulary.en
    let constants = ["redacted", "mail", "example", "https", "icloud", "share"]
    let all = [words.words, words.givenNames, words.familyNames].flatMap { table in
      (0..<table.count).map { String(decoding: table[$0], as: UTF8.self) }
    }
    return Set(
      (all + constants).map(Words.init).flatMap { words in words.words.indices.map(words.firstHash)
      })
  }()

  /// A text in small letters, without punctuation.
  private struct Words {
    private var bytes: [UInt8] = []
    private(set) var words: [Range<Int>] = []

    init(_ text: String) {
      var text = text
      if !text.utf8.allSatisfy({ $0 < 0x80 }) {
        let scalars = text.precomposedStringWithCanonicalMapping.lowercased().unicodeScalars
        text = String(
          String.UnicodeScalarView(scalars.map { $0.isASCII || $0.isOfWord ? $0 : " " }))
      }
      var start = 0
      for byte in text.utf8 {
        switch byte {
        case 0x41...0x5A: bytes.append(byte | 0x20)
        case 0x30...0x39, 0x61...0x7A, 0x80...: bytes.append(byte)
        default:
          guard bytes.count > start else { continue }
          words.append(start..<bytes.count)
          bytes.append(0x20)
          start = bytes.count
        }
      }
      if bytes.count > start { words.append(start..<bytes.count) }
    }

    /// Whether the words can be equal by chance, as they are short, or are digits of a made-up number.
    private func isCommon(_ range: Range<Int>) -> Bool {
      let part = bytes[range]
      let isNumber = part.allSatisfy { 0x30...0x39 ~= $0 }
      return range.count < (isNumber ? 6 : 4) || isNumber && range.count == 9
    }

    func hash(_ first: Int, _ count: Int) -> UInt64? {
      let range = words[first].lowerBound..<words[first + count - 1].upperBound
      if isCommon(range) { return nil }
      return bytes.withUnsafeBytes { XXH64.hash(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    func isMadeUp(_ range: Range<Int>) -> Bool {
      range.allSatisfy { SourceTexts.vocabulary.contains(firstHash($0)) }
    }

    /// The hash of a word, even of a short one.
    func firstHash(_ word: Int) -> UInt64 {
      bytes.withUnsafeBytes { XXH64.hash(UnsafeRawBufferPointer(rebasing: $0[words[word]])) }
    }
  }

  /// Whether all words of a text, up to six, are words of made-up values.
  static func isMadeUp(_ text: String) -> Bool {
    let words = Words(text)
    let count = words.words.count
    return 1...window ~= count && words.isMadeUp(0..<count)
  }

  /// Adds a text of the source: the whole text, or parts of a long one, and the words of a short one.
  mutating func add(_ text: String) {
    let words = Words(text)
    let count = words.words.count
    for start in stride(from: 0, to: count, by: Self.window) {
      // The last part of a long text is as long as the others.
      let first = max(0, min(start, count - Self.window))
      insert(words, first, min(Self.window, count))
    }
    guard 2...3 ~= count else { return }
    for first in 0..<count { insert(words, first, 1) }
  }

  private mutating func insert(_ words: Words, _ first: Int, _ count: Int) {
    // Made-up texts have these words.
    guard !words.isMadeUp(first..<(first + count)), let hash = words.hash(first, count) else {
      return
    }
    guard hashes.count < Self.maxTexts else { return isCut = true }
    hashes.insert(hash)
    firsts.insert(words.firstHash(first))
  }

  /// Whether a text of the result has a text of the source in it.
  func isIn(_ text: String) -> Bool {
    if hasPart(of: text) { return true }
    if case .text = CompactName(text) {} else { return false }
    if text.utf8.contains(UInt8(ascii: "\\")), let json = try? JSONParser.parse(text) {
      return hasPart(of: json)
    }
    let isLong = text.utf8.split(whereSeparator: { $0 <= 0x20 }).contains { $0.count >= 12 }
    let isEncoded =
      isLong || text.utf8.contains(UInt8(ascii: "%")) || text.utf8.contains(UInt8(ascii: "&"))
    return isEncoded && EncodedText.all(in: text).contains(where: hasPart)
  }

  /// Whether bytes of the result have a text of the source in them.
  func isIn(_ data: Data) -> Bool { PersonalKind.texts(in: data).contains(where: isIn) }

  private func hasPart(of json: JSONValue) -> Bool {
    switch json.content {
    case .string(let text): hasPart(of: text)
    case .array(let elements): elements.contains(where: hasPart)
    case .object(let members): members.contains { hasPart(of: $0.name) || hasPart(of: $0.value) }
    default: false
    }
  }

  private func hasPart(of text: String) -> Bool {
    let words = Words(text)
    for first in words.words.indices where firsts.contains(words.firstHash(first)) {
      for count in 1...min(Self.window, words.words.count - first) {
        if let hash = words.hash(first, count), hashes.contains(hash) { return true }
      }
    }
    return false
  }
}

extension Unicode.Scalar {
  /// Whether it is a letter, a digit or an accent, not punctuation, a space, an emoji or a mark that is not shown.
  fileprivate var isOfWord: Bool {
    properties.isAlphabetic || properties.numericType != nil
      || properties.canonicalCombiningClass != .notReordered
  }
}
