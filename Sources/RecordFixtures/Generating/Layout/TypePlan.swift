import RecordCoding
import RecordModel
import RecordSchema

/// A record type of a recipe, checked against the schema.
struct TypePlan: Sendable {
  let rule: TypeRule
  /// The numbers of records of each parent or zone.
  let counts: CountSampler
  /// The fields with values, in the order of a record, without those that are calculated.
  var fields: [FieldPlan] = []
  /// The fields that expressions calculate.
  var calculated: [FieldPlan] = []
  /// The text before the number in the records' names.
  var namePrefix = ""
  /// The text before the number of a record in the name of its share.
  var sharePrefix: String { "share-" + namePrefix }
  /// The number of types above.
  var depth = 0

  init(_ rule: TypeRule) {
    self.rule = rule
    counts = CountSampler(rule.count)
  }

  var name: String { rule.name }
  var isUsers: Bool { rule.name.sameScalars(as: SchemaNames.usersType) }

  /// The greatest size that a record's text may have, more or less.
  var roughSize: Int { fields.reduce(1024) { $0 + $1.roughSize } }
}

/// A field of a recipe, checked against the schema.
struct FieldPlan: Sendable {
  let name: String
  let type: CloudSchema.FieldType
  let rule: FieldRule
  let key: UInt64
  let kind: any GeneratedValues
  /// The files of the field, where it has assets.
  var assets: AssetPlan?
  /// The text before the value in a record's JSON.
  let opening: [UInt8]

  init(_ field: CloudSchema.Field, _ rule: FieldRule, _ kind: any GeneratedValues) {
    name = field.name
    type = field.type
    self.rule = rule
    self.kind = kind
    key = GeneratorKey.key(0, "field", field.name)
    let buffer = ByteBuffer(capacity: 128)
    buffer.appendJSONString(field.name)
    buffer.append(":{\"type\":\"")
    buffer.append(text: field.type.valueType.rawValue)
    buffer.append("\"")
    if field.type.isEncrypted { buffer.append(",\"isEncrypted\":true") }
    buffer.append(",\"value\":")
    opening = Array(buffer.bytes)
  }

  /// The greatest size of the text of the name and a value, more or less.
  var roughSize: Int {
    let count = min(rule.length?.bounds.upperBound ?? 1, RecordLimits.cloudKit.recordSize)
    let size = count.multipliedReportingOverflow(by: 2 * kind.roughSize + 100)
    return size.overflow ? ValueGenerator.largest : min(ValueGenerator.largest, size.partialValue)
  }
}

extension CloudSchema.FieldType {
  /// The type of the values that are made for a field.
  var valueType: ValueType {
    let single: ValueType =
      switch primitive {
      case .asset: .asset
      case .bytes: .bytes
      case .double: .double
      case .int64: .int64
      case .number: numberPreference == .double ? .double : .int64
      case .location: .location
      case .reference: .reference
      case .string: .string
      case .timestamp: .timestamp
      }
    return isList ? single.listType ?? single : single
  }

  /// Whether integers are written as doubles.
  var isDouble: Bool {
    primitive == .double || primitive == .number && numberPreference == .double
  }
}
