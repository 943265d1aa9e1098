/// Parses the tokens of a predicate.
///
/// Accepts the predicates of CloudKit, or conditions, which have additions: `OR`, `NOT` before any
/// part, `has`, functions, and comparisons of two terms.
struct PredicateParser {
  private let tokens: [PredicateToken]
  private let arguments: [RecordValue]
  /// Whether the predicate is a condition.
  let hasAdditions: Bool
  private var position = 0
  private var used = 0
  private var depth = 0
  private var isInOperand = false

  /// Parentheses and `NOT` within each other; the parser recurses.
  private static let maxDepth = 100

  init(_ tokens: [PredicateToken], arguments: [RecordValue], hasAdditions: Bool = false) {
    self.tokens = tokens
    self.arguments = arguments
    self.hasAdditions = hasAdditions
  }

  /// The filters of the whole predicate, which is CloudKit's.
  mutating func filters() throws(QueryPredicateError) -> [QueryFilter] {
    try predicate().filters ?? []
  }

  /// The whole predicate.
  mutating func predicate() throws(QueryPredicateError) -> PredicateNode {
    let predicate = try disjunction()
    guard current.isEnd else {
      throw failure(
        "expected AND\(hasAdditions ? ", OR" : "") or the end, found \(current.description)")
    }
    guard used == arguments.count else {
      throw failure("\(arguments.count) arguments are given, but the format takes \(used)")
    }
    return predicate
  }

  // MARK: Tokens

  var current: PredicateToken { tokens[position] }

  func failure(_ message: String) -> QueryPredicateError {
    QueryPredicateError(current.column, message)
  }

  mutating func take(_ texts: String...) -> Bool {
    guard current.isOne(of: texts) else { return false }
    position += 1
    return true
  }

  mutating func expect(_ text: String) throws(QueryPredicateError) {
    guard take(text) else { throw failure("expected \(text), found \(current.description)") }
  }

  mutating func nextArgument() throws(QueryPredicateError) -> RecordValue {
    guard used < arguments.count else {
      if hasAdditions {
        throw failure("\(current.description) stands for a value; write the value itself")
      }
      throw failure("there is no argument for \(current.description); \(used) are given")
    }
    defer {
      used += 1
      position += 1
    }
    return arguments[used]
  }

  /// Goes to the next token; the end is the last one.
  mutating func advance() { position = min(position + 1, tokens.count - 1) }

  /// Begins a list or a function, which have no lists and functions in them.
  ///
  /// - Throws: `QueryPredicateError` within another one.
  mutating func enterOperand() throws(QueryPredicateError) {
    guard !isInOperand else { throw failure("a list has values only") }
    isInOperand = true
  }

  mutating func leaveOperand() { isInOperand = false }

  /// Whether the token after the current one is one of these.
  func isNext(_ texts: [String]) -> Bool {
    position + 1 < tokens.count && tokens[position + 1].isOne(of: texts)
  }

  // MARK: Compounds

  private mutating func disjunction() throws(QueryPredicateError) -> PredicateNode {
    let first = try conjunction()
    guard hasAdditions, current.isOne(of: ["OR", "||"]) else { return first }
    var parts = [first]
    while take("OR", "||") { parts.append(try conjunction()) }
    return .any(parts)
  }

  private mutating func conjunction() throws(QueryPredicateError) -> PredicateNode {
    var parts = [try term()]
    while take("AND", "&&") { parts.append(try term()) }
    if !hasAdditions, current.isOne(of: ["OR", "||"]) {
      throw failure("CloudKit has no OR; use IN, or a query for each side")
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func term() throws(QueryPredicateError) -> PredicateNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maxDepth else {
      throw failure("the predicate is nested deeper than \(Self.maxDepth) levels")
    }
    let start = current.column
    if take("NOT", "!") {
      let part = try term()
      if hasAdditions { return .not(part) }
      guard let filters = part.filters, filters.count == 1, let negated = filters[0].negated else {
        throw QueryPredicateError(
          start, "NOT applies to one comparison with =, IN, BEGINSWITH or CONTAINS")
      }
      return .filter(negated, .field(negated.fieldName), column: start)
    }
    if take("(") {
      let part = try disjunction()
      try expect(")")
      return part
    }
    if take("TRUEPREDICATE") { return .all([]) }
    if hasAdditions, take("FALSEPREDICATE") { return .any([]) }
    if current.isOne(of: ["FALSEPREDICATE"]) {
      throw failure("CloudKit supports TRUEPREDICATE only")
    }
    if hasAdditions, current.isOne(of: ["HAS"]), !isNextOperator {
      _ = take("HAS")
      let (term, column) = try termOfHas()
      return .has(term, column: column)
    }
    return try comparison()
  }
}

extension QueryFilter {
  /// The opposite of a comparison; nil if CloudKit has no comparator for it.
  var negated: QueryFilter? {
    let pairs: [(Comparator, Comparator)] = [
      (.equals, .notEquals), (.in, .notIn), (.beginsWith, .notBeginsWith),
      (.listContains, .notListContains), (.listContainsAny, .notListContainsAny),
      (.listContainsAll, .notListContainsAll),
      (.listMemberBeginsWith, .notListMemberBeginsWith),
    ]
    for (comparator, opposite) in pairs {
      guard self.comparator == comparator || self.comparator == opposite else { continue }
      var negated = self
      negated.comparator = self.comparator == comparator ? opposite : comparator
      return negated
    }
    return nil
  }
}

/// A token of a predicate's format string.
struct PredicateToken {
  enum Content: Equatable {
    /// A name or a keyword.
    case word(String)
    /// A function with its arguments.
    case function(String)
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
    case .word(let text), .function(let text), .argument(let text), .sign(let text),
      .number(let text):
      "'\(text)'"
    case .string: "a string"
    case .end: "the end"
    }
  }
}

/// Splits a format string into tokens.
struct PredicateLexer {
  private let text: [Character]
  private let withAdditions: Bool
  private var position = 0

  /// Longer signs come first.
  private static let signs = [
    "&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>", "=", "<", ">", "!", "(", ")", "{", "}",
    "[", "]", ",", ":", ".", "-",
  ]

  /// The words that a bracket may follow at once; every other one is a function then.
  private static let keywords: Set = [
    "AND", "OR", "NOT", "IN", "BETWEEN", "ANY", "SOME", "ALL", "NONE", "TOKENIZE",
  ]

  private init(_ text: String, withAdditions: Bool) {
    self.text = Array(text)
    self.withAdditions = withAdditions
  }

  /// - Parameter withAdditions: Whether a predicate may have functions.
  /// - Throws: `QueryPredicateError`.
  static func tokens(
    of text: String, withAdditions: Bool = false
  ) throws(QueryPredicateError) -> [PredicateToken] {
    var lexer = PredicateLexer(text, withAdditions: withAdditions)
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
    case _ where character.isWordPart:
      let word = taken { $0.isWordPart }
      if withAdditions, current == "(", !Self.keywords.contains(word.uppercased()) {
        content = .function(word + (try brackets()))
      } else {
        content = .word(word)
      }
    default: content = .sign(try sign())
    }
    return PredicateToken(content: content, column: column)
  }

  private mutating func taken(_ isPart: (Character) -> Bool) -> String {
    let start = position
    while let character = current, isPart(character) { position += 1 }
    return String(text[start..<position])
  }

  /// Takes all characters up to the bracket that closes the one here.
  private mutating func brackets() throws(QueryPredicateError) -> String {
    let start = position
    var depth = 0
    repeat {
      switch current {
      case "(": depth += 1
      case ")": depth -= 1
      case let quote? where quote == "'" || quote == "\"":
        _ = try string(endingWith: quote)
        continue
      case nil: throw QueryPredicateError(start + 1, "the bracket has no closing )")
      default: break
      }
      position += 1
    } while depth > 0
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
