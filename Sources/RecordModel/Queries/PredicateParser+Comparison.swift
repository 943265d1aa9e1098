/// One comparison of a field and a value.
extension PredicateParser {
  private enum Quantifier {
    case any, all, no

    /// The place after it, for messages, and what it takes.
    var place: String {
      switch self {
      case .any: "after ANY, which takes FIELD = a, FIELD IN {a, b} or FIELD BEGINSWITH 'a'"
      case .no: "after NONE, which takes FIELD = a, FIELD IN {a, b} or FIELD BEGINSWITH 'a'"
      case .all: "after ALL, which takes {a, b} IN FIELD"
      }
    }
  }

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
    if case .term(let function, let place) = left, case .function = function, quantifier == nil,
      !isAtOperator
    {
      return .holds(function, column: place)
    }
    let operatorToken = current
    let sign = try takeOperator()
    if take("[") {
      let options = current
      advance()
      try expect("]")
      guard sign == .tokenMatches else {
        let remedy = hasAdditions ? "; write lower(field) = 'text'" : ""
        throw QueryPredicateError(
          options.column,
          "CloudKit compares exactly; it has no option \(options.description)\(remedy)")
      }
    }
    let right = try operand()
    switch (left, right) {
    case (.record, .value(let value)) where sign == .contains:
      return .text(try search(value, at: column), column: column)
    case (.term(let term, _), .value(let value)) where sign == .tokenMatches:
      guard term == .field("allTokens") else {
        throw QueryPredicateError(column, "TOKENMATCHES follows allTokens")
      }
      return .text(try search(value, at: column), column: column)
    case (.distance(let field, let place, let location), .value(let value)):
      let filter = try near(field, location, sign, value, at: operatorToken.column)
      return .filter(filter, .field(field), column: place)
    case (.term(let left, let leftColumn), .term(let right, let rightColumn)):
      let comparator = try comparatorOfPair(sign, quantifier, at: operatorToken.column)
      return .pair(
        left, leftColumn: leftColumn, comparator, right, rightColumn: rightColumn)
    case (.term(let term, let place), _):
      return try comparison(
        of: term, at: place, sign, Self.list(right), quantifier, isFlipped: false,
        operatorColumn: operatorToken.column)
    case (_, .term(let term, let place)):
      return try comparison(
        of: term, at: place, sign, Self.list(left), quantifier, isFlipped: true,
        operatorColumn: operatorToken.column)
    default:
      throw QueryPredicateError(column, "expected a comparison of a field with a value")
    }
  }

  private func comparison(
    of term: PredicateTerm, at column: Int, _ sign: Operator,
    _ operand: (value: RecordValue?, values: [RecordValue]?), _ quantifier: Quantifier?,
    isFlipped: Bool, operatorColumn: Int
  ) throws(QueryPredicateError) -> PredicateNode {
    // A property is not the field that a query calls so.
    let fieldName = if case .field(let name) = term { name } else { "" }
    let filters = try filters(
      fieldName, sign, operand, quantifier, isFlipped: isFlipped, at: operatorColumn)
    let parts = filters.map { PredicateNode.filter($0, term, column: column) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  /// The comparator of two terms, which CloudKit does not compare.
  private func comparatorOfPair(
    _ sign: Operator, _ quantifier: Quantifier?, at column: Int
  ) throws(QueryPredicateError) -> QueryFilter.Comparator {
    guard hasAdditions else {
      throw QueryPredicateError(
        column, "CloudKit compares a field with a value, not with another field")
    }
    guard quantifier == nil, let comparator = sign.comparator else {
      throw QueryPredicateError(
        column, "\(sign.rawValue) takes a field and a value; a text has quotation marks: 'text'")
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

  // MARK: Operators

  /// An operator under its name in messages.
  enum Operator: String, CaseIterable {
    case equal = "="
    case unequal = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between = "BETWEEN"
    case isIn = "IN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case tokenMatches = "TOKENMATCHES"

    /// The comparator of a term with a value or another term; nil for other operators.
    var comparator: QueryFilter.Comparator? {
      switch self {
      case .equal: .equals
      case .unequal: .notEquals
      case .less: .lessThan
      case .lessOrEqual: .lessThanOrEquals
      case .greater: .greaterThan
      case .greaterOrEqual: .greaterThanOrEquals
      case .between, .isIn, .contains, .beginsWith, .tokenMatches: nil
      }
    }

    var spellings: [String] { ConditionToken.spellings(of: rawValue) }
  }

  private var isAtOperator: Bool {
    Operator.allCases.contains { current.isOne(of: $0.spellings) }
      || current.isOne(of: Self.missing)
  }

  /// Whether the token after the current one is an operator: the current one is then a field.
  var isNextOperator: Bool {
    Operator.allCases.contains { isNext($0.spellings) } || isNext(Self.missing)
  }

  /// The operators of other predicates.
  private static let missing = ["ENDSWITH", "LIKE", "MATCHES"]

  var hasHint: String { hasAdditions ? "; write has FIELD, or NOT has FIELD" : "" }

  private mutating func takeOperator() throws(QueryPredicateError) -> Operator {
    for sign in Operator.allCases where take(sign.spellings) { return sign }
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
    _ field: String, _ sign: Operator, _ operand: (value: RecordValue?, values: [RecordValue]?),
    _ quantifier: Quantifier?, isFlipped: Bool, at column: Int
  ) throws(QueryPredicateError) -> [QueryFilter] {
    func one() throws(QueryPredicateError) -> RecordValue {
      guard let value = operand.value, operand.values == nil else {
        throw QueryPredicateError(column, "\(sign.rawValue) takes a single value here")
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
        throw QueryPredicateError(column, "\(sign.rawValue) takes a list here")
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
    if quantifier == nil, let comparator = sign.comparator {
      let value = sign == .equal || sign == .unequal ? try whole() : try one()
      return [filter(isFlipped ? comparator.flipped : comparator, value)]
    }
    switch (sign, quantifier, isFlipped) {
    case (.between, nil, false):
      guard let bounds = operand.values, bounds.count == 2 else {
        throw QueryPredicateError(column, "BETWEEN takes a list of two values")
      }
      return [filter(.greaterThanOrEquals, bounds[0]), filter(.lessThanOrEquals, bounds[1])]
    case (.isIn, nil, false): return [filter(.in, try several())]
    case (.beginsWith, nil, false): return [filter(.beginsWith, try one())]
    case (.contains, nil, false), (.isIn, nil, true), (.equal, .any, _):
      return [filter(.listContains, try one())]
    case (.equal, .no, _): return [filter(.notListContains, try one())]
    case (.isIn, .any, _): return [filter(.listContainsAny, try several())]
    case (.isIn, .no, _): return [filter(.notListContainsAny, try several())]
    case (.isIn, .all, true): return [filter(.listContainsAll, try several())]
    case (.beginsWith, .any, false): return [filter(.listMemberBeginsWith, try one())]
    case (.beginsWith, .no, false):
      return [filter(.notListMemberBeginsWith, try one())]
    default:
      throw QueryPredicateError(
        column,
        "CloudKit has no \(sign.rawValue) " + (quantifier?.place ?? "from a value to a field"))
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
