/// A part of a predicate's format.
enum PredicateToken: Equatable {
  case word(String)
  case number(String)
  case text(String)
  /// A specifier for the next argument, such as `@` or `K`.
  case argument(String)
  case symbol(String)
}

/// Cuts the format of a predicate into its parts.
struct PredicateFormatLexer {
  private var rest: Substring

  static func tokens(of format: String) throws(PredicateFormatError) -> [PredicateToken] {
    var lexer = PredicateFormatLexer(rest: format[...])
    var tokens: [PredicateToken] = []
    while let token = try lexer.next() { tokens.append(token) }
    return tokens
  }

  private mutating func next() throws(PredicateFormatError) -> PredicateToken? {
    rest = rest.drop(while: \.isWhitespace)
    guard let first = rest.first else { return nil }
    switch first {
    case "%":
      rest.removeFirst()
      return .argument(try specifier())
    case "\"", "'": return .text(try quoted(by: first))
    case "0"..."9", "-": return .number(take { $0.isNumber || "+-.eE".contains($0) })
    // A colon is part of a function's name.
    case _ where first.isLetter || first == "_":
      return .word(take { $0.isLetter || $0.isNumber || "_.:".contains($0) })
    default: return .symbol(try symbol())
    }
  }

  private mutating func specifier() throws(PredicateFormatError) -> String {
    for name in ["@", "K", "lld", "llu", "ld", "lu", "li", "d", "i", "u", "f", "g"]
    where rest.hasPrefix(name) {
      rest.removeFirst(name.count)
      return name
    }
    throw PredicateFormatError("'%\(rest.prefix(2))' is no specifier")
  }

  private mutating func symbol() throws(PredicateFormatError) -> String {
    let symbols = [
      "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "=", "<", ">", "!", "(", ")", "{", "}",
      ",", "[", "]",
    ]
    for symbol in symbols where rest.hasPrefix(symbol) {
      rest.removeFirst(symbol.count)
      return symbol
    }
    throw PredicateFormatError("'\(rest.prefix(1))' is not part of the language")
  }

  private mutating func quoted(by quote: Character) throws(PredicateFormatError) -> String {
    rest.removeFirst()
    var text = ""
    while let character = rest.popFirst() {
      if character == quote { return text }
      if character == "\\", let escaped = rest.popFirst() {
        text.append(escaped)
      } else {
        text.append(character)
      }
    }
    throw PredicateFormatError("a string does not end")
  }

  private mutating func take(_ isPart: (Character) -> Bool) -> String {
    let part = rest.prefix(while: isPart)
    rest = rest[part.endIndex...]
    return String(part)
  }
}
