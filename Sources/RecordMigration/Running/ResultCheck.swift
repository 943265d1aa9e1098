import RecordModel
import RecordSchema

/// Judges results by the target schema.
struct ResultCheck: Sendable {
  private let types: [String: [String: Schema.FieldType]]
  private let version: String

  init(_ schema: Schema, version: String) {
    self.version = version
    var types: [String: [String: Schema.FieldType]] = [:]
    for type in schema.recordTypes + [.builtInUsers] where types[type.name] == nil {
      types[type.name] = Dictionary(
        type.fields.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
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
      if !Self.fits(value, isEncrypted, defined) {
        return "field '\(name)' is \(isEncrypted ? "ENCRYPTED " : "")\(value.rawValue), and the "
          + "schema has it as \(defined)"
      }
      if isEncrypted, database == .public {
        return "field '\(name)' is encrypted, which no field of the public database can be"
      }
    }
    return nil
  }

  static func fits(_ value: ValueType, _ isEncrypted: Bool, _ type: Schema.FieldType) -> Bool {
    if value == .emptyList { return type.isList && type.isEncrypted == isEncrypted }
    guard type.isEncrypted == isEncrypted, type.isList == value.isList,
      let primitive = (value.elementType ?? value).primitive
    else { return false }
    return type.primitive == primitive
      || type.primitive == .number && (primitive == .int64 || primitive == .double)
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
