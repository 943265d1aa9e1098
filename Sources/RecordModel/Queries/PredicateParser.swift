/// Parses the tokens of a predicate into the filters that all must hold.
struct PredicateParser {
  private let tokens: [PredicateToken]
  private let arguments: [RecordValue]
  private var position = 0
  private var used = 0
  private var depth = 0
  private var isInOperand = false

  /// Parentheses and `NOT` within each other; the parser recurses.
  private static let maxDepth = 100

  init(_ tokens: [PredicateToken], arguments: [RecordValue]) {
    self.tokens = tokens
    self.arguments = arguments
  }

  /// The filters of the whole predicate.
  mutating func filters() throws(QueryPredicateError) -> [QueryFilter] {
    let filters = try conjunction()
    guard current.isEnd else {
      throw failure("expected AND or the end, found \(current.description)")
    }
    guard used == arguments.count else {
      throw failure("\(arguments.count) arguments are given, but the format takes \(used)")
    }
    return filters
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
  func isNext(_ texts: String...) -> Bool {
    position + 1 < tokens.count && tokens[position + 1].isOne(of: texts)
  }

  // MARK: Compounds

  private mutating func conjunction() throws(QueryPredicateError) -> [QueryFilter] {
    var filters = try term()
    while true {
      if take("AND", "&&") {
        filters += try term()
      } else if current.isOne(of: ["OR", "||"]) {
        throw failure("CloudKit has no OR; use IN, or a query for each side")
      } else {
        return filters
      }
    }
  }

  private mutating func term() throws(QueryPredicateError) -> [QueryFilter] {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maxDepth else { throw failure("the predicate is nested too deep") }
    let start = current.column
    if take("NOT", "!") {
      let filters = try term()
      guard filters.count == 1, let negated = filters[0].negated else {
        throw QueryPredicateError(
          start, "NOT applies to one comparison with =, IN, BEGINSWITH or CONTAINS")
      }
      return [negated]
    }
    if take("(") {
      let filters = try conjunction()
      try expect(")")
      return filters
    }
    if take("TRUEPREDICATE") { return [] }
    if current.isOne(of: ["FALSEPREDICATE"]) {
      throw failure("CloudKit supports TRUEPREDICATE only")
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
