import RecordModel
import RecordSchema

/// Judges results by the target schema.
struct ResultCheck: Sendable {
  private let validator: RecordValidator

  init(_ schema: Schema) {
    validator = RecordValidator(schema)
  }

  /// What is wrong with a record; nil where it has the schema. Shares are the server's own.
  func problem(of record: ResultRecord, in database: DatabaseScope) -> String? {
    guard let problem = validator.problems(in: record, database: database).first else { return nil }
    return record.recordType.hasPrefix(SchemaNames.managedPrefix) ? nil : problem.message
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
