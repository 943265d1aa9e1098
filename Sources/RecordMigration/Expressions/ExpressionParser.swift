import RecordModel
import RecordSchema

/// Parses an expression. Precedence from lowest: `or`, `and`, `not`, comparison, sum, product,
/// sign.
struct ExpressionParser {
  private let tokens: [ConditionToken]
  private var position = 0
  private var depth = 0
  private var size = 0

  /// - Parameter tokens: The tokens. The last token is the end.
  init(_ tokens: [ConditionToken]) { self.tokens = tokens }

  mutating func parse() throws -> ExpressionNode {
    let node = try or()
    guard current.content == .end else {
      throw error("\(current.description) is unexpected after the end of the expression")
    }
    return node
  }

  private var current: ConditionToken { tokens[position] }

  private func error(_ message: String) -> MigrationError {
    MigrationError(.expression, current.column, message)
  }

  private mutating func take(_ sign: String) -> Bool {
    guard current.content == .sign(sign) else { return false }
    position += 1
    return true
  }

  /// Takes one of several operators, which are marks or words.
  private mutating func take(
    _ operators: [ExpressionNode.BinaryOperator]
  ) -> (sign: ExpressionNode.BinaryOperator, column: Int)? {
    let token = current
    guard let sign = operators.first(where: { token.isOne(of: $0.spellings) }) else { return nil }
    position += 1
    return (sign, token.column)
  }

  private mutating func nested<R>(_ body: (inout Self) throws -> R) throws -> R {
    depth += 1
    guard depth <= RecordExpression.maxDepth else {
      throw error("the expression is nested deeper than \(RecordExpression.maxDepth) levels")
    }
    try grow()
    defer { depth -= 1 }
    return try body(&self)
  }

  private mutating func grow() throws {
    size += 1
    guard size <= RecordExpression.maxSize else {
      throw error(
        "the expression has more than \(RecordExpression.maxSize) operators and operands")
    }
  }

  private mutating func or() throws -> ExpressionNode {
    try nested { parser in
      try parser.chain([.or]) { try $0.chain([.and]) { try $0.not() } }
    }
  }

  /// Parses operands of the next level, joined by operators of equal precedence. Chains such as
  /// `a + a + …` make the tree deeper on the left, so each operand counts toward the maximum size.
  private mutating func chain(
    _ operators: [ExpressionNode.BinaryOperator],
    _ operand: (inout Self) throws -> ExpressionNode
  ) throws -> ExpressionNode {
    var left = try operand(&self)
    while let (sign, column) = take(operators) {
      try grow()
      left = .binary(sign, left, try operand(&self), column: column)
    }
    return left
  }

  private mutating func not() throws -> ExpressionNode {
    let column = current.column
    guard current.isOne(of: ConditionToken.not) else { return try comparison() }
    position += 1
    return .not(try nested { try $0.not() }, column: column)
  }

  private mutating func comparison() throws -> ExpressionNode {
    let left = try sum()
    let signs: [ExpressionNode.BinaryOperator] = [
      .equal, .unequal, .lessOrEqual, .greaterOrEqual, .less, .greater,
    ]
    guard let (sign, column) = take(signs) else { return left }
    return .binary(sign, left, try sum(), column: column)
  }

  private mutating func sum() throws -> ExpressionNode {
    try chain([.plus, .minus]) { parser in
      try parser.chain([.times, .divide, .remainder]) { try $0.sign() }
    }
  }

  private mutating func sign() throws -> ExpressionNode {
    let column = current.column
    guard take("-") else { return try primary() }
    if case .number(let text) = current.content, Int64("-" + text) == .min {
      position += 1
      return .constant(.value(.int64(.min)))
    }
    return .negate(try nested { try $0.sign() }, column: column)
  }

  private mutating func primary() throws -> ExpressionNode {
    let token = current
    switch token.content {
    case .number(let text):
      let number = try number(text)
      position += 1
      return .constant(.value(number))
    case .string(let text):
      position += 1
      return .constant(.value(.string(text)))
    case .sign("("):
      position += 1
      let inner = try or()
      guard take(")") else { throw error("\(current.description) was found instead of ')'") }
      return inner
    case .sign("["):
      position += 1
      return .form(.list, try arguments(until: "]"), column: token.column)
    case .name(let name):
      position += 1
      return .field(name)
    case .word(let name):
      position += 1
      return try named(name, token)
    case .sign, .argument, .end:
      throw error(
        "\(token.description) was found instead of a value: a field, a number, a 'string', a "
          + "function")
    }
  }

  private func number(_ text: String) throws -> RecordValue {
    if text.allSatisfy(\.isASCIIDigit) {
      guard let number = Int64(text) else { throw error("the number exceeds 64 bits") }
      return .int64(number)
    }
    guard let number = Double(text), number.isFinite else {
      throw error("'\(text)' is not a number")
    }
    return .double(number)
  }

  private mutating func named(_ name: String, _ token: ConditionToken) throws -> ExpressionNode {
    if take("(") {
      let form = ExpressionNode.Form(rawValue: name)
      let function = ExpressionFunction.all.first { $0.name == name }
      guard let arity = form?.arity ?? function?.arity else {
        let known =
          ExpressionNode.Form.allCases.map(\.rawValue) + ExpressionFunction.all.map(\.name)
        throw MigrationError(
          .expression, token.column,
          "there is no function '\(name)'" + NearNames.advice(name, among: known))
      }
      let operands = try arguments(until: ")")
      guard arity.contains(operands.count) else {
        let (low, high) = (arity.lowerBound, arity.upperBound)
        let usage = low == high ? Phrase.count(low, "argument") : "\(low) to \(high) arguments"
        throw MigrationError(
          .expression, token.column,
          "\(name) requires \(usage), but \(operands.count) were given")
      }
      if let function { return .call(function, operands, column: token.column) }
      guard let form, form != .field else { return try quotedField(operands, token.column) }
      return .form(form, operands, column: token.column)
    }
    switch name.uppercased() {
    case "TRUE": return .constant(.bool(true))
    case "FALSE": return .constant(.bool(false))
    case "NULL": return .constant(.null)
    case "AND", "OR", "NOT":
      throw MigrationError(.expression, token.column, "'\(name)' was found instead of a value")
    default: return ExpressionNode.SystemName(rawValue: name).map { .system($0) } ?? .field(name)
    }
  }

  /// Returns the field of `field('name')`.
  private func quotedField(_ operands: [ExpressionNode], _ column: Int) throws -> ExpressionNode {
    guard case .constant(.value(.string(let name)))? = operands.first else {
      throw MigrationError(.expression, column, "field requires a quoted name: field('name')")
    }
    return .field(name)
  }

  private mutating func arguments(until end: String) throws -> [ExpressionNode] {
    if take(end) { return [] }
    var list: [ExpressionNode] = []
    repeat { list.append(try or()) } while take(",")
    guard take(end) else {
      throw error("\(current.description) was found instead of ',' or '\(end)'")
    }
    return list
  }
}

extension ExpressionNode.BinaryOperator {
  /// The words and signs for it, as in a condition.
  fileprivate var spellings: [String] {
    switch self {
    case .or: ConditionToken.or
    case .and: ConditionToken.and
    default: ConditionToken.spellings(of: rawValue)
    }
  }
}

extension Character {
  var isASCIIDigit: Bool { ("0"..."9").contains(self) }
  var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
}
