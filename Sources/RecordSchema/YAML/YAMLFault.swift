import Yams

/// An error in YAML, in words for its author.
package struct YAMLFault: Error {
  /// The line, from 1.
  package let line: Int
  /// The column, from 1.
  package let column: Int
  package let message: String

  init(_ line: Int, _ column: Int, _ message: String) {
    (self.line, self.column, self.message) = (line, column, message)
  }

  private init(_ mark: Mark, _ message: String) { self.init(mark.line, mark.column, message) }

  /// Converts an error of the YAML library.
  ///
  /// - Parameter noun: The kind of document in messages.
  init(_ error: any Error, in yaml: String, noun: String) {
    switch error {
    case YamlError.scanner(let context, let problem, let mark, _),
      YamlError.parser(let context, let problem, let mark, _),
      YamlError.composer(let context, let problem, let mark, _):
      self = Self.fault(context, problem, mark, yaml, noun)
    case YamlError.duplicatedKeysInMapping(let duplicates, let context):
      let names = duplicates.sorted().map { "'\($0.printable)'" }.joined(separator: ", ")
      self.init(context.mark, "\(names) stands here twice")
    case YamlError.reader(let problem, let offset, let value, _):
      let before = yaml.prefix(offset ?? 0)
      let line = before.count(where: \.isNewline) + 1
      let column = before.reversed().prefix { !$0.isNewline }.count + 1
      let sign = value > 0 ? " (U+" + Self.hexadecimal(value) + ")" : ""
      self.init(line, column, problem + sign)
    default:
      let text = "\(error)".split(separator: "\n").first.map(String.init) ?? "this is no YAML"
      self.init(1, 1, text.printable)
    }
  }

  private static func hexadecimal(_ value: Int32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private static func fault(
    _ context: YamlError.Context?, _ problem: String, _ mark: Mark, _ yaml: String, _ noun: String
  ) -> YAMLFault {
    let here = mark
    /// The start of the incomplete element.
    let start = context?.mark ?? mark
    switch problem {
    case "mapping values are not allowed in this context":
      return YAMLFault(
        here,
        "a ':' too many: the line above lacks one (or the blank behind it), this line is indented "
          + "wrongly, or the whole value needs quotation marks")
    case "did not find expected key":
      return YAMLFault(
        here,
        "here should be 'key: value'; keys that belong together are indented alike, and a value "
          + "that begins with a quotation mark ends with it")
    case "did not find expected '-' indicator":
      return YAMLFault(
        here, "here should be '- ', an item of the list; keys of a step are indented alike")
    case "could not find expected ':'":
      return YAMLFault(start, "this line has no ':' with a blank behind it")
    case "did not find expected ',' or '}'", "did not find expected ',' or ']'":
      let sign = problem.dropLast().last.map(String.init) ?? ""
      return YAMLFault(
        mark.line == start.line ? here : start,
        mark.line == start.line ? "a ',' or '\(sign)' is missing here" : "no '\(sign)' closes this")
    case "found unexpected end of stream", "found unexpected document indicator":
      return YAMLFault(start, "no quotation mark closes this text")
    case "found character that cannot start any token":
      let sign = character(at: mark, in: yaml)
      if sign == "\t" { return YAMLFault(here, "a tab: lines are indented with blanks") }
      return YAMLFault(here, "a value that begins with '\(sign)' stands in quotation marks")
    case "did not find expected alphabetic or numeric character":
      let sign = character(at: context?.mark ?? mark, in: yaml)
      return YAMLFault(start, "a value that begins with '\(sign)' stands in quotation marks")
    case "but found another document":
      return YAMLFault(here, "here a second document begins; each \(noun) is a file of its own")
    case "found unknown escape character":
      return YAMLFault(
        here, "this '\\' means nothing in \"…\"; in '…' it is a character like others")
    case _ where problem.contains("a tab character"):
      return YAMLFault(here, "a tab: lines are indented with blanks")
    default:
      let situation = (context?.text).map { $0 + ": " } ?? ""
      return YAMLFault(here, situation + problem)
    }
  }

  private static func character(at mark: Mark, in yaml: String) -> String {
    let lines = yaml.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.indices.contains(mark.line - 1) else { return "" }
    return lines[mark.line - 1].unicodeScalars.dropFirst(mark.column - 1).first.map { String($0) }
      ?? ""
  }
}
