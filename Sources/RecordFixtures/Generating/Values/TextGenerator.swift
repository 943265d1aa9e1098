import RecordCoding
import RecordModel
import RecordPlatform

/// Words of a language: so many words, sentences or characters.
final class TextGenerator: FieldGenerator {
  private let form: TextForm
  private let length: CountSampler
  private let locale: WordLocale
  private let isUnique: Bool

  init(_ form: TextForm, _ length: CountRule, _ locale: WordLocale, isUnique: Bool) {
    self.form = form
    self.length = CountSampler(length)
    self.locale = locale
    self.isUnique = isUnique
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    let words = locale.chosen(&context.random).vocabulary
    let count = length.sample(&context.random)
    buffer.append(UInt8(ascii: "\""))
    switch form {
    case .words: Self.append(count, words, &context.random, to: buffer)
    case .sentences:
      for sentence in 0..<count {
        if sentence > 0 { buffer.append(words.space) }
        Self.append(context.random.number(in: 4...12), words, &context.random, to: buffer)
        buffer.append(words.stop)
      }
    case .characters: Self.append(characters: count, words, &context.random, to: buffer)
    }
    if isUnique {
      buffer.append(UInt8(ascii: " "))
      buffer.appendInteger(Int64(context.number + 1))
    }
    buffer.append(UInt8(ascii: "\""))
    return true
  }

  private static func append(
    _ count: Int, _ words: Vocabulary, _ random: inout SeededNumbers, to buffer: ByteBuffer
  ) {
    for number in 0..<count {
      let word = words.words[random.below(words.words.count)]
      if number == 0 {
        buffer.appendCapitalized(word)
      } else {
        buffer.append(words.space)
        buffer.append(word)
      }
    }
  }

  /// Appends words until there are so many Unicode scalars, and cuts the last word.
  private static func append(
    characters count: Int, _ words: Vocabulary, _ random: inout SeededNumbers,
    to buffer: ByteBuffer
  ) {
    var rest = count
    var isFirst = true
    while rest > 0 {
      let word = words.words[random.below(words.words.count)]
      if isFirst {
        isFirst = false
      } else if words.space.utf8CodeUnitCount > 0 {
        buffer.append(words.space)
        rest -= 1
      }
      var size = 0
      while size < word.count, rest > 0 || word[size] & 0xC0 == 0x80 {
        if word[size] & 0xC0 != 0x80 { rest -= 1 }
        size += 1
      }
      buffer.append(UnsafeRawBufferPointer(rebasing: word[..<size]))
    }
  }

  override func appendEdge(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    guard !isUnique else { return false }
    TextEdges.append(context, to: buffer)
    return true
  }
}

/// Text that is hard to store, compare, cut or show.
enum TextEdges {
  /// The length of the longest text, in bytes.
  static let longest = 2000

  static func append(_ context: RecordContext, to buffer: ByteBuffer) {
    buffer.append(UInt8(ascii: "\""))
    let table = FactTables.edgeTexts
    switch context.random.below(table.count + 2) {
    case table.count: break
    case table.count + 1:
      for _ in 0..<longest / 4 { buffer.append("long") }
    case let number: buffer.append(table[number])
    }
    buffer.append(UInt8(ascii: "\""))
  }
}

extension WordLocale {
  @inline(__always)
  func chosen(_ random: inout SeededNumbers) -> WordLocale {
    self == .mixed ? Self.single[random.below(Self.single.count)] : self
  }
}
