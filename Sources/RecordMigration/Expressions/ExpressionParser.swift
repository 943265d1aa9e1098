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

  private mutating func take(word: String) -> Bool {
    guard current.kind == .name(word) else { return false }
    position += 1
    return true
  }

  private mutating func nested<R>(_ body: (inout Self) throws -> R) throws -> R {
    depth += 1
    size += 1
    guard depth <= RecordExpression.maxDepth else {
      throw error("the expression is nested deeper than \(RecordExpression.maxDepth) levels")
    }
    guard size <= RecordExpression.maxSize else {
      throw error("the expression has more than \(RecordExpression.maxSize) operators and operands")
    }
    defer { depth -= 1 }
    return try body(&self)
  }

  private mutating func or() throws -> ExpressionNode {
    try nested { parser in
      var left = try parser.and()
      while case let column = parser.current.column, parser.take(word: "or") {
        left = .binary(.or, left, try parser.grown { try $0.and() }, column: column)
      }
      return left
    }
  }

  private mutating func and() throws -> ExpressionNode {
    var left = try not()
    while case let column = current.column, take(word: "and") {
      left = .binary(.and, left, try grown { try $0.not() }, column: column)
    }
    return left
  }

  private mutating func not() throws -> ExpressionNode {
    let column = current.column
    guard take(word: "not") else { return try comparison() }
    return .not(try nested { try $0.not() }, column: column)
  }

  private mutating func comparison() throws -> ExpressionNode {
    let left = try sum()
    for mark in ["==", "!=", "<=", ">=", "<", ">"] {
      let column = current.column
      guard take(mark), let sign = ExpressionNode.BinaryOperator(rawValue: mark) else { continue }
      return .binary(sign, left, try sum(), column: column)
    }
    return left
  }

  private mutating func sum() throws -> ExpressionNode {
    var left = try product()
    while case .mark(let mark) = current.kind, mark == "+" || mark == "-" {
      let column = current.column
      position += 1
      left = .binary(
        mark == "+" ? .plus : .minus, left, try grown { try $0.product() }, column: column)
    }
    return left
  }

  private mutating func product() throws -> ExpressionNode {
    var left = try sign()
    while case .mark(let mark) = current.kind, let sign = ["*", "/", "%"].firstIndex(of: mark) {
      let column = current.column
      position += 1
      left = .binary(
        [.times, .divide, .remainder][sign], left, try grown { try $0.sign() }, column: column)
    }
    return left
  }

  /// Parses the right operand of a chain. Chains such as `a + a + …` make the tree deeper on the
  /// left, so each operand counts toward the maximum size.
  private mutating func grown(
    _ body: (inout Self) throws -> ExpressionNode
  ) throws -> ExpressionNode {
    size += 1
    guard size <= RecordExpression.maxSize else {
      throw error("the expression has more than \(RecordExpression.maxSize) operators and operands")
    }
    return try body(&self)
  }

  private mutating func sign() throws -> ExpressionNode {
    let column = current.column
    guard take("-") else { return try primary() }
    return .negate(try nested { try $0.sign() }, column: column)
  }

  private mutating func primary() throws -> ExpressionNode {
    let token = current
    switch token.kind {
    case .integer(let number):
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
