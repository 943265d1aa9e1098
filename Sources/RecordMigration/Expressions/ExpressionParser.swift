import RecordModel
import RecordSchema

/// Parses an expression. Precedence from lowest: `or`, `and`, `not`, comparison, sum, product,
/// sign.
struct ExpressionParser {
  private let tokens: [ExpressionToken]
  private var position = 0
  private var depth = 0
  private var size = 0

  init(_ text: String) throws {
    guard text.utf8.count <= RecordExpression.maxLength else {
      throw MigrationError(
        .expression, 1, "the expression is longer than \(RecordExpression.maxLength) bytes")
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

  private func error(_ message: String) -> MigrationError {
    MigrationError(.expression, current.column, message)
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
      return .form(.list, try arguments(until: "]"), column: token.column)
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
    switch name {
    case "true": return .constant(.bool(true))
    case "false": return .constant(.bool(false))
    case "null": return .constant(.null)
    case "and", "or", "not":
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

/// A token of an expression.
struct ExpressionToken: Equatable {
  enum Kind: Equatable {
    /// Without its sign: the least INT64 has no positive counterpart.
    case integer(UInt64)
    case double(Double)
    case string(String)
    case name(String)
    /// An operator, bracket or comma.
    case mark(String)
    case end
  }

  let kind: Kind
  /// The column of the first character, from 1.
  let column: Int

  /// The token as shown in messages.
  var description: String {
    switch kind {
    case .integer(let number): "'\(number)'"
    case .double(let number): "'\(number)'"
    case .string: "a string"
    case .name(let name): "'\(name)'"
    case .mark(let mark): "'\(mark)'"
    case .end: "the end"
    }
  }
}

/// Splits the text of an expression into tokens.
struct ExpressionLexer {
  /// One character for each Unicode scalar: a quotation mark may precede a combining mark.
  private let characters: [Character]
  private var position = 0

  init(_ text: String) {
    characters = text.unicodeScalars.map(Character.init)
  }

  static func tokens(of text: String) throws -> [ExpressionToken] {
    var lexer = ExpressionLexer(text)
    var tokens: [ExpressionToken] = []
    while true {
      let token = try lexer.next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  private var current: Character? {
    position < characters.count ? characters[position] : nil
  }

  private mutating func next() throws -> ExpressionToken {
    while let space = current, space.isWhitespace { position += 1 }
    let column = position + 1
    guard let first = current else { return ExpressionToken(kind: .end, column: column) }
    if first.isASCIIDigit { return ExpressionToken(kind: try number(column), column: column) }
    if first.isASCIILetter || first == "_" {
      let name = take { $0.isASCIILetter || $0.isASCIIDigit || $0 == "_" }
      return ExpressionToken(kind: .name(name), column: column)
    }
    if first == "'" || first == "\"" {
      return ExpressionToken(kind: .string(try string(first, column)), column: column)
    }
    return ExpressionToken(kind: .mark(try mark(first, column)), column: column)
  }

  private mutating func take(while isIncluded: (Character) -> Bool) -> String {
    let start = position
    while let next = current, isIncluded(next) { position += 1 }
    return String(characters[start..<position])
  }

  private mutating func number(_ column: Int) throws -> ExpressionToken.Kind {
    var text = digits()
    var isDouble = false
    if current == ".", position + 1 < characters.count, characters[position + 1].isASCIIDigit {
      isDouble = true
      position += 1
      text += "." + digits()
    }
    if current == "e" || current == "E" {
      isDouble = true
      position += 1
      text += "e"
      if let sign = current, sign == "+" || sign == "-" {
        text.append(sign)
        position += 1
      }
      text += digits()
    }
    if !isDouble {
      guard let value = UInt64(text), value <= Int64.min.magnitude else {
        throw MigrationError(.expression, column, "the number exceeds 64 bits")
      }
      return .integer(value)
    }
    guard let value = Double(text), value.isFinite else {
      throw MigrationError(.expression, column, "'\(text)' is not a number")
    }
    return .double(value)
  }

  private mutating func digits() -> String { take(while: \.isASCIIDigit) }

  private mutating func string(_ quote: Character, _ column: Int) throws -> String {
    position += 1
    var text = ""
    while let next = current {
      position += 1
      if next == quote { return text }
      guard next == "\\" else {
        text.append(next)
        continue
      }
      guard let escaped = current else { break }
      position += 1
      switch escaped {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "\\", "'", "\"": text.append(escaped)
      default:
        throw MigrationError(
          .expression, position - 1,
          "'\\\(escaped)' is not an escape sequence; use one of \\n \\t \\\\ \\' \\\"")
      }
    }
    throw MigrationError(.expression, column, "the string has no closing \(quote)")
  }

  private mutating func mark(_ first: Character, _ column: Int) throws -> String {
    let second = position + 1 < characters.count ? String(characters[position + 1]) : ""
    if ["==", "!=", "<=", ">="].contains(String(first) + second) {
      position += 2
      return String(first) + second
    }
    guard "+-*/%<>()[],".contains(first) else {
      var message = "'\(first)' is unexpected"
      switch first {
      case "=": message = "for a comparison, write '=='"
      case "&": message = "write 'and' for '&&'"
      case "|": message = "write 'or' for '||'"
      case "!": message = "write 'not' for '!'"
      default: break
      }
      throw MigrationError(.expression, column, message)
    }
    position += 1
    return String(first)
  }
}

extension Character {
  var isASCIIDigit: Bool { ("0"..."9").contains(self) }
  var isASCIILetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
}
