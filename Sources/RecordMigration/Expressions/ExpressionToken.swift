/// A token of an expression.
struct ExpressionToken: Equatable {
  enum Kind: Equatable {
    /// Without its sign: the least INT64 has no positive counterpart.
    case integer(UInt64)
    case double(Double)
    case string(String)
    case name(String)
    /// An operator, bracket or comma.
    case mark(String)
    case end
  }

  let kind: Kind
  /// The column of the first character, from 1.
  let column: Int

  /// The token as shown in messages.
  var description: String {
    switch kind {
    case .integer(let number): "'\(number)'"
    case .double(let number): "'\(number)'"
    case .string: "a string"
    case .name(let name): "'\(name)'"
    case .mark(let mark): "'\(mark)'"
    case .end: "the end"
    }
  }
}

/// Splits the text of an expression into tokens.
struct ExpressionLexer {
  /// One character for each Unicode scalar: a quotation mark may precede a combining mark.
  private let characters: [Character]
  private var position = 0

  init(_ text: String) {
    characters = text.unicodeScalars.map(Character.init)
  }

  static func tokens(of text: String) throws -> [ExpressionToken] {
    var lexer = ExpressionLexer(text)
    var tokens: [ExpressionToken] = []
    while true {
      let token = try lexer.next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  private var current: Character? {
    position < characters.count ? characters[position] : nil
  }

  private mutating func next() throws -> ExpressionToken {
    while let space = current, space.isWhitespace { position += 1 }
    let column = position + 1
    guard let first = current else { return ExpressionToken(kind: .end, column: column) }
    if first.isASCIIDigit { return ExpressionToken(kind: try number(column), column: column) }
    if first.isASCIILetter || first == "_" {
      let name = take { $0.isASCIILetter || $0.isASCIIDigit || $0 == "_" }
      return ExpressionToken(kind: .name(name), column: column)
    }
    if first == "'" || first == "\"" {
      return ExpressionToken(kind: .string(try string(first, column)), column: column)
    }
    return ExpressionToken(kind: .mark(try mark(first, column)), column: column)
  }

  private mutating func take(while isIncluded: (Character) -> Bool) -> String {
    let start = position
    while let next = current, isIncluded(next) { position += 1 }
    return String(characters[start..<position])
  }

  private mutating func number(_ column: Int) throws -> ExpressionToken.Kind {
    var text = digits()
    var isDouble = false
    if current == ".", position + 1 < characters.count, characters[position + 1].isASCIIDigit {
      isDouble = true
      position += 1
      text += "." + digits()
    }
    if current == "e" || current == "E" {
      isDouble = true
      position += 1
      text += "e"
      if let sign = current, sign == "+" || sign == "-" {
        text.append(sign)
        position += 1
      }
      text += digits()
    }
    if !isDouble {
      guard let value = UInt64(text), value <= Int64.min.magnitude else {
        throw ExpressionError(column, "the number exceeds 64 bits")
      }
      return .integer(value)
    }
    guard let value = Double(text), value.isFinite else {
      throw ExpressionError(column, "'\(text)' is not a number")
    }
    return .double(value)
  }

  private mutating func digits() -> String { take(while: \.isASCIIDigit) }

  private mutating func string(_ quote: Character, _ column: Int) throws -> String {
    position += 1
    var text = ""
    while let next = current {
      position += 1
      if next == quote { return text }
      guard next == "\\" else {
        text.append(next)
        continue
      }
      guard let escaped = current else { break }
      position += 1
      switch escaped {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "\\", "'", "\"": text.append(escaped)
      default:
        throw ExpressionError(
          position - 1,
          "'\\\(escaped)' is not an escape sequence; use one of \\n \\t \\\\ \\' \\\"")
      }
    }
    throw ExpressionError(column, "the string has no closing \(quote)")
  }

  private mutating func mark(_ first: Character, _ column: Int) throws -> String {
    let second = position + 1 < characters.count ? String(characters[position + 1]) : ""
    if ["==", "!=", "<=", ">="].contains(String(first) + second) {
      position += 2
      return String(first) + second
    }
    guard "+-*/%<>()[],".contains(first) else {
      var message = "'\(first)' is unexpected"
      switch first {
      case "=": message = "for a comparison, write '=='"
      case "&": message = "write 'and' for '&&'"
      case "|": message = "write 'or' for '||'"
      case "!": message = "write 'not' for '!'"
      default: break
      }
      throw ExpressionError(column, message)
    }
    position += 1
    return String(first)
  }
}

extension Character {
  var isASCIIDigit: Bool { ("0"..."9").contains(self) }
  var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
}
