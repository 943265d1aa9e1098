import RecordCoding
import RecordMigration
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
  /// The number of types above.
  var depth = 0

  init(_ rule: TypeRule) {
    self.rule = rule
    counts = CountSampler(rule.count)
  }

  var name: String { rule.name }
  var isUsers: Bool { rule.name.sameScalars(as: SchemaNames.usersType) }

  /// About the greatest size that a record's text may have, in bytes.
  var maxText: Int { fields.reduce(1024) { $0 + $1.maxText } }
}

/// A field of a recipe, checked against the schema.
struct FieldPlan: Sendable {
  let name: String
  let type: CloudSchema.FieldType
  let rule: FieldRule
  let key: UInt64
  /// The greatest size of the name and a value, in bytes, as CloudKit counts them.
  let maxSize: Int
  /// The files of the field, where it has assets.
  var assets: AssetPlan?
  /// The bytes before the value in a record's JSON.
  let opening: [UInt8]

  init(_ field: CloudSchema.Field, _ rule: FieldRule, maxSize: Int) {
    name = field.name
    type = field.type
    self.rule = rule
    self.maxSize = maxSize
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

  /// About the greatest size of the text of a value: in base64 or escaped, with braces and quotes.
  var maxText: Int { 2 * maxSize + 200 * (rule.length?.bounds.upperBound ?? 1) }
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
