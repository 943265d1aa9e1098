/// One comparison of a field and a value.
extension PredicateParser {
  /// A side of a comparison.
  private enum Operand {
    case field(String)
    case value(RecordValue)
    /// `{a, b}`
    case values([RecordValue])
    /// `self`, which stands for all text of a record.
    case record
    /// `distanceToLocation:fromLocation:(field, location)`
    case distance(String, RecordValue)
  }

  private enum Quantifier { case any, all, no }

  mutating func comparison() throws(QueryPredicateError) -> [QueryFilter] {
    var quantifier: Quantifier?
    if take("ANY", "SOME") { quantifier = .any }
    if quantifier == nil, take("ALL") { quantifier = .all }
    if quantifier == nil, take("NONE") { quantifier = .no }
    let column = current.column
    if quantifier == .all, current.isOne(of: ["TOKENIZE"]) { return [try tokenized()] }
    let left = try operand()
    let operatorToken = current
    let name = try takeOperator()
    if take("[") {
      let options = current
      advance()
      try expect("]")
      guard name == "TOKENMATCHES" else {
        throw QueryPredicateError(
          options.column, "CloudKit compares exactly; it has no option \(options.description)")
      }
    }
    let right = try operand()
    switch (left, right) {
    case (.record, .value(let value)) where name == "CONTAINS":
      return [try search(value, at: column)]
    case (.field(let field), .value(let value)) where name == "TOKENMATCHES":
      guard field == "allTokens" else {
        throw QueryPredicateError(column, "TOKENMATCHES follows allTokens")
      }
      return [try search(value, at: column)]
    case (.distance(let field, let location), .value(let value)):
      return [try near(field, location, name, value, at: operatorToken.column)]
    case (.field, .field):
      throw QueryPredicateError(
        operatorToken.column, "CloudKit compares a field with a value, not with another field")
    case (.field(let field), _):
      return try filters(
        field, name, Self.list(right), quantifier, isFlipped: false, at: operatorToken.column)
    case (_, .field(let field)):
      return try filters(
        field, name, Self.list(left), quantifier, isFlipped: true, at: operatorToken.column)
    default:
      throw QueryPredicateError(column, "expected a comparison of a field with a value")
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
      throw failure("CloudKit cannot compare with nil")
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
    guard !name.contains(".") else {
      throw QueryPredicateError(
        column, "CloudKit has no key paths; query the other record by its own type")
    }
    guard name != "parent" else {
      throw QueryPredicateError(
        column, "CloudKit cannot query 'parent'; save the reference in a field of its own, too")
    }
    return .field(SystemField.schemaName(name))
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
    case (.field(let name), .value(.location(let location))),
      (.value(.location(let location)), .field(let name)):
      return .distance(name, .location(location))
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
    guard case .field("allTokens") = try operand() else {
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

  private mutating func takeOperator() throws(QueryPredicateError) -> String {
    for (texts, name) in Self.operators where current.isOne(of: texts) {
      advance()
      return name
    }
    if current.isOne(of: ["ENDSWITH", "LIKE", "MATCHES"]) {
      throw failure("CloudKit has no \(current.description); it has BEGINSWITH and text search")
    }
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

extension QueryFilter {
  /// The field name of a text search in all fields of a record.
  public static let allText = "___allText"
}
