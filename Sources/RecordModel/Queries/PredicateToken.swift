/// A token of a predicate's format string.
struct PredicateToken {
  enum Content: Equatable {
    /// A name or a keyword.
    case word(String)
    /// `%@`, `%K`, or a number's specifier such as `%ld`.
    case argument(String)
    case string(String)
    case number(String)
    /// An operator or punctuation.
    case sign(String)
    case end
  }

  let content: Content
  /// In characters from 1.
  let column: Int

  var isEnd: Bool { content == .end }

  /// Whether the token is one of these keywords, in any case, or signs.
  func isOne(of texts: [String]) -> Bool {
    switch content {
    case .word(let word): texts.contains(word.uppercased())
    case .sign(let sign): texts.contains(sign)
    default: false
    }
  }

  /// The token as a message names it.
  var description: String {
    switch content {
    case .word(let text), .argument(let text), .sign(let text), .number(let text): "'\(text)'"
    case .string: "a string"
    case .end: "the end"
    }
  }
}

/// Splits a format string into tokens.
struct PredicateLexer {
  private let text: [Character]
  private var position = 0

  /// Longer signs come first.
  private static let signs = [
    "&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>", "=", "<", ">", "!", "(", ")", "{", "}",
    "[", "]", ",", ":", ".", "-",
  ]

  init(_ text: String) { self.text = Array(text) }

  /// - Throws: `QueryPredicateError`.
  static func tokens(of text: String) throws(QueryPredicateError) -> [PredicateToken] {
    var lexer = PredicateLexer(text)
    var tokens: [PredicateToken] = []
    repeat { tokens.append(try lexer.next()) } while !tokens[tokens.count - 1].isEnd
    return tokens
  }

  private var current: Character? { position < text.count ? text[position] : nil }

  private mutating func next() throws(QueryPredicateError) -> PredicateToken {
    while let character = current, character.isWhitespace { position += 1 }
    let column = position + 1
    guard let character = current else { return PredicateToken(content: .end, column: column) }
    let content: PredicateToken.Content
    switch character {
    case "'", "\"": content = .string(try string(endingWith: character))
    case "%": content = .argument(try argument())
    case "#":
      // Marks a word as the name of a field.
      position += 1
      content = .argument("#" + taken { $0.isWordPart })
    case _ where character.isNumber && character.isASCII: content = .number(number())
    case _ where character.isWordPart: content = .word(taken { $0.isWordPart })
    default: content = .sign(try sign())
    }
    return PredicateToken(content: content, column: column)
  }

  private mutating func taken(_ isPart: (Character) -> Bool) -> String {
    let start = position
    while let character = current, isPart(character) { position += 1 }
    return String(text[start..<position])
  }

  private mutating func number() -> String {
    var number = taken { $0.isASCII && $0.isNumber }
    if current == ".", position + 1 < text.count, text[position + 1].isNumber {
      position += 1
      number += "." + taken { $0.isASCII && $0.isNumber }
    }
    if current == "e" || current == "E" {
      position += 1
      number += "e"
      if current == "-" || current == "+" {
        number.append(text[position])
        position += 1
      }
      number += taken { $0.isASCII && $0.isNumber }
    }
    return number
  }

  private mutating func string(endingWith quote: Character) throws(QueryPredicateError) -> String {
    let column = position + 1
    position += 1
    var string = ""
    while let character = current, character != quote {
      position += 1
      guard character == "\\" else {
        string.append(character)
        continue
      }
      switch current {
      case "n": string.append("\n")
      case "t": string.append("\t")
      case "r": string.append("\r")
      case let escaped? where "\\'\"".contains(escaped): string.append(escaped)
      default:
        throw QueryPredicateError(
          position, "a backslash is followed by one of \\ ' \" n t r in a string")
      }
      position += 1
    }
    guard current == quote else {
      throw QueryPredicateError(column, "the string has no closing \(quote)")
    }
    position += 1
    return string
  }

  private mutating func argument() throws(QueryPredicateError) -> String {
    let column = position + 1
    position += 1
    if current == "@" || current == "K" {
      position += 1
      return "%" + String(text[position - 1])
    }
    let lengths = taken { "lhqz".contains($0) }
    guard let kind = current, "diufgeEG".contains(kind) else {
      throw QueryPredicateError(
        column, "%@ stands for a value, %K for a field, and %d, %ld, %u or %f for a number")
    }
    position += 1
    return "%" + lengths + String(kind)
  }

  private mutating func sign() throws(QueryPredicateError) -> String {
    for sign in Self.signs where text[position...].starts(with: sign) {
      position += sign.count
      return sign
    }
    throw QueryPredicateError(position + 1, "'\(text[position])' is not part of a predicate")
  }
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
