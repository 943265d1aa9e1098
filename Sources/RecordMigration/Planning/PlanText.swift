import RecordSchema

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
    let visible = text.unicodeScalars.map {
      $0.isControlling ? Self.spelledOut($0) : String($0)
    }.joined()
    var rest = visible[...]
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
      // What YAML does not print, or reads as the mark of an encoding.
      case _ where scalar.isControlling || ["\u{FEFF}", "\u{FFFE}", "\u{FFFF}"].contains(scalar):
        quoted += spelledOut(scalar)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  /// Returns a character as `\u001b`; all controls have at most four digits.
  private static func spelledOut(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
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
