/// The sides of comparisons.
extension PredicateParser {
  /// A side of a comparison.
  enum Operand {
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

  mutating func operand() throws(QueryPredicateError) -> Operand {
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
    case .name(let name):
      advance()
      return try field(name, at: token.column)
    case .argument("%@"): return .value(try nextArgument())
    case .argument:
      let value = try nextArgument()
      switch value {
      case .int64, .double: return .value(value)
      default: throw QueryPredicateError(token.column, "\(token.description) takes a number")
      }
    case .sign("{"): return .values(try aggregate())
    case .word(let word): return try operand(word: word)
    case .sign("("), .sign("["):
      throw failure("expected a field or a value, found \(token.description); a list is {1, 2}")
    default: throw failure("expected a field or a value, found \(token.description)")
    }
  }

  private mutating func operand(word: String) throws(QueryPredicateError) -> Operand {
    let column = current.column
    if let function = try takeFunction() {
      return try Self.location(function.name, at: column).map { .value(.location($0)) }
        ?? .term(function, column: column)
    }
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
  private static func location(
    _ text: String, at column: Int
  ) throws(QueryPredicateError) -> Location? {
    guard let match = text.wholeMatch(of: /location\(\s*([-0-9.eE]+)\s*,\s*([-0-9.eE]+)\s*\)/),
      let latitude = Double(match.1), let longitude = Double(match.2),
      latitude.isFinite, longitude.isFinite
    else { return nil }
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
      throw QueryPredicateError(
        column,
        "found \(text), expected a latitude from -90 to 90 and a longitude from -180 to 180")
    }
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

  func near(
    _ field: String, _ location: RecordValue, _ sign: Operator, _ value: RecordValue, at column: Int
  ) throws(QueryPredicateError) -> QueryFilter {
    guard sign == .less || sign == .lessOrEqual else {
      throw QueryPredicateError(column, "a distance is less than a radius, with < or <=")
    }
    guard let radius = Double(recordValue: value), radius > 0 else {
      throw QueryPredicateError(column, "the radius of a distance is a number of metres above 0")
    }
    return QueryFilter(field, .near, location, distance: radius)
  }

  func search(_ value: RecordValue, at column: Int) throws(QueryPredicateError)
    -> QueryFilter
  {
    guard case .string(let text) = value else {
      throw QueryPredicateError(column, "a text search takes a string")
    }
    // No record would match, without a word.
    guard !hasAdditions || !TextTokens.words(of: text).isEmpty else {
      throw QueryPredicateError(column, "a text search takes a string with words, found '\(text)'")
    }
    return QueryFilter(QueryFilter.allText, .containsAllTokens, value)
  }

  /// `ALL tokenize(%@, 'Cdl') IN allTokens`
  mutating func tokenized() throws(QueryPredicateError) -> QueryFilter {
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
}
