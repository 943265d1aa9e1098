import RecordCoding
import RecordModel
import RecordSchema

/// A schema that records are checked against, of the source or the target.
struct SchemaCheck: Sendable {
  let validator: RecordValidator
  /// The fields of each type, in the order of fields in a record.
  let types: [String: Fields]

  /// The fields of one type that have exactly one kind of value.
  final class Fields: Sendable {
    let recordType: String
    let names: [String]
    let kinds: [ValueKind]

    init(_ type: CloudSchema.RecordType) {
      let fields = type.userFields.sorted { compareUTF8($0.name, $1.name) < 0 }
        .compactMap { field in
          ValueType(field.type).map {
            (name: field.name, kind: ValueKind($0, isEncrypted: field.type.isEncrypted))
          }
        }
      recordType = type.name
      names = fields.map(\.name)
      kinds = fields.map(\.kind)
    }
  }

  init(_ schema: CloudSchema) {
    validator = RecordValidator(schema)
    types = Dictionary(
      schema.recordTypes.map { ($0.name, Fields($0)) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns a description of the mismatch between a record and the schema, or `nil` if it matches.
  /// Skips shares, which the server defines.
  func problem(of record: EditableRecord) -> String? {
    if record.recordType.hasPrefix(SchemaNames.managedPrefix) { return nil }
    let isNamedAlike = types[record.recordType].map {
      !$0.recordType.sameScalars(as: record.recordType)
    }
    guard isNamedAlike != true, validator.hasType(record.recordType) else {
      return "the schema has no record type '\(record.recordType)'"
    }
    for index in 0..<record.fieldCount {
      let kind = ValueKind(
        typeName: record.typeName(at: index), isEncrypted: record.isEncrypted(at: index))
      let problem = validator.problem(
        inField: record.name(at: index), of: record.recordType, kind: kind,
        database: record.database)
      if let problem { return problem.message }
    }
    return nil
  }
}

/// Checks results against the target schema.
struct ResultCheck {
  private let check: SchemaCheck
  private var latest: (recordType: String, fields: SchemaCheck.Fields)?

  init(_ check: SchemaCheck) { self.check = check }

  /// Returns a description of the mismatch between a record and the schema, or `nil` if it matches.
  mutating func problem(of record: EditableRecord) -> String? {
    if latest?.recordType.sameScalars(as: record.recordType) != true {
      latest = check.types[record.recordType].map { (record.recordType, $0) }
    }
    if let fields = latest?.fields, Self.fits(record, fields) { return nil }
    return check.problem(of: record)
  }

  /// Returns whether all fields are in the schema with exactly their type, which is the common
  /// case.
  private static func fits(_ record: EditableRecord, _ fields: SchemaCheck.Fields) -> Bool {
    var place = 0
    for index in 0..<record.fieldCount {
      let name = record.name(at: index)
      while place < fields.names.count, !fields.names[place].sameScalars(as: name) { place += 1 }
      let isEncrypted = record.isEncrypted(at: index)
      guard place < fields.names.count, fields.kinds[place].type == record.valueType(at: index),
        fields.kinds[place].isEncrypted == isEncrypted, !isEncrypted || record.database != .public
      else { return false }
      place += 1
    }
    return true
  }
}

/// Checks records against the source schema. Records with the same fields share a cached result.
struct SourceCheck {
  private struct Verdict {
    /// Retained, so that no other object can get the same identity.
    let shape: RecordShape
    let recordType: String
    let database: DatabaseScope
    let problem: String?
  }

  private let check: SchemaCheck
  private var verdicts: [Verdict] = []
  private static let maxVerdicts = 64

  init(_ check: SchemaCheck) { self.check = check }

  /// Returns a description of the mismatch between a record and the schema, or `nil` if it matches.
  mutating func problem(of record: EditableRecord) -> String? {
    guard let shape = record.sourceShape else { return check.problem(of: record) }
    let known = verdicts.firstIndex {
      $0.shape === shape && $0.database == record.database
        && $0.recordType.sameScalars(as: record.recordType)
    }
    if let known {
      if known > 0 { verdicts.swapAt(known, known - 1) }
      return verdicts[max(0, known - 1)].problem
    }
    let problem = check.problem(of: record)
    if verdicts.count == Self.maxVerdicts { verdicts.removeLast() }
    verdicts.append(
      Verdict(
        shape: shape, recordType: record.recordType, database: record.database, problem: problem))
    return problem
  }
}
