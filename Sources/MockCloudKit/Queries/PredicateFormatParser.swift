import Foundation

/// Parses the format of a predicate, as far as CloudKit's queries use the language.
struct PredicateFormatParser {
  private var tokens: ArraySlice<PredicateToken>
  private var arguments: ArraySlice<Any>

  init(_ format: String, _ arguments: [Any]) throws(PredicateFormatError) {
    tokens = try PredicateFormatLexer.tokens(of: format)[...]
    self.arguments = arguments[...]
  }

  /// The operators as a predicate's format has them.
  static let words: [NSComparisonPredicate.Operator: String] = [
    .lessThan: "<", .lessThanOrEqualTo: "<=", .greaterThan: ">", .greaterThanOrEqualTo: ">=",
    .equalTo: "==", .notEqualTo: "!=", .matches: "MATCHES", .like: "LIKE",
    .beginsWith: "BEGINSWITH", .endsWith: "ENDSWITH", .in: "IN", .contains: "CONTAINS",
    .between: "BETWEEN",
  ]

  private static let operators: [String: NSComparisonPredicate.Operator] = [
    "<": .lessThan, "<=": .lessThanOrEqualTo, "=<": .lessThanOrEqualTo, ">": .greaterThan,
    ">=": .greaterThanOrEqualTo, "=>": .greaterThanOrEqualTo, "=": .equalTo, "==": .equalTo,
    "!=": .notEqualTo, "<>": .notEqualTo, "MATCHES": .matches, "LIKE": .like,
    "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "IN": .in, "CONTAINS": .contains,
    "BETWEEN": .between,
  ]

  mutating func predicate() throws(PredicateFormatError) -> NSPredicate {
    let predicate = try either()
    guard tokens.isEmpty else { throw PredicateFormatError("the predicate does not end there") }
    return predicate
  }

  // MARK: Predicates

  private mutating func either() throws(PredicateFormatError) -> NSPredicate {
    var parts = [try both()]
    while takeWord("OR") || takeSymbol("||") { parts.append(try both()) }
    return parts.count == 1 ? parts[0] : NSCompoundPredicate(type: .or, subpredicates: parts)
  }

  private mutating func both() throws(PredicateFormatError) -> NSPredicate {
    var parts = [try negated()]
    while takeWord("AND") || takeSymbol("&&") { parts.append(try negated()) }
    return parts.count == 1 ? parts[0] : NSCompoundPredicate(type: .and, subpredicates: parts)
  }

  private mutating func negated() throws(PredicateFormatError) -> NSPredicate {
    if takeWord("NOT") || takeSymbol("!") {
      return NSCompoundPredicate(notPredicateWithSubpredicate: try negated())
    }
    if takeWord("TRUEPREDICATE") { return NSPredicate(value: true) }
    if takeWord("FALSEPREDICATE") { return NSPredicate(value: false) }
    if takeSymbol("(") {
      let predicate = try either()
      try expect(")")
      return predicate
    }
    return try quantified()
  }

  private mutating func quantified() throws(PredicateFormatError) -> NSPredicate {
    if takeWord("NONE") {
      return NSCompoundPredicate(notPredicateWithSubpredicate: try comparison(.any))
    }
    if takeWord("ANY") || takeWord("SOME") { return try comparison(.any) }
    return try comparison(takeWord("ALL") ? .all : .direct)
  }

  private mutating func comparison(
    _ modifier: NSComparisonPredicate.Modifier
  ) throws(PredicateFormatError) -> NSPredicate {
    let left = try expression()
    let type = try comparisonOperator()
    let options = try comparisonOptions()
    return NSComparisonPredicate(
      leftExpression: left, rightExpression: try expression(), modifier: modifier, type: type,
      options: options)
  }

  private mutating func comparisonOperator() throws(PredicateFormatError)
    -> NSComparisonPredicate.Operator
  {
    let type: NSComparisonPredicate.Operator? =
      switch tokens.popFirst() {
      case .word(let word): Self.operators[word.uppercased()]
      case .symbol(let symbol): Self.operators[symbol]
      default: nil
      }
    guard let type else { throw PredicateFormatError("an operator is expected") }
    return type
  }

  private mutating func comparisonOptions() throws(PredicateFormatError)
    -> NSComparisonPredicate.Options
  {
    guard takeSymbol("[") else { return [] }
    guard case .word(let letters)? = tokens.popFirst() else {
      throw PredicateFormatError("options are expected")
    }
    try expect("]")
    var options: NSComparisonPredicate.Options = []
    if letters.contains("c") { options.insert(.caseInsensitive) }
    if letters.contains("d") { options.insert(.diacriticInsensitive) }
    return options
  }

  // MARK: Expressions

  private mutating func expression() throws(PredicateFormatError) -> NSExpression {
    switch tokens.popFirst() {
    case .text(let text): return NSExpression(forConstantValue: text as NSString)
    case .number(let text): return try number(text)
    case .argument(let specifier): return try argument(specifier)
    case .symbol("{"): return NSExpression(forAggregate: try expressions(to: "}"))
    case .word(let word): return try named(word)
    case let other: throw PredicateFormatError("\(other.map { "\($0)" } ?? "nothing") is no value")
    }
  }

  private mutating func named(_ word: String) throws(PredicateFormatError) -> NSExpression {
    switch word.uppercased() {
    case "SELF": return .expressionForEvaluatedObject()
    case "TRUE", "YES": return NSExpression(forConstantValue: NSNumber(value: true))
    case "FALSE", "NO": return NSExpression(forConstantValue: NSNumber(value: false))
    case "NIL", "NULL": return NSExpression(forConstantValue: nil)
    default: break
    }
    guard word.hasSuffix(":") else { return NSExpression(forKeyPath: word) }
    try expect("(")
    return NSExpression(forFunction: word, arguments: try expressions(to: ")"))
  }

  private mutating func expressions(
    to end: String
  ) throws(PredicateFormatError) -> [NSExpression] {
    var elements: [NSExpression] = []
    if takeSymbol(end) { return elements }
    repeat { elements.append(try expression()) } while takeSymbol(",")
    try expect(end)
    return elements
  }

  private mutating func argument(_ specifier: String) throws(PredicateFormatError) -> NSExpression {
    guard let argument = arguments.popFirst() else {
      throw PredicateFormatError("there is no argument for %\(specifier)")
    }
    switch specifier {
    case "@": return NSExpression(forConstantValue: argument)
    case "K":
      guard let name = argument as? String else {
        throw PredicateFormatError("the argument for %K is not a string")
      }
      return NSExpression(forKeyPath: name)
    default:
      guard let number = argument as? NSNumber else {
        throw PredicateFormatError("the argument for %\(specifier) is not a number")
      }
      return NSExpression(forConstantValue: number)
    }
  }

  private func number(_ text: String) throws(PredicateFormatError) -> NSExpression {
    if let value = Int64(text) { return NSExpression(forConstantValue: NSNumber(value: value)) }
    guard let value = Double(text) else { throw PredicateFormatError("'\(text)' is no number") }
    return NSExpression(forConstantValue: NSNumber(value: value))
  }

  // MARK: Tokens

  private mutating func takeWord(_ word: String) -> Bool {
    guard case .word(let next)? = tokens.first, next.uppercased() == word else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func takeSymbol(_ symbol: String) -> Bool {
    guard tokens.first == .symbol(symbol) else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func expect(_ symbol: String) throws(PredicateFormatError) {
    guard takeSymbol(symbol) else { throw PredicateFormatError("'\(symbol)' is expected") }
  }
}
