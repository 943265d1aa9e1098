import Yams

/// The text of a YAML document that is checked before the YAML library reads it.
///
/// The library parses nested values recursively, and copies what aliases refer to. So the size and
/// depth of the text are checked beforehand, and aliases are rejected.
struct BoundedYAML {
  let yaml: String
  let file: String
  /// The kind of document in messages, such as `plan`.
  let noun: String
  /// An addition to the message about tags.
  let tagHint: String

  private static let maxDepth = 40

  /// Returns the root, or `nil` if there are only comments.
  func root(maxSize: Int) throws -> Node? {
    guard yaml.utf8.count <= maxSize else {
      throw error(1, 1, "the file has more than \(maxSize) bytes")
    }
    try checkDepth()
    try checkIndicators()
    do {
      return try Yams.compose(yaml: yaml)
    } catch {
      throw self.error(of: error)
    }
  }

  private func error(_ line: Int, _ column: Int, _ message: String) -> YAMLError {
    YAMLError(file: file, line: line, column: column, message)
  }

  private func checkDepth() throws {
    var (open, line, indicators, indent) = (0, 1, 0, 0)
    var isAtStart = true
    // A line that is a comment opens nothing.
    var isComment = false
    for byte in yaml.utf8 {
      switch byte {
      case _ where isComment && byte != 0x0A: continue
      case UInt8(ascii: "#") where isAtStart && indicators == 0: isComment = true
      case UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): open = max(0, open - 1)
      case 0x0A:
        (line, indicators, indent, isAtStart) = (line + 1, 0, 0, true)
        isComment = false
        continue
      case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"): if isAtStart { indicators += 1 }
      case 0x20, 0x09: if isAtStart { indent += 1 }
      default: isAtStart = false
      }
      if max(open, indicators, indent / 8) > Self.maxDepth {
        throw error(line, 1, "values are nested too deeply")
      }
    }
  }

  /// Rejects aliases, because a few of them can expand to millions of values, and tags, which have
  /// no meaning here. Both are rejected wherever a value may begin, even in quotation marks,
  /// because only the library can tell what is quoted.
  private func checkIndicators() throws {
    var (line, column) = (1, 0)
    /// Whether a value can begin here, or after the next space.
    var (isStart, isNearlyStart, isComment) = (true, false, false)
    var previous: (byte: UInt8, column: Int)?
    // A comma only separates values after a bracket.
    var hasBrackets = false
    for byte in yaml.utf8 {
      column += 1
      if byte == 0x0A {
        (line, column, isStart, isNearlyStart, isComment) = (line + 1, 0, true, false, false)
        previous = nil
        continue
      }
      if let (sign, place) = previous, Self.isName(byte) {
        throw error(line, place, message(sign))
      }
      previous = nil
      switch byte {
      case _ where isComment: break
      case 0x20, 0x09: isStart = isStart || isNearlyStart
      case UInt8(ascii: "#") where isStart: isComment = true
      case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ":"):
        isStart = true
        if byte != UInt8(ascii: ":") { hasBrackets = true }
      case UInt8(ascii: ","): isStart = hasBrackets
      case UInt8(ascii: "-"), UInt8(ascii: "?"): (isStart, isNearlyStart) = (false, true)
      case UInt8(ascii: "&"), UInt8(ascii: "*"), UInt8(ascii: "!"):
        if isStart { previous = (byte, column) }
        isStart = false
      default: (isStart, isNearlyStart) = (false, false)
      }
    }
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, UInt8(ascii: "-"), UInt8(ascii: "!"),
      UInt8(ascii: "<"):
      true
    default: false
    }
  }

  private func message(_ sign: UInt8) -> String {
    sign == UInt8(ascii: "!")
      ? "'!' begins a YAML tag, which a \(noun) cannot have" + tagHint
      : "'&' and '*' are YAML anchors and aliases, which a \(noun) cannot have; quote a string "
        + "that begins with them"
  }

  // MARK: - The library's errors

  private func error(of problem: any Error) -> YAMLError {
    switch problem {
    case YamlError.scanner(let context, let problem, let mark, _),
      YamlError.parser(let context, let problem, let mark, _),
      YamlError.composer(let context, let problem, let mark, _):
      return error(context, problem, mark)
    case YamlError.duplicatedKeysInMapping(let duplicates, let context):
      let names = duplicates.sorted().map { "'\($0.printable)'" }.joined(separator: ", ")
      return error(context.mark.line, context.mark.column, "\(names) is repeated")
    case YamlError.reader(let problem, let offset, let value, _):
      let before = yaml.prefix(offset ?? 0)
      let line = before.count(where: \.isNewline) + 1
      let column = before.reversed().prefix { !$0.isNewline }.count + 1
      let sign = value > 0 ? " (U+" + Self.hexadecimal(value) + ")" : ""
      return error(line, column, problem + sign)
    default:
      let text = "\(problem)".split(separator: "\n").first.map(String.init) ?? "this is not YAML"
      return error(1, 1, text.printable)
    }
  }

  private static func hexadecimal(_ value: Int32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private func error(_ context: YamlError.Context?, _ problem: String, _ mark: Mark) -> YAMLError {
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
      let sign = character(at: mark)
      message = sign == "\t" ? Self.tab : Self.mustBeQuoted(sign)
    case "did not find expected alphabetic or numeric character":
      (place, message) = (start, Self.mustBeQuoted(character(at: start)))
    case "but found another document":
      message = "a second document begins here; put each \(noun) in a separate file"
    case "found unknown escape character":
      message = "this '\\' is not an escape sequence in \"…\"; in '…' it is an ordinary character"
    case _ where problem.contains("a tab character"): message = Self.tab
    default: message = (context?.text).map { $0 + ": " + problem } ?? problem
    }
    return error(place.line, place.column, message)
  }

  private static let tab = "a tab: indent lines with spaces"

  private static func mustBeQuoted(_ sign: String) -> String {
    "a value that begins with '\(sign)' must be quoted"
  }

  private func character(at mark: Mark) -> String {
    let lines = yaml.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.indices.contains(mark.line - 1) else { return "" }
    return lines[mark.line - 1].unicodeScalars.dropFirst(mark.column - 1).first.map { String($0) }
      ?? ""
  }
}

/// An error in YAML, in words for its author.
package struct YAMLError: Error {
  package let file: String
  /// The line, from 1.
  package let line: Int
  /// The column, from 1.
  package let column: Int
  package let message: String

  package init(file: String, line: Int, column: Int, _ message: String) {
    (self.file, self.line, self.column, self.message) = (file, line, column, message)
  }
}
