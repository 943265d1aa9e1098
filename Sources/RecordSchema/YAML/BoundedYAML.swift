import Yams

/// YAML that people write: plans and configurations.
package struct BoundedYAML {
  private let yaml: String
  /// The kind of document in messages, such as `plan`.
  let noun: String
  /// An addition to the message about tags.
  let tagHint: String

  private static let maxDepth = 40

  /// Parses a document.
  ///
  /// The YAML library parses nested values recursively, and copies what aliases refer to. So the
  /// size and depth of the text are checked beforehand, and aliases are rejected.
  ///
  /// - Returns: The root, or `nil` if there are only comments.
  /// - Throws: ``YAMLFault``.
  package static func root(
    of yaml: String, maxSize: Int, noun: String, tagHint: String = ""
  ) throws -> Node? {
    guard yaml.utf8.count <= maxSize else {
      throw YAMLFault(1, 1, "the file has more than \(maxSize) bytes")
    }
    let document = BoundedYAML(yaml: yaml, noun: noun, tagHint: tagHint)
    try document.checkDepth()
    try document.checkIndicators()
    do {
      return try Yams.compose(yaml: yaml)
    } catch {
      throw YAMLFault(error, in: yaml, noun: noun)
    }
  }

  private func checkDepth() throws {
    var (open, line, indicators, indent) = (0, 1, 0, 0)
    var isAtStart = true
    for byte in yaml.utf8 {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): open = max(0, open - 1)
      case 0x0A:
        (line, indicators, indent, isAtStart) = (line + 1, 0, 0, true)
        continue
      case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"): if isAtStart { indicators += 1 }
      case 0x20, 0x09: if isAtStart { indent += 1 }
      default: isAtStart = false
      }
      if max(open, indicators, indent / 8) > Self.maxDepth {
        throw YAMLFault(line, 1, "values are nested too deeply")
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
        throw YAMLFault(line, place, message(sign))
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
}
