/// What a human has to decide before a plan is one.
public struct PlanQuestion: Sendable, Hashable {
  /// What the question is about.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Whether a record type that went is one that came.
    case renamedType = "renamed-type"
    /// What becomes of the records of a type that went.
    case removedType = "removed-type"
    /// Whether a field that went is one that came.
    case renamedField = "renamed-field"
    /// How values become those of another type, and what becomes of those that do not fit.
    case convertedField = "converted-field"
    /// Whether values may lie in plain from now on.
    case decryptedField = "decrypted-field"
    /// What becomes of the values of a field that went.
    case removedField = "removed-field"
    /// What old records get in a field that came.
    case newField = "new-field"
  }

  /// The question's number in the plan, from 1.
  public var number: Int
  /// The line of the plan it begins in, from 1.
  public var line: Int
  /// What it is about.
  public var kind: Kind
  /// The record types, by the names they have where the question stands.
  public var recordTypes: [String]
  /// The fields, by the names they have there; none where types are concerned.
  public var fields: [String]
  /// What the type or field may be called now.
  public var candidate: String?
  /// The question in words.
  public var text: String
  /// Whether the steps that would answer it are comments, so that nothing is done until somebody
  /// has decided.
  public var stepsAreComments: Bool
}

/// A question that still stands in a plan's text.
struct OpenQuestion: Sendable {
  static let mark = "QUESTION "

  var number: Int
  /// The line it begins in, from 1.
  var line: Int
  /// Its words, without line breaks.
  var text: String

  /// All questions of a plan: comments that begin with `QUESTION` and a number.
  static func all(in yaml: String) -> [OpenQuestion] {
    guard yaml.contains(mark) else { return [] }
    var found: [OpenQuestion] = []
    var isInside = false
    for (index, line) in yaml.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let words = line.drop { $0 == " " }
      guard words.hasPrefix("# ") else {
        isInside = false
        continue
      }
      let text = words.dropFirst(2)
      if text.hasPrefix(mark), let number = Int(text.dropFirst(mark.count).prefix { $0 != ":" }) {
        found.append(OpenQuestion(number: number, line: index + 1, text: String(text)))
        isInside = true
      } else if text.hasPrefix("- ") {
        isInside = false
      } else if isInside {
        found[found.count - 1].text += " " + text
      }
    }
    return found
  }

  /// Whether it is about a type or field: `'Message.text'`.
  func isAbout(_ subject: String) -> Bool { text.contains("'\(subject)'") }
}
