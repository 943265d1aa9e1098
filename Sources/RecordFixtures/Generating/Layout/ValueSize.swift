import RecordModel
import RecordSchema

/// The greatest sizes that values of a rule may have, as CloudKit counts them towards the size of a
/// record (`RecordLimits/recordSize`).
struct ValueSize {
  /// The language of a rule that names none.
  let locale: WordLocale
  let hasEdgeCases: Bool

  /// Returns the greatest size of the value of a field, in bytes.
  func most(_ rule: FieldRule, isList: Bool) -> Int {
    guard isList else {
      return hasEdgeCases
        ? max(elements(rule, count: 1), edge(rule.value)) : elements(rule, count: 1)
    }
    // The edge of a list is an empty one.
    return elements(rule, count: rule.length?.bounds.upperBound ?? 1)
  }

  /// The longest text at the edges.
  private func edge(_ value: ValueRule) -> Int {
    switch value {
    case .text, .known: TextEdges.longest
    case .reference, .anyReference: RecordLimits.cloudKit.recordNameLength
    default: 0
    }
  }

  /// Returns the size of so many values together.
  private func elements(_ rule: FieldRule, count: Int) -> Int {
    let number = rule.isUnique ? Self.number : 0
    switch rule.value {
    case .guess, .none, .expression, .asset: return 0
    case .constant(let value): return count * value.approximateSize
    case .choice(let choices): return count * (choices.map(\.value.approximateSize).max() ?? 0)
    case .integer, .decimal, .coordinate, .sequence, .position, .date, .created, .modified:
      return count * 8
    case .location: return count * 64
    case .bytes(let length): return count * length.bounds.upperBound
    case .text(let form, let length):
      let most = length.bounds.upperBound
      return count * number + words(rule).reduce(0) { max($0, $1.size(form, most, texts: count)) }
    case .known(let kind):
      return count * (number + words(rule).reduce(0) { max($0, $1.size(kind)) })
    case .pattern(let pattern):
      // Every sign but the number is a character.
      let numbers = pattern.utf8.count { $0 == UInt8(ascii: "%") }
      return count * (pattern.utf8.count + numbers * Self.number)
    case .reference(let type, _), .anyReference(let type, _): return count * name(type)
    case .ancestors: return RecipeCheck.maxDepth * RecordLimits.cloudKit.recordNameLength
    }
  }

  /// The digits of a record's number, and a space.
  private static let number = 11

  /// Returns the greatest length of a record's name.
  private func name(_ type: String) -> Int {
    if hasEdgeCases { return RecordLimits.cloudKit.recordNameLength }
    // A UUID; or the type, perhaps with its place in the recipe, and the number.
    return max(36, min(type.utf8.count, 180) + 26)
  }

  private func words(_ rule: FieldRule) -> [WordSize] {
    let locale = rule.locale ?? locale
    return locale == .mixed ? WordLocale.single.map(WordSize.of) : [.of(locale)]
  }
}

extension FixtureRecipe {
  var valueSize: ValueSize { ValueSize(locale: locale, hasEdgeCases: hasEdgeCases) }
}

/// How large the words of a language are, in UTF-8.
struct WordSize: Sendable {
  private let least: Int
  private let most: Int
  private let mean: Double
  /// The greatest number of bytes of a word and a space, for each of their characters.
  private let ratio: Double
  /// How much larger the beginning of a word may be than this.
  private let excess: Int
  private let space: Int
  private let stop: Int
  private let name: Int
  private let city: Int

  private static let all = Dictionary(
    uniqueKeysWithValues: WordLocale.allCases.map { ($0, WordSize($0.vocabulary)) })

  static func of(_ locale: WordLocale) -> WordSize { all[locale] ?? WordSize(locale.vocabulary) }

  private init(_ vocabulary: Vocabulary) {
    let words = (0..<vocabulary.words.count).map { vocabulary.words[$0] }
    let space = vocabulary.space.utf8CodeUnitCount
    let sizes = words.map { $0.count + space }
    least = sizes.min() ?? 0
    most = sizes.max() ?? 0
    mean = Double(sizes.reduce(0, +)) / Double(max(1, sizes.count))
    let ratio =
      words.map { word in
        let characters = word.count { $0 & 0xC0 != 0x80 } + (space > 0 ? 1 : 0)
        return Double(word.count + space) / Double(max(1, characters))
      }.max() ?? 1
    self.ratio = ratio
    let excesses = words.map { word in
      var (characters, most) = (0.0, 0.0)
      for (place, byte) in word.enumerated() {
        if byte & 0xC0 != 0x80 { characters += 1 }
        most = max(most, Double(place + 1) - characters * ratio)
      }
      return most
    }
    excess = Int((excesses.max() ?? 0).rounded(.up))
    self.space = space
    stop = vocabulary.stop.utf8CodeUnitCount
    func longest(_ table: WordTable) -> Int { (0..<table.count).map { table[$0].count }.max() ?? 0 }
    name = longest(vocabulary.givenNames) + 1 + longest(vocabulary.familyNames)
    city = longest(vocabulary.cities)
  }

  /// Returns the greatest size of texts of up to so many words, sentences or characters each.
  func size(_ form: TextForm, _ length: Int, texts: Int) -> Int {
    let count = texts * length
    switch form {
    case .words: return Self.sum(count, least: least, mean: mean, most: most)
    case .sentences:
      // Four to twelve words, a stop and a space.
      let rest = stop + space
      return Self.sum(
        count, least: 4 * least + rest, mean: 8 * mean + Double(rest), most: 12 * most + rest)
    case .characters:
      return Int((Double(count) * ratio).rounded(.up)) + texts * excess
    }
  }

  /// Returns the greatest size of so many things whose mean is known.
  ///
  /// By Hoeffding's inequality, the sum is beyond with a probability of e^-64 at most.
  private static func sum(_ count: Int, least: Int, mean: Double, most: Int) -> Int {
    let spread = Double(most - least) * (32 * Double(count)).squareRoot()
    return min(count * most, Int((Double(count) * mean + spread).rounded(.up)))
  }

  /// Returns the greatest size of text of a kind.
  func size(_ kind: TextKind) -> Int {
    switch kind {
    case .name, .givenName, .familyName: name
    case .city: city
    // 64 digits; everything else is shorter.
    default: 64
    }
  }
}
