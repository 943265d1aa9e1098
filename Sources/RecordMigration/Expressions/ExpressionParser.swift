import RecordModel

/// Parses an expression. Precedence from lowest: `or`, `and`, `not`, comparison, sum, product,
/// sign.
struct ExpressionParser {
  private let tokens: [ExpressionToken]
  private var position = 0
  private var depth = 0
  private var size = 0

  init(_ text: String) throws {
    guard text.utf8.count <= RecordExpression.maxLength else {
      throw ExpressionError(1, "the expression is longer than \(RecordExpression.maxLength) bytes")
    }
    tokens = try ExpressionLexer.tokens(of: text)
  }

  mutating func parse() throws -> ExpressionNode {
    let node = try or()
    guard current.kind == .end else {
      throw error("\(current.description) is unexpected after the end of the expression")
    }
    return node
  }

  private var current: ExpressionToken { tokens[position] }

  private func error(_ message: String) -> ExpressionError {
    ExpressionError(current.column, message)
  }

  private mutating func take(_ mark: String) -> Bool {
    guard current.kind == .mark(mark) else { return false }
    position += 1
    return true
  }

  /// Takes one of several operators, which are marks or words.
  private mutating func take(
    _ operators: [ExpressionNode.BinaryOperator]
  ) -> (sign: ExpressionNode.BinaryOperator, column: Int)? {
    let token = current
    let sign = operators.first {
      token.kind == .mark($0.rawValue) || token.kind == .name($0.rawValue)
    }
    guard let sign else { return nil }
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
    guard current.kind == .name("not") else { return try comparison() }
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
    if current.kind == .integer(Int64.min.magnitude) {
      position += 1
      return .constant(.value(.int64(.min)))
    }
    return .negate(try nested { try $0.sign() }, column: column)
  }

  private mutating func primary() throws -> ExpressionNode {
    let token = current
    switch token.kind {
    case .integer(let magnitude):
      guard let number = Int64(exactly: magnitude) else {
        throw error("the number exceeds 64 bits")
      }
      position += 1
      return .constant(.value(.int64(number)))
    case .double(let number):
      position += 1
      return .constant(.value(.double(number)))
    case .string(let text):
      position += 1
      return .constant(.value(.string(text)))
    case .mark("("):
      position += 1
      let inner = try or()
      guard take(")") else { throw error("\(current.description) was found instead of ')'") }
      return inner
    case .mark("["):
      position += 1
      return .call(.list, try arguments(until: "]"), column: token.column)
    case .name(let name):
      position += 1
      return try named(name, token)
    case .mark, .end:
      throw error(
        "\(token.description) was found instead of a value: a field, a number, a 'string', a "
          + "function")
    }
  }

  private mutating func named(_ name: String, _ token: ExpressionToken) throws -> ExpressionNode {
    if take("(") {
      guard let function = ExpressionFunction(rawValue: name) else {
        let known = ExpressionFunction.allCases.map(\.rawValue)
        throw ExpressionError(
          token.column, "there is no function '\(name)'" + NearWord.advice(name, among: known))
      }
      let operands = try arguments(until: ")")
      guard function.arity.contains(operands.count) else {
        throw ExpressionError(
          token.column, "\(name) requires \(function.usage), but \(operands.count) were given")
      }
      return try resolve(function, operands, token.column)
    }
    switch name {
    case "true": return .constant(.bool(true))
    case "false": return .constant(.bool(false))
    case "null": return .constant(.null)
    case "and", "or", "not":
      throw ExpressionError(token.column, "'\(name)' was found instead of a value")
    default: return ExpressionNode.SystemName(rawValue: name).map { .system($0) } ?? .field(name)
    }
  }

  /// Resolves `field('name')` to a field, and other functions to a call.
  private func resolve(
    _ function: ExpressionFunction, _ operands: [ExpressionNode], _ column: Int
  ) throws -> ExpressionNode {
    guard function == .field else { return .call(function, operands, column: column) }
    guard case .constant(.value(.string(let name)))? = operands.first else {
      throw ExpressionError(column, "field requires a quoted name: field('name')")
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
