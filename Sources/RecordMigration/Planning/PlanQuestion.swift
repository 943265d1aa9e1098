/// A question that must be answered before a plan is complete.
public struct PlanQuestion: Sendable, Hashable {
  /// The topic of a question.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Whether a removed record type was renamed to an added one.
    case renamedType = "renamed-type"
    /// How to treat the records of a removed type.
    case removedType = "removed-type"
    /// Whether a removed field was renamed to an added one.
    case renamedField = "renamed-field"
    /// How to convert values to another type, and how to treat those that do not fit.
    case convertedField = "converted-field"
    /// Whether values may be stored unencrypted.
    case decryptedField = "decrypted-field"
    /// How to treat the values of a removed field.
    case removedField = "removed-field"
    /// The value of an added field in existing records.
    case newField = "new-field"
  }

  /// The number of the question in the plan, from 1.
  public var number: Int
  /// The line in the plan where the question begins, from 1.
  public var line: Int
  /// The topic.
  public var kind: Kind
  /// The record types, by their names at this point of the plan.
  public var recordTypes: [String]
  /// The fields, by their names at this point of the plan. Empty for questions about types.
  public var fields: [String]
  /// The possible new name of the type or field.
  public var candidate: String?
  /// The text of the question.
  public var text: String
  /// Whether the suggested steps are commented out, so that nothing happens until the question is
  /// answered.
  public var stepsAreComments: Bool
}

/// An unanswered question in the text of a plan.
struct OpenQuestion: Sendable {
  static let mark = "QUESTION "

  var number: Int
  /// The line where the question begins, from 1.
  var line: Int
  /// The text, without line breaks.
  var text: String

  /// Returns all questions in a plan: comments that begin with `QUESTION` and a number.
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

  /// Returns whether the question is about a type or field, such as `'Message.text'`.
  func isAbout(_ subject: String) -> Bool { text.contains("'\(subject)'") }
}
