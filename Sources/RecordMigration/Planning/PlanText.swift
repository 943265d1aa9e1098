/// Builds the YAML of a plan line by line.
package struct PlanText {
  private(set) var yaml = ""
  private(set) var lineCount = 0
  /// The maximum width of a comment line.
  private static let width = 96

  mutating func line(_ text: String = "") {
    // A name from a file must not end the line.
    yaml += String(text.map { $0.isNewline ? " " : $0 }) + "\n"
    lineCount += 1
  }

  /// Adds a wrapped comment. Control and bidirectional formatting characters are spelled out, because
  /// a comment has no escapes of its own.
  mutating func comment(_ text: String) {
    var rest = text.escapingControls[...]
    while rest.count > Self.width - 4,
      let space = rest.prefix(Self.width - 3).lastIndex(of: " "), space > rest.startIndex
    {
      line("  # " + rest[..<space])
      rest = rest[rest.index(after: space)...]
    }
    line("  # " + rest)
  }

  /// Adds a step.
  mutating func step(_ members: [(key: String, value: String)], isComment: Bool = false) {
    for (index, member) in members.enumerated() {
      line(
        (isComment ? "  # " : "  ") + (index == 0 ? "- " : "  ") + "\(member.key): \(member.value)")
    }
    line()
  }

  /// Returns a string as YAML, in quotation marks if needed.
  package static func quoted(_ text: String) -> String {
    let isPlain =
      text.utf8.allSatisfy(isPlainByte) && text.utf8.first.map(isLetter) == true
      && !words.contains(text.lowercased())
    return isPlain ? text : string(text)
  }

  /// Returns a string in quotation marks.
  package static func string(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      // Characters that YAML does not print, or reads as the mark of an encoding.
      case _ where scalar.isControlling || ["\u{FEFF}", "\u{FFFE}", "\u{FFFF}"].contains(scalar):
        quoted += scalar.spelledOut
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// Words that some version of YAML does not read as a string.
  private static let words: Set = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]

  private static func isLetter(_ byte: UInt8) -> Bool {
    (65...90).contains(byte) || (97...122).contains(byte)
  }

  private static func isPlainByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || (48...57).contains(byte) || [45, 46, 47, 95].contains(byte)
  }
}

/// A question that a person must resolve before a plan is complete.
package struct PlanQuestion: Sendable, Hashable {
  /// The topic of a question.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
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
  package var number: Int
  /// The line in the plan where the question begins, from 1.
  package var line: Int
  /// The topic.
  package var kind: Kind
  /// The record types, by their names at this point of the plan.
  package var recordTypes: [String]
  /// The fields, by their names at this point of the plan. Empty for questions about types.
  package var fields: [String]
  /// The possible new name of the type or field.
  package var candidate: String?
  /// The text of the question.
  package var text: String
  /// Whether the suggested steps are commented out, so that nothing happens until a person resolves
  /// the question.
  package var stepsAreComments: Bool
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
