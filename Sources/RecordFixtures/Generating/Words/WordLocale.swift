/// The language of generated words.
enum WordLocale: String, Sendable, Hashable, CaseIterable {
  case en, de, fr, es, ru, ja, ar
  /// Another one for each value.
  case mixed

  /// The languages that ``mixed`` chooses from.
  static let single: [WordLocale] = [.en, .de, .fr, .es, .ru, .ja, .ar]

  var vocabulary: Vocabulary {
    switch self {
    case .en, .mixed: .en
    case .de: .de
    case .fr: .fr
    case .es: .es
    case .ru: .ru
    case .ja: .ja
    case .ar: .ar
    }
  }
}

/// The words of a language.
struct Vocabulary: Sendable {
  let words: WordTable
  let givenNames: WordTable
  let familyNames: WordTable
  let cities: WordTable
  /// What is between words, and after a sentence.
  let space: StaticString
  let stop: StaticString
  /// Whether the family name comes first.
  var isFamilyFirst = false
}
