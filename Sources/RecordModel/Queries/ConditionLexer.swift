/// Splits the text of a predicate, of a condition or of an expression into tokens.
package struct ConditionLexer {
  /// Not characters: a quotation mark may precede a combining mark.
  private let text: [Unicode.Scalar]
  private let takesArguments: Bool
  private var position = 0

  /// Longer signs come first.
  private static let signs =
    ["&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>"]
    + "=<>!(){}[],:.+-*/%".map { String($0) }

  /// Returns the tokens of a text. The last token is the end.
  ///
  /// - Parameter takesArguments: Whether `%d` and the like stand for arguments. Otherwise `%` is the
  ///   remainder of a division.
  package static func tokens(
    of text: String, takesArguments: Bool = false
  ) throws(QueryPredicateError) -> [ConditionToken] {
    var lexer = ConditionLexer(
      text: Array(text.unicodeScalars), takesArguments: takesArguments)
    var tokens: [ConditionToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.content != .end
    return tokens
  }

  private init(text: [Unicode.Scalar], takesArguments: Bool) {
    (self.text, self.takesArguments) = (text, takesArguments)
  }

  private var current: Unicode.Scalar? { position < text.count ? text[position] : nil }
  private var following: Unicode.Scalar? {
    position + 1 < text.count ? text[position + 1] : nil
  }

  private mutating func next() throws(QueryPredicateError) -> ConditionToken {
    while let scalar = current, scalar.properties.isWhitespace { position += 1 }
    let column = position + 1
    guard let scalar = current else { return ConditionToken(.end, column: column) }
    let content: ConditionToken.Content
    switch scalar {
    case "'", "\"": content = .string(try string(endingWith: scalar))
    case "%" where takesArguments || following == "@": content = .argument(try argument())
    case "#" where following?.isWordPart == true:
      position += 1
      content = .name(taken { $0.isWordPart })
    case "0"..."9": content = .number(number())
    case _ where scalar.isWordPart: content = .word(taken { $0.isWordPart })
    default: content = .sign(try sign())
    }
    return ConditionToken(content, column: column)
  }

  private mutating func taken(_ isPart: (Unicode.Scalar) -> Bool) -> String {
    let start = position
    while let scalar = current, isPart(scalar) { position += 1 }
    return String(String.UnicodeScalarView(text[start..<position]))
  }

  private mutating func digits() -> String { taken { ("0"..."9").contains($0) } }

  private mutating func number() -> String {
    var number = digits()
    if current == ".", let digit = following, ("0"..."9").contains(digit) {
      position += 1
      number += "." + digits()
    }
    if current == "e" || current == "E" {
      position += 1
      number += "e"
      if current == "-" || current == "+" {
        number.unicodeScalars.append(text[position])
        position += 1
      }
      number += digits()
    }
    return number
  }

  private mutating func string(
    endingWith quote: Unicode.Scalar
  ) throws(QueryPredicateError) -> String {
    let column = position + 1
    position += 1
    var string = String.UnicodeScalarView()
    while let scalar = current, scalar != quote {
      position += 1
      guard scalar == "\\", let escaped = current else {
        string.append(scalar)
        continue
      }
      switch escaped {
      case "n": string.append("\n")
      case "t": string.append("\t")
      case "r": string.append("\r")
      case "\\", "'", "\"": string.append(escaped)
      default:
        throw QueryPredicateError(
          position,
          "'\\\(escaped)' is not an escape sequence; use one of \\n \\t \\r \\\\ \\' \\\"")
      }
      position += 1
    }
    guard current == quote else {
      throw QueryPredicateError(column, "the string has no closing \(quote)")
    }
    position += 1
    return String(string)
  }

  private mutating func argument() throws(QueryPredicateError) -> String {
    let column = position + 1
    position += 1
    if let kind = current, kind == "@" || kind == "K" {
      position += 1
      return "%\(kind)"
    }
    let lengths = taken { "lhqz".unicodeScalars.contains($0) }
    guard let kind = current, "diufgeEG".unicodeScalars.contains(kind) else {
      throw QueryPredicateError(
        column, "%@ stands for a value, %K for a field, and %d, %ld, %u or %f for a number")
    }
    position += 1
    return "%\(lengths)\(kind)"
  }

  private mutating func sign() throws(QueryPredicateError) -> String {
    for sign in Self.signs where text[position...].starts(with: sign.unicodeScalars) {
      position += sign.unicodeScalars.count
      return sign
    }
    throw QueryPredicateError(position + 1, "'\(text[position])' is unexpected")
  }
}

extension Unicode.Scalar {
  fileprivate var isWordPart: Bool {
    self == "_" || properties.isAlphabetic || properties.numericType != nil
      || properties.isGraphemeExtend
  }
}
