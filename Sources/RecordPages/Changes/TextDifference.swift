/// The parts of two texts that are in both, and those that are not, by words.
struct TextDifference {
  /// A part of one of the texts.
  struct Part: Equatable {
    var text: String
    var isCommon: Bool
  }

  private(set) var before: [Part] = []
  private(set) var after: [Part] = []

  /// Above this product of the numbers of words that differ, all of them count as different: the
  /// time to compare them grows with it.
  private static let maxWork = 250_000
  /// Texts with a smaller part in common are shown as different altogether.
  private static let minCommon = 0.3

  init(from before: String, to after: String) {
    self.init(Self.words(before), Self.words(after))
    let common = self.before.reduce(0) { $0 + ($1.isCommon ? $1.text.utf8.count : 0) }
    let larger = max(before.utf8.count, after.utf8.count)
    if Double(common) < Self.minCommon * Double(larger) {
      self.before = Self.parts([(before, false)])
      self.after = Self.parts([(after, false)])
    }
  }

  /// - Parameters:
  ///   - old: The words of the old text, or the elements of an old list.
  ///   - new: Those of the new one.
  init(_ old: [Substring], _ new: [Substring]) {
    let start = zip(old, new).prefix { $0 == $1 }.count
    let (oldRest, newRest) = (old[start...], new[start...])
    let end = zip(oldRest.reversed(), newRest.reversed()).prefix { $0 == $1 }.count
    let (oldMiddle, newMiddle) = (Array(oldRest.dropLast(end)), Array(newRest.dropLast(end)))
    var (removed, added) = (Set(oldMiddle.indices), Set(newMiddle.indices))
    if oldMiddle.count * newMiddle.count <= Self.maxWork {
      let difference = newMiddle.difference(from: oldMiddle)
      (removed, added) = ([], [])
      for change in difference {
        switch change {
        case .remove(let offset, _, _): removed.insert(offset)
        case .insert(let offset, _, _): added.insert(offset)
        }
      }
    }
    before = Self.parts(
      old.indices.map { (String(old[$0]), !removed.contains($0 - start)) })
    after = Self.parts(new.indices.map { (String(new[$0]), !added.contains($0 - start)) })
  }

  /// Joins neighbours; a space between two words that differ belongs to them.
  private static func parts(_ words: [(text: String, isCommon: Bool)]) -> [Part] {
    var parts: [Part] = []
    for place in words.indices {
      var (text, isCommon) = words[place]
      if isCommon, text.allSatisfy(\.isWhitespace), place > 0, place + 1 < words.count,
        !words[place - 1].isCommon, !words[place + 1].isCommon
      {
        isCommon = false
      }
      if let last = parts.last, last.isCommon == isCommon {
        text = last.text + text
        parts.removeLast()
      }
      if !text.isEmpty { parts.append(Part(text: text, isCommon: isCommon)) }
    }
    return parts
  }

  /// Splits a text: words, spaces, and every other character by itself, as well as those of scripts
  /// without spaces.
  static func words(_ text: String) -> [Substring] {
    var words: [Substring] = []
    var start = text.startIndex
    var kind: WordKind?
    for index in text.indices {
      let next = WordKind(text[index])
      if let kind, next != kind || kind == .other {
        words.append(text[start..<index])
        start = index
      }
      kind = next
    }
    if start < text.endIndex { words.append(text[start...]) }
    return words
  }

  private enum WordKind {
    case word, space, other

    init(_ character: Character) {
      if character.isWhitespace {
        self = .space
      } else if character.isLetter || character.isNumber || character == "_" {
        // From the CJK radicals on, scripts have no spaces between words.
        let isWord = character.unicodeScalars.first.map { $0.value < 0x2E80 } ?? true
        self = isWord ? .word : .other
      } else {
        self = .other
      }
    }
  }
}
