/// Parses a predicate.
///
/// Accepts the predicates of CloudKit, or conditions, which have additions: `OR`, `NOT` before any
/// part, `has`, functions, and comparisons of two terms.
struct PredicateParser {
  private let scalars: [Unicode.Scalar]
  private let tokens: [ConditionToken]
  private let arguments: [RecordValue]
  /// Whether the predicate is a condition.
  let hasAdditions: Bool
  private var position = 0
  private var used = 0
  private var depth = 0
  private var isInOperand = false

  /// Parentheses and `NOT` within each other; the parser recurses.
  private static let maxDepth = 100

  init(
    _ text: String, arguments: [RecordValue], hasAdditions: Bool = false
  ) throws(QueryPredicateError) {
    scalars = Array(text.unicodeScalars)
    tokens = try ConditionLexer.tokens(of: text, takesArguments: !hasAdditions)
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
    guard current.content == .end else {
      throw failure(
        "expected AND\(hasAdditions ? ", OR" : "") or the end, found \(current.description)")
    }
    guard used == arguments.count else {
      throw failure("\(arguments.count) arguments are given, but the format takes \(used)")
    }
    return predicate
  }

  // MARK: Tokens

  var current: ConditionToken { tokens[position] }

  func failure(_ message: String) -> QueryPredicateError {
    QueryPredicateError(current.column, message)
  }

  mutating func take(_ texts: String...) -> Bool { take(texts) }

  mutating func take(_ texts: [String]) -> Bool {
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

  /// The words that a bracket may follow; before a bracket, every other word is a function.
  private static let keywords: Set = [
    "AND", "OR", "NOT", "IN", "BETWEEN", "ANY", "SOME", "ALL", "NONE", "TOKENIZE",
  ]

  /// Takes a function with its arguments, which the parser of expressions reads.
  ///
  /// - Returns: The function; nil if the current token does not begin one.
  mutating func takeFunction() throws(QueryPredicateError) -> PredicateTerm? {
    guard hasAdditions, case .word(let word) = current.content, isNext(["("]),
      !Self.keywords.contains(word.uppercased())
    else { return nil }
    let start = position
    var depth = 0
    repeat {
      position += 1
      if current.isOne(of: ["("]) { depth += 1 }
      if current.isOne(of: [")"]) { depth -= 1 }
      guard current.content != .end else {
        throw QueryPredicateError(tokens[start + 1].column, "the bracket has no closing )")
      }
    } while depth > 0
    let end = current.column
    position += 1
    let source = String.UnicodeScalarView(scalars[(tokens[start].column - 1)..<end])
    return .function(
      String(source),
      tokens: tokens[start..<position] + [ConditionToken(.end, column: end + 1)])
  }

  // MARK: Compounds

  private mutating func disjunction() throws(QueryPredicateError) -> PredicateNode {
    let first = try conjunction()
    guard hasAdditions, current.isOne(of: ConditionToken.or) else { return first }
    var parts = [first]
    while take(ConditionToken.or) { parts.append(try conjunction()) }
    return .any(parts)
  }

  private mutating func conjunction() throws(QueryPredicateError) -> PredicateNode {
    var parts = [try term()]
    while take(ConditionToken.and) { parts.append(try term()) }
    if !hasAdditions, current.isOne(of: ConditionToken.or) {
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
    if take(ConditionToken.not) {
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
    if hasAdditions, current.isOne(of: ["HAS"]), !isNextOperator, !isNext(["("]) {
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

extension QueryFilter.Comparator {
  /// The comparator with its sides exchanged.
  package var flipped: Self {
    switch self {
    case .lessThan: .greaterThan
    case .lessThanOrEquals: .greaterThanOrEquals
    case .greaterThan: .lessThan
    case .greaterThanOrEquals: .lessThanOrEquals
    default: self
    }
  }
}
