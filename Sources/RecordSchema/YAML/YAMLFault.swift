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
      self.init(context.mark, "\(names) is repeated")
    case YamlError.reader(let problem, let offset, let value, _):
      let before = yaml.prefix(offset ?? 0)
      let line = before.count(where: \.isNewline) + 1
      let column = before.reversed().prefix { !$0.isNewline }.count + 1
      let sign = value > 0 ? " (U+" + Self.hexadecimal(value) + ")" : ""
      self.init(line, column, problem + sign)
    default:
      let text = "\(error)".split(separator: "\n").first.map(String.init) ?? "this is not YAML"
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
    /// The start of the incomplete element.
    let start = context?.mark ?? mark
    var place = mark
    let message: String
    switch problem {
    case "mapping values are not allowed in this context":
      message =
        "an unexpected ':': the line above lacks one (or the space after it), this line is "
        + "indented incorrectly, or the whole value must be quoted"
    case "did not find expected key":
      message =
        "expected 'key: value'; keys of one mapping have the same indentation, and a value that "
        + "begins with a quotation mark ends with it"
    case "did not find expected '-' indicator":
      message = "expected '- ' for an item of the list; keys of a step have the same indentation"
    case "could not find expected ':'":
      (place, message) = (start, "this line has no ':' followed by a space")
    case "did not find expected ',' or '}'", "did not find expected ',' or ']'":
      let sign = problem.dropLast().last.map(String.init) ?? ""
      let isHere = mark.line == start.line
      if !isHere { place = start }
      message = isHere ? "a ',' or '\(sign)' is missing here" : "no '\(sign)' closes this"
    case "found unexpected end of stream", "found unexpected document indicator":
      (place, message) = (start, "no quotation mark closes this string")
    case "found character that cannot start any token":
      let sign = character(at: mark, in: yaml)
      message = sign == "\t" ? tab : mustBeQuoted(sign)
    case "did not find expected alphabetic or numeric character":
      (place, message) = (start, mustBeQuoted(character(at: start, in: yaml)))
    case "but found another document":
      message = "a second document begins here; put each \(noun) in a separate file"
    case "found unknown escape character":
      message = "this '\\' is not an escape sequence in \"…\"; in '…' it is an ordinary character"
    case _ where problem.contains("a tab character"): message = tab
    default: message = (context?.text).map { $0 + ": " + problem } ?? problem
    }
    return YAMLFault(place, message)
  }

  private static let tab = "a tab: indent lines with spaces"

  private static func mustBeQuoted(_ sign: String) -> String {
    "a value that begins with '\(sign)' must be quoted"
  }

  private static func character(at mark: Mark, in yaml: String) -> String {
    let lines = yaml.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.indices.contains(mark.line - 1) else { return "" }
    return lines[mark.line - 1].unicodeScalars.dropFirst(mark.column - 1).first.map { String($0) }
      ?? ""
  }
}
