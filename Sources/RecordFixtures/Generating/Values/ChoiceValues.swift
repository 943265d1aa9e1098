import RecordCoding
import RecordMigration
import RecordModel
import RecordSchema

/// Always the same value, or one of several.
struct ChoiceValues: GeneratedValues {
  /// A value and its weight.
  struct Choice: Sendable {
    var value: RecordValue
    var weight = 1.0
  }

  private var choices: [Choice]
  private var isConstant: Bool

  /// Always the same value.
  init(_ constant: RecordValue) { (choices, isConstant) = ([.init(value: constant)], true) }
  init(_ choices: [Choice]) { (self.choices, isConstant) = (choices, false) }
  init(words: String...) { self.init(words.map { .init(value: .string($0)) }) }

  static let noun = "other values"
  static let sources = [
    ValueSource("value") { node, _ in ChoiceValues(try constant(node)) },
    ValueSource("choice") { node, _ in
      let choices =
        try node.node.mapping != nil
        ? node.members("choice").pairs.map {
          Choice(value: try constant($0), weight: try $1.weight())
        }
        : node.elements("choice").map { Choice(value: try constant($0)) }
      guard choices.contains(where: { $0.weight > 0 }) else {
        throw node.error("choice: there is nothing to choose from")
      }
      guard choices.count <= 10_000 else { throw node.error("choice: there are more than 10000") }
      return ChoiceValues(choices)
    },
  ]

  /// Reads text, a number, or true and false, which are stored as 1 and 0.
  private static func constant(_ node: YAMLNode) throws -> RecordValue {
    guard let scalar = node.node.scalar else {
      throw node.error("a value is text or a number, not \(node.kind)")
    }
    guard !node.isNull else {
      throw node.error("null is no value; for no value, write none; for text, use quotes")
    }
    guard scalar.style == .plain else { return .string(scalar.string) }
    switch scalar.string {
    case "true": return .int64(1)
    case "false": return .int64(0)
    default: break
    }
    if let number = Int64(scalar.string) { return .int64(number) }
    if let number = YAMLNode.decimal(scalar.string) { return .double(number) }
    return .string(scalar.string)
  }

  var members: [(name: String, text: String)] {
    if isConstant { return [("value", Self.yaml(choices[0].value))] }
    return choices.allSatisfy { $0.weight == 1 }
      ? [("choice", "[" + choices.map { Self.yaml($0.value) }.joined(separator: ", ") + "]")]
      : [
        (
          "choice",
          "{"
            + choices.map { "\(Self.yaml($0.value)): \(CountRule.text($0.weight))" }
            .joined(separator: ", ") + "}"
        )
      ]
  }

  private static func yaml(_ value: RecordValue) -> String {
    switch value {
    case .int64(let number): "\(number)"
    case .double(let number): CanonicalNumber.text(of: number) ?? "0"
    case .string(let text): PlanText.string(text)
    default: "''"
    }
  }

  func suits(_ type: CloudSchema.FieldType) -> Bool { true }

  func adapted(to type: CloudSchema.FieldType) throws -> any GeneratedValues {
    var copy = self
    copy.choices = try choices.map {
      .init(value: try Self.converted($0.value, to: type), weight: $0.weight)
    }
    return copy
  }

  private static func converted(
    _ value: RecordValue, to type: CloudSchema.FieldType
  ) throws -> RecordValue {
    let wanted = type.valueType
    switch (wanted.elementType ?? wanted, value) {
    case (.string, .string), (.int64, .int64), (.double, .double): return value
    case (.string, .int64(let number)): return .string("\(number)")
    case (.string, .double(let number)): return .string(CanonicalNumber.text(of: number) ?? "")
    case (.double, .int64(let number)): return .double(Double(number))
    case (.timestamp, .string(let text)):
      if let date = ISODate.date(from: text) { return .timestamp(date) }
    default: break
    }
    throw FieldMismatch(
      member: "value", message: "is \(type), which cannot have this constant value")
  }

  var roughSize: Int { choices.map(\.value.approximateSize).max() ?? 0 }

  func generator(_ scope: GeneratorScope) -> ValueGenerator? {
    let values = choices.map { choice in
      let buffer = ByteBuffer(capacity: 64)
      switch choice.value {
      case .string(let text): buffer.appendJSONString(text)
      case .int64(let number): buffer.appendInteger(number)
      case .double(let number): _ = CanonicalNumber.append(number, to: buffer)
      case .timestamp(let date): _ = CanonicalDate.append(date, to: buffer)
      default: buffer.append("\"\"")
      }
      return Array(buffer.bytes)
    }
    let table = values.count > 1 ? CumulativeTable(choices.map(\.weight)) : nil
    return ValueGenerator { context, buffer in
      buffer.append(values[table?.sample(&context.random) ?? 0])
      return true
    }
  }

  func isLike(_ text: String) -> Bool {
    guard isConstant else { return text.unicodeScalars.count <= 20 && !text.contains(" ") }
    // JSON of any length becomes the shortest.
    if choices[0].value == .string("{}") { return text.hasPrefix("{") || text.hasPrefix("[") }
    return choices[0].value == .string(text)
  }
}

/// Values that an expression of migration plans calculates from the record's other fields.
struct CalculatedValues: GeneratedValues {
  let expression: RecordExpression

  static let noun = "a single value that is no file and no reference"
  static let sources = [
    ValueSource("expression") { node, _ in
      CalculatedValues(expression: try node.expression("expression"))
    }
  ]

  var members: [(name: String, text: String)] {
    [("expression", PlanText.string(expression.source))]
  }

  func suits(_ type: CloudSchema.FieldType) -> Bool {
    !type.isList && type.primitive != .asset && type.primitive != .reference
  }

  /// The values are calculated when the other fields are made: see `RecordFinisher`.
  func generator(_ scope: GeneratorScope) -> ValueGenerator? { nil }
}
