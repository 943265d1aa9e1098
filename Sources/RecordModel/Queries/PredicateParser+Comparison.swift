/// One comparison of a field and a value.
extension PredicateParser {
  /// A side of a comparison.
  private enum Operand {
    /// In characters from 1.
    case term(PredicateTerm, column: Int)
    case value(RecordValue)
    /// `{a, b}`
    case values([RecordValue])
    /// `self`, which stands for all text of a record.
    case record
    /// `distanceToLocation:fromLocation:(field, location)`
    case distance(String, column: Int, RecordValue)
  }

  private enum Quantifier { case any, all, no }

  mutating func comparison() throws(QueryPredicateError) -> PredicateNode {
    var quantifier: Quantifier?
    if take("ANY", "SOME") { quantifier = .any }
    if quantifier == nil, take("ALL") { quantifier = .all }
    if quantifier == nil, take("NONE") { quantifier = .no }
    let column = current.column
    if quantifier == .all, current.isOne(of: ["TOKENIZE"]) {
      return .text(try tokenized(), column: column)
    }
    let left = try operand()
    if case .term(.function(let text, let place), _) = left, quantifier == nil, !isAtOperator {
      return .holds(.function(text, column: place), column: column)
    }
    let operatorToken = current
    let name = try takeOperator()
    if take("[") {
      let options = current
      advance()
      try expect("]")
      guard name == "TOKENMATCHES" else {
        let remedy = hasAdditions ? "; write lower(field) = 'text'" : ""
        throw QueryPredicateError(
          options.column,
          "CloudKit compares exactly; it has no option \(options.description)\(remedy)")
      }
    }
    let right = try operand()
    switch (left, right) {
    case (.record, .value(let value)) where name == "CONTAINS":
      return .text(try search(value, at: column), column: column)
    case (.term(let term, _), .value(let value)) where name == "TOKENMATCHES":
      guard term == .field("allTokens") else {
        throw QueryPredicateError(column, "TOKENMATCHES follows allTokens")
      }
      return .text(try search(value, at: column), column: column)
    case (.distance(let field, let place, let location), .value(let value)):
      let filter = try near(field, location, name, value, at: operatorToken.column)
      return .filter(filter, .field(field), column: place)
    case (.term(let left, let leftColumn), .term(let right, let rightColumn)):
      let comparator = try comparatorOfPair(name, quantifier, at: operatorToken.column)
      return .pair(
        left, leftColumn: leftColumn, comparator, right, rightColumn: rightColumn)
    case (.term(let term, let place), _):
      return try comparison(
        of: term, at: place, name, Self.list(right), quantifier, isFlipped: false,
        operatorColumn: operatorToken.column)
    case (_, .term(let term, let place)):
      return try comparison(
        of: term, at: place, name, Self.list(left), quantifier, isFlipped: true,
        operatorColumn: operatorToken.column)
    default:
      throw QueryPredicateError(column, "expected a comparison of a field with a value")
    }
  }

  private func comparison(
    of term: PredicateTerm, at column: Int, _ name: String,
    _ operand: (value: RecordValue?, values: [RecordValue]?), _ quantifier: Quantifier?,
    isFlipped: Bool, operatorColumn: Int
  ) throws(QueryPredicateError) -> PredicateNode {
    // A property is not the field that a query calls so.
    let fieldName = if case .field(let name) = term { name } else { "" }
    let filters = try filters(
      fieldName, name, operand, quantifier, isFlipped: isFlipped, at: operatorColumn)
    let parts = filters.map { PredicateNode.filter($0, term, column: column) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  /// The comparator of two terms, which CloudKit does not compare.
  private func comparatorOfPair(
    _ name: String, _ quantifier: Quantifier?, at column: Int
  ) throws(QueryPredicateError) -> QueryFilter.Comparator {
    guard hasAdditions else {
      throw QueryPredicateError(
        column, "CloudKit compares a field with a value, not with another field")
    }
    let comparators: [String: QueryFilter.Comparator] = [
      "=": .equals, "!=": .notEquals, "<": .lessThan, "<=": .lessThanOrEquals, ">": .greaterThan,
      ">=": .greaterThanOrEquals,
    ]
    guard quantifier == nil, let comparator = comparators[name] else {
      throw QueryPredicateError(
        column, "\(name) takes a field and a value; a text has quotation marks: 'text'")
    }
    return comparator
  }

  /// The term after `has`, and its column.
  mutating func termOfHas() throws(QueryPredicateError) -> (PredicateTerm, column: Int) {
    let token = current
    switch try operand() {
    case .term(.function, _), .value, .values, .record, .distance:
      throw QueryPredicateError(
        token.column, "has takes the name of a field, found \(token.description)")
    case .term(let term, let column): return (term, column)
    }
  }

  // MARK: Operands

  private mutating func operand() throws(QueryPredicateError) -> Operand {
    let token = current
    switch token.content {
    case .string(let text):
      advance()
      return .value(.string(text))
    case .number, .sign("-"): return .value(try number())
    case .argument("%K"):
      guard case .string(let name) = try nextArgument() else {
        throw QueryPredicateError(token.column, "%K takes the name of a field, a string")
      }
      return try field(name, at: token.column)
    case .argument(let text) where text.hasPrefix("#"):
      advance()
      return try field(String(text.dropFirst()), at: token.column)
    case .argument("%@"): return .value(try nextArgument())
    case .argument:
      let value = try nextArgument()
      switch value {
      case .int64, .double: return .value(value)
      default: throw QueryPredicateError(token.column, "\(token.description) takes a number")
      }
    case .sign("{"): return .values(try aggregate())
    case .word(let word): return try operand(word: word)
    case .function(let text):
      advance()
      return Self.location(text).map { .value(.location($0)) }
        ?? .term(.function(text, column: token.column), column: token.column)
    case .sign("("), .sign("["):
      throw failure("expected a field or a value, found \(token.description); a list is {1, 2}")
    default: throw failure("expected a field or a value, found \(token.description)")
    }
  }

  private mutating func operand(word: String) throws(QueryPredicateError) -> Operand {
    let column = current.column
    switch word.uppercased() {
    case "TRUE", "YES":
      advance()
      return .value(.int64(1))
    case "FALSE", "NO":
      advance()
      return .value(.int64(0))
    case "NIL", "NULL":
      throw failure(
        "CloudKit cannot compare with nil" + hasHint)
    case "SELF":
      advance()
      return .record
    case "DISTANCETOLOCATION": return try distance()
    default:
      advance()
      if current.isOne(of: ["."]) {
        throw failure("CloudKit has no key paths; query the other record by its own type")
      }
      return try field(word, at: column)
    }
  }

  /// The field of a name in a predicate; system fields have other names there than in a schema.
  private func field(_ name: String, at column: Int) throws(QueryPredicateError) -> Operand {
    if hasAdditions, let property = RecordProperty(inCondition: name) {
      return .term(.property(property), column: column)
    }
    guard !name.contains(".") else {
      throw QueryPredicateError(
        column, "CloudKit has no key paths; query the other record by its own type")
    }
    guard name != "parent" else {
      throw QueryPredicateError(
        column, "CloudKit cannot query 'parent'; save the reference in a field of its own, too")
    }
    return .term(.field(SystemField.schemaName(name)), column: column)
  }

  /// The location of `location(latitude, longitude)`; nil for another function.
  private static func location(_ text: String) -> Location? {
    guard let match = text.wholeMatch(of: /location\(\s*([-0-9.eE]+)\s*,\s*([-0-9.eE]+)\s*\)/),
      let latitude = Double(match.1), let longitude = Double(match.2),
      latitude.isFinite, longitude.isFinite
    else { return nil }
    return Location(latitude: latitude, longitude: longitude)
  }

  private mutating func number() throws(QueryPredicateError) -> RecordValue {
    let column = current.column
    let isNegative = take("-")
    guard case .number(let text) = current.content else {
      throw failure("expected a number, found \(current.description)")
    }
    advance()
    let signed = isNegative ? "-" + text : text
    if let integer = Int64(signed) { return .int64(integer) }
    guard let double = Double(signed), double.isFinite else {
      throw QueryPredicateError(column, "'\(signed)' is not a number")
    }
    return .double(double)
  }

  private mutating func aggregate() throws(QueryPredicateError) -> [RecordValue] {
    try enterOperand()
    defer { leaveOperand() }
    try expect("{")
    var values: [RecordValue] = []
    if take("}") { return values }
    repeat {
      guard case .value(let value) = try operand() else {
        throw failure("a list has values only")
      }
      values.append(value)
    } while take(",")
    try expect("}")
    return values
  }

  // MARK: Functions

  private mutating func distance() throws(QueryPredicateError) -> Operand {
    try enterOperand()
    defer { leaveOperand() }
    advance()
    try expect(":")
    guard case .word("fromLocation") = current.content else {
      throw failure("expected distanceToLocation:fromLocation:")
    }
    advance()
    try expect(":")
    try expect("(")
    let column = current.column
    let (first, _) = (try operand(), try expect(","))
    let second = try operand()
    try expect(")")
    switch (first, second) {
    case (.term(.field(let name), let place), .value(.location(let location))),
      (.value(.location(let location)), .term(.field(let name), let place)):
      return .distance(name, column: place, .location(location))
    default: throw QueryPredicateError(column, "the function takes a field and a location")
    }
  }

  private func near(
    _ field: String, _ location: RecordValue, _ name: String, _ value: RecordValue, at column: Int
  ) throws(QueryPredicateError) -> QueryFilter {
    guard name == "<" || name == "<=" else {
      throw QueryPredicateError(column, "a distance is less than a radius, with < or <=")
    }
    guard let radius = Double(recordValue: value), radius > 0 else {
      throw QueryPredicateError(column, "the radius of a distance is a number of metres above 0")
    }
    return QueryFilter(field, .near, location, distance: radius)
  }

  private func search(_ value: RecordValue, at column: Int) throws(QueryPredicateError)
    -> QueryFilter
  {
    guard case .string = value else {
      throw QueryPredicateError(column, "a text search takes a string")
    }
    return QueryFilter(QueryFilter.allText, .containsAllTokens, value)
  }

  /// `ALL tokenize(%@, 'Cdl') IN allTokens`
  private mutating func tokenized() throws(QueryPredicateError) -> QueryFilter {
    advance()
    try expect("(")
    let column = current.column
    guard case .value(let value) = try operand() else {
      throw QueryPredicateError(column, "a text search takes a string")
    }
    try expect(",")
    _ = try operand()
    try expect(")")
    try expect("IN")
    guard case .term(.field("allTokens"), _) = try operand() else {
      throw QueryPredicateError(column, "tokenize(…) is compared with IN allTokens")
    }
    return try search(value, at: column)
  }

  // MARK: Operators

  private static let operators: [(texts: [String], name: String)] = [
    (["=", "=="], "="), (["!=", "<>"], "!="), (["<"], "<"), (["<=", "=<"], "<="), ([">"], ">"),
    ([">=", "=>"], ">="), (["BETWEEN"], "BETWEEN"), (["IN"], "IN"), (["CONTAINS"], "CONTAINS"),
    (["BEGINSWITH"], "BEGINSWITH"), (["TOKENMATCHES"], "TOKENMATCHES"),
  ]

  private var isAtOperator: Bool {
    Self.operators.contains { current.isOne(of: $0.texts) } || current.isOne(of: Self.missing)
  }

  /// Whether the token after the current one is an operator: the current one is then a field.
  var isNextOperator: Bool {
    Self.operators.contains { isNext($0.texts) } || isNext(Self.missing)
  }

  /// The operators of other predicates.
  private static let missing = ["ENDSWITH", "LIKE", "MATCHES"]

  private var hasHint: String { hasAdditions ? "; write has FIELD, or NOT has FIELD" : "" }

  private mutating func takeOperator() throws(QueryPredicateError) -> String {
    for (texts, name) in Self.operators where current.isOne(of: texts) {
      advance()
      return name
    }
    if current.isOne(of: Self.missing) {
      throw failure(
        "CloudKit has no \(current.description); it has BEGINSWITH and text search"
          + (hasAdditions
            ? ", and a condition has contains(field, 'text') and ends(field, 'text')" : ""))
    }
    if current.isOne(of: ["IS"]) { throw failure("CloudKit has no 'IS'\(hasHint)") }
    throw failure("expected an operator, such as = or IN, found \(current.description)")
  }

  /// Makes whole numbers beside others DOUBLE values, which compare with both types.
  private static func withoutMixedNumbers(_ values: [RecordValue]) -> [RecordValue] {
    guard values.contains(where: { if case .double = $0 { true } else { false } }) else {
      return values
    }
    return values.map { value in
      guard case .int64(let number) = value, let double = Double(exactly: number) else {
        return value
      }
      return .double(double)
    }
  }

  private static func list(_ operand: Operand) -> (value: RecordValue?, values: [RecordValue]?) {
    switch operand {
    case .value(let value): (value, value.elements)
    case .values(let values): (nil, values)
    default: (nil, nil)
    }
  }

  private func filters(
    _ field: String, _ name: String, _ operand: (value: RecordValue?, values: [RecordValue]?),
    _ quantifier: Quantifier?, isFlipped: Bool, at column: Int
  ) throws(QueryPredicateError) -> [QueryFilter] {
    func one() throws(QueryPredicateError) -> RecordValue {
      guard let value = operand.value, operand.values == nil else {
        throw QueryPredicateError(column, "\(name) takes a single value here")
      }
      return value
    }
    /// A whole list is compared with a field that has lists, if it is an argument.
    func whole() throws(QueryPredicateError) -> RecordValue {
      guard let value = operand.value else { return try one() }
      return value
    }
    func several() throws(QueryPredicateError) -> RecordValue {
      guard let values = operand.values else {
        throw QueryPredicateError(column, "\(name) takes a list here")
      }
      let list = Self.withoutMixedNumbers(values).recordValue
      if case .unknown = list {
        throw QueryPredicateError(column, "the values of the list have different types")
      }
      return list
    }
    func filter(_ comparator: QueryFilter.Comparator, _ value: RecordValue) -> QueryFilter {
      QueryFilter(field, comparator, value)
    }
    switch (name, quantifier, isFlipped) {
    case ("=", nil, _): return [filter(.equals, try whole())]
    case ("!=", nil, _): return [filter(.notEquals, try whole())]
    case ("<", nil, false), (">", nil, true): return [filter(.lessThan, try one())]
    case ("<=", nil, false), (">=", nil, true): return [filter(.lessThanOrEquals, try one())]
    case (">", nil, false), ("<", nil, true): return [filter(.greaterThan, try one())]
    case (">=", nil, false), ("<=", nil, true): return [filter(.greaterThanOrEquals, try one())]
    case ("BETWEEN", nil, false):
      guard let bounds = operand.values, bounds.count == 2 else {
        throw QueryPredicateError(column, "BETWEEN takes a list of two values")
      }
      return [filter(.greaterThanOrEquals, bounds[0]), filter(.lessThanOrEquals, bounds[1])]
    case ("IN", nil, false): return [filter(.in, try several())]
    case ("BEGINSWITH", nil, false): return [filter(.beginsWith, try one())]
    case ("CONTAINS", nil, false), ("IN", nil, true), ("=", .any, _):
      return [filter(.listContains, try one())]
    case ("=", .no, _): return [filter(.notListContains, try one())]
    case ("IN", .any, _): return [filter(.listContainsAny, try several())]
    case ("IN", .no, _): return [filter(.notListContainsAny, try several())]
    case ("IN", .all, true): return [filter(.listContainsAll, try several())]
    case ("BEGINSWITH", .any, false): return [filter(.listMemberBeginsWith, try one())]
    case ("BEGINSWITH", .no, false):
      return [filter(.notListMemberBeginsWith, try one())]
    default:
      throw QueryPredicateError(
        column,
        "CloudKit has no \(name) " + (quantifier == nil ? "from a value to a field" : "here"))
    }
  }
}

extension PredicateNode {
  fileprivate static func text(_ filter: QueryFilter, column: Int) -> PredicateNode {
    .filter(filter, .field(QueryFilter.allText), column: column)
  }
}

extension QueryFilter {
  /// The field name of a text search in all fields of a record.
  public static let allText = "___allText"
}
