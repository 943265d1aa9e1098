import RecordModel
import RecordSchema

/// Judges results by the target schema.
struct ResultCheck: Sendable {
  /// What a field of the schema takes.
  private struct Expected: Sendable {
    let type: Schema.FieldType
    /// The type of its values; nil for `NUMBER`.
    let valueType: ValueType?

    init(_ type: Schema.FieldType) {
      self.type = type
      valueType = ValueType(type)
    }

    func takes(_ value: ValueType, _ isEncrypted: Bool) -> Bool {
      guard type.isEncrypted == isEncrypted else { return false }
      if value == valueType { return true }
      if value == .emptyList { return type.isList }
      guard valueType == nil else { return false }
      let element = value.elementType ?? value
      return type.isList == value.isList && (element == .int64 || element == .double)
    }
  }

  private let types: [String: [String: Expected]]

  init(_ schema: Schema) {
    var types: [String: [String: Expected]] = [:]
    for type in schema.recordTypes + [.builtInUsers] where types[type.name] == nil {
      types[type.name] = Dictionary(
        type.fields.map { ($0.name, Expected($0.type)) }, uniquingKeysWith: { first, _ in first })
    }
    self.types = types
  }

  /// What is wrong with a record; nil where it has the schema. Shares are the server's own.
  func problem(of record: ResultRecord, in database: DatabaseScope) -> String? {
    let storage = record.storage
    let type = storage.recordType
    guard let fields = types[type] else {
      if type.hasPrefix(SchemaNames.managedPrefix) { return nil }
      return "it has no record type '\(type)'" + NearWord.hint(type, among: types.keys)
    }
    for index in 0..<storage.fieldCount {
      let name = storage.name(at: index).string
      guard let defined = fields[name] else {
        return "'\(type)' has no field '\(name)' in it" + NearWord.hint(name, among: fields.keys)
      }
      let isEncrypted = storage.isEncrypted(at: index)
      guard let value = storage.valueType(at: index) else {
        return "field '\(name)' has a value of an unknown type"
      }
      if !defined.takes(value, isEncrypted) {
        return "field '\(name)' is \(isEncrypted ? "ENCRYPTED " : "")\(value.rawValue), and the "
          + "schema has it as \(defined.type)"
      }
      if isEncrypted, database == .public {
        return "field '\(name)' is encrypted, which no field of the public database can be"
      }
    }
    return nil
  }
}

extension ValueType {
  /// The type as a schema names it; nil for lists.
  var primitive: Schema.Primitive? { Schema.Primitive(rawValue: rawValue) }

  /// The value type of fields of a schema's type; nil for `NUMBER`, which is one of two.
  init?(_ type: Schema.FieldType) {
    guard let single = ValueType(rawValue: type.primitive.rawValue),
      let value = type.isList ? single.listType : single
    else { return nil }
    self = value
  }
}
