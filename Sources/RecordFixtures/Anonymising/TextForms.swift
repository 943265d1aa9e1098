import Foundation

/// The rules that make values of a public form.
extension AnonymisationRule {
  /// The forms of texts. The first that all texts of a field have is proposed.
  static let forms: [AnonymisationRule] = [
    .flag, .integer, .decimal, .date, .colour, .url, .version, .json, .base64, .emoji, .locale,
  ]

  nonisolated(unsafe) private static let hexadecimalColour = /#[0-9A-Fa-f]{6}/
  nonisolated(unsafe) private static let versions = /\d{1,4}\.\d{1,5}\.\d{1,6}/
  nonisolated(unsafe) private static let scheme = /([A-Za-z][A-Za-z0-9+.\-]*):\/\/\S*/
  nonisolated(unsafe) private static let localeName = /[a-z]{2,3}[_\-][A-Z]{2}/

  /// The scheme of a URL; nil for another text.
  static func scheme(of text: String) -> String? {
    text.wholeMatch(of: scheme).map { String($0.1) }
  }

  /// Whether a text has the form of the rule; false for other rules.
  func isForm(of text: String) -> Bool {
    switch self {
    case .flag: text == "true" || text == "false"
    case .integer: Int64(text).map(String.init) == text
    case .decimal: text.utf8.contains(UInt8(ascii: ".")) && Double(text)?.isFinite == true
    case .date: DateForm.known.contains { $0.matches(text) }
    case .colour: text.wholeMatch(of: Self.hexadecimalColour) != nil
    case .url: Self.scheme(of: text) != nil
    case .version: text.wholeMatch(of: Self.versions) != nil
    case .json: MadeUpJSON.keys(of: text) != nil
    case .base64:
      text.utf8.count >= 16 && text.utf8.count % 4 == 0 && text.contains(where: \.isUppercase)
        && text.contains(where: \.isLowercase) && Data(base64Encoded: text) != nil
    case .emoji:
      1...3 ~= text.count
        && text.allSatisfy {
          $0.unicodeScalars.contains { $0.properties.isEmoji && $0.value > 255 }
        }
    case .locale: text.wholeMatch(of: Self.localeName) != nil
    default: false
    }
  }
}

/// The forms that the values of a field still may have.
struct TextForms {
  private var possible = AnonymisationRule.forms
  private var schemes: Set<String> = []
  /// The persons who have each key, up to ``FieldSample/smallestGroup``, and the number of its texts.
  private var keys: [String: (persons: Set<Int>, texts: Int)] = [:]
  private var forms = DateForm.known
  private var count = 0
  private var low = Double.infinity
  private var high = -Double.infinity

  private static let maxKeys = 64

  mutating func add(_ text: String, _ person: Int) {
    guard !possible.isEmpty else { return }
    count += 1
    if possible.contains(.date) { forms.removeAll { !$0.matches(text) } }
    possible.removeAll { $0 == .date ? forms.isEmpty : !$0.isForm(of: text) }
    if possible.contains(.url), let scheme = AnonymisationRule.scheme(of: text) {
      schemes.insert(scheme)
    }
    if possible.contains(.json) {
      for key in MadeUpJSON.keys(of: text) ?? [] where keys.count < Self.maxKeys || keys[key] != nil
      {
        keys[key, default: ([], 0)].texts += 1
        guard keys[key]?.persons.count ?? 0 < FieldSample.smallestGroup else { continue }
        keys[key]?.persons.insert(person)
      }
    }
    if possible.contains(.integer) || possible.contains(.decimal), let number = Double(text) {
      add(number)
    }
  }

  mutating func add(_ number: Double) {
    count += 1
    low = min(low, number)
    high = max(high, number)
    if possible.contains(.integer), number != number.rounded() { possible = [.decimal] }
  }

  /// The rule of numbers.
  func numberRule(isWhole: Bool) -> PolicyRule? {
    guard low < high, high.magnitude < 1e12, low.magnitude < 1e12 else { return nil }
    // Prices and parts begin at 0.
    let low = isWhole || low < 0 || 10 * low > high ? low : 0
    let range = Self.outward(low, up: false)...Self.outward(high, up: true)
    return PolicyRule(isWhole ? .integer : .decimal, .range(range))
  }

  /// Returns the rule that makes values of the form of all texts; nil without one.
  ///
  /// - Parameter isFew: Whether the source has few persons.
  func textRule(isFew: Bool) -> PolicyRule? {
    guard count > 0, let first = possible.first else { return nil }
    switch first {
    case .integer: return numberRule(isWhole: true)
    case .decimal: return possible.contains(.decimal) ? numberRule(isWhole: false) : nil
    case .date:
      guard let form = forms.first else { return nil }
      return form == .iso ? PolicyRule(.date) : PolicyRule(.date, .words([form.pattern]))
    case .url:
      guard schemes.count == 1, let scheme = schemes.first, scheme != "https" else {
        return nil
      }
      return PolicyRule(.url, .words([scheme]))
    case .json:
      // Keys that few persons have, or that are not words of code, can be names.
      let shown = keys.filter { key, found in
        2 * found.texts >= count && FieldSample.isWord(key) && PersonalKind.all(in: key).isEmpty
          && (isFew
            ? key.first?.isLowercase == true : found.persons.count >= FieldSample.smallestGroup)
      }
      return shown.isEmpty ? nil : PolicyRule(.json, .words(shown.keys.sorted()))
    default: return PolicyRule(first)
    }
  }

  /// Rounds a bound away from the values to 1, 2 or 5 and zeros, so that it is not the value of a person.
  private static func outward(_ number: Double, up: Bool) -> Double {
    if number == 0 { return 0 }
    let isAway = (number > 0) == up
    let scale = pow(10, log10(number.magnitude).rounded(.down))
    let steps = [1.0, 2, 5, 10].map { $0 * scale }
    let magnitude =
      isAway
      ? steps.first { $0 >= number.magnitude } : steps.last { $0 <= number.magnitude }
    let found = magnitude ?? number.magnitude
    return number < 0 ? -found : found
  }
}
