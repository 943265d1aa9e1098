/// Checks that a text is safe to pass to the YAML library.
enum PlanBounds {
  private static let maximumDepth = 40

  /// Counts brackets and indicators beforehand, because the library parses nested values
  /// recursively.
  static func check(_ yaml: String, file: String, size: Int) throws {
    guard yaml.utf8.count <= size else {
      throw PlanError(
        PlanPlace(file: file, line: 1, column: 1), "the file has more than \(size) bytes")
    }
    try checkDepth(yaml, file)
    try checkIndicators(yaml, file)
  }

  private static func checkDepth(_ yaml: String, _ file: String) throws {
    var (open, line, indicators, indent) = (0, 1, 0, 0)
    var isAtStart = true
    for byte in yaml.utf8 {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): open = max(0, open - 1)
      case 0x0A:
        (line, indicators, indent, isAtStart) = (line + 1, 0, 0, true)
        continue
      case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"):
        if isAtStart { indicators += 1 }
      case 0x20, 0x09: if isAtStart { indent += 1 }
      default: isAtStart = false
      }
      if open > maximumDepth || indicators > maximumDepth || indent > 8 * maximumDepth {
        throw PlanError(
          PlanPlace(file: file, line: line, column: 1), "values are nested too deeply")
      }
    }
  }

  /// Rejects aliases, because a few of them can expand to millions of values, and tags, which have
  /// no meaning in plans. Both are rejected wherever a value may begin, even in quotation marks,
  /// because only the library can tell what is quoted.
  private static func checkIndicators(_ yaml: String, _ file: String) throws {
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
      if let (sign, place) = previous, isName(byte) {
        throw PlanError(
          PlanPlace(file: file, line: line, column: place), message(UnicodeScalar(sign)))
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

  private static func message(_ sign: UnicodeScalar) -> String {
    switch sign {
    case "!":
      "'!' begins a tag of YAML, and a plan has none; in expressions 'not' is written for '!'"
    default:
      "'&' and '*' are anchors and aliases of YAML, and a plan has none; a text that begins so "
        + "stands in quotation marks"
    }
  }
}
