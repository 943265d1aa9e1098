extension SwiftLexer {
  /// The maximum length of a regex literal in one line, so that a line of slashes takes linear
  /// time.
  private static let maxRegex = 2000

  /// Skips a regex literal between slashes, if there is one at the position.
  ///
  /// It stands where an expression begins, does not begin with a space, and ends in the same line,
  /// before a closing parenthesis of the code around it.
  mutating func skipRegex() -> Bool {
    if let last = tokens.last, last.endsOperand { return false }
    let first = byte(1)
    if first == 0x20 || first == 0x09 || first == UInt8(ascii: "/") || first == UInt8(ascii: "*") {
      return false
    }
    var end = position + 1
    var parentheses = 0
    var isInClass = false
    while end < min(bytes.count, position + Self.maxRegex), !Self.isNewline(bytes[end]) {
      switch bytes[end] {
      case UInt8(ascii: "\\"): end += 1
      case UInt8(ascii: "/"):
        // A literal that ends with a space would be an operator between two operands.
        if bytes[end - 1] == 0x20, bytes[end - 2] != UInt8(ascii: "\\") { return false }
        position = end + 1
        return true
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "("): if !isInClass { parentheses += 1 }
      case UInt8(ascii: ")") where !isInClass:
        parentheses -= 1
        if parentheses < 0 { return false }
      default: break
      }
      end += 1
    }
    return false
  }

  /// Skips a regex literal between `#/` and `/#`, if there is one at the position. One that begins
  /// with a line break can have several lines.
  mutating func skipExtendedRegex(pounds: Int) -> Bool {
    var end = position + pounds + 1
    var first = end
    while first < bytes.count, bytes[first] == 0x20 || bytes[first] == 0x09 { first += 1 }
    let isMultiline = first < bytes.count && Self.isNewline(bytes[first])
    if isMultiline, unclosedRegexes.contains(pounds) { return false }
    while end < bytes.count {
      if !isMultiline, Self.isNewline(bytes[end]) || end > position + Self.maxRegex {
        return false
      }
      if bytes[end] == UInt8(ascii: "\\") {
        end += 2
        continue
      }
      if bytes[end] == UInt8(ascii: "/"), end + pounds < bytes.count,
        bytes[(end + 1)...(end + pounds)].allSatisfy({ $0 == UInt8(ascii: "#") })
      {
        position = end + 1 + pounds
        return true
      }
      end += 1
    }
    unclosedRegexes.insert(pounds)
    return false
  }
}
