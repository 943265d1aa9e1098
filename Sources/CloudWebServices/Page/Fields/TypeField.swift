import RecordArchive
import RecordModel
import RecordSchema

/// A field of a record type, as forms, tables, conditions and files of the console know it.
struct TypeField {
  let name: String
  /// The type in the schema or, without it, of the first value; nil for values that no form can show.
  let type: CloudSchema.FieldType?
  let isEncrypted: Bool
  /// Whether all values are single numbers.
  let isNumber: Bool
  /// Why a query does not sort by the field; nil if it does.
  let unsorted: String?

  /// Creates the description of a field of the schema.
  init(_ field: CloudSchema.Field) {
    let type = field.type
    (name, self.type, isEncrypted) = (field.name, type, type.isEncrypted)
    isNumber = [.int64, .double, .number].contains(type.primitive) && !type.isList
    // Of the types of a schema, `NUMBER` alone is not one of values.
    let values = ValueType(type) ?? (type.isList ? .emptyList : .double)
    unsorted = Self.unsorted(values, isEncrypted: isEncrypted)
  }

  /// Creates the description of a field that the schema does not say.
  ///
  /// - Parameter fields: the field in some records, at least one.
  init(_ name: String, in fields: [Field]) {
    self.name = name
    type = fields.first.flatMap(CloudSchema.FieldType.init)
    let isEncrypted = fields.contains(where: \.isEncrypted)
    self.isEncrypted = isEncrypted
    isNumber = fields.allSatisfy { $0.value.isNumber }
    let reasons = fields.map { Self.unsorted($0.value.type, isEncrypted: isEncrypted) }
    unsorted = reasons.contains(nil) ? nil : reasons.first ?? nil
  }

  /// Returns the fields of a type: those of the schema in its order, then those of records.
  ///
  /// - Parameter first: the names of the fields of records that come first.
  static func all(
    of type: CloudSchema.RecordType?, _ records: [ResultRecord], first: [String] = []
  ) -> [TypeField] {
    var fields = (type?.userFields ?? []).map { TypeField($0) }
    var names = NameSet(fields.map(\.name))
    for name in first + records.flatMap({ $0.fields.map(\.name) }) where names.insert(name) {
      fields.append(TypeField(name, in: records.compactMap { $0.field(named: name) }))
    }
    return fields
  }

  /// Why a query does not sort by values of a type; nil if it does. The type is nil for values that
  /// this version does not know.
  private static func unsorted(_ type: ValueType?, isEncrypted: Bool) -> String? {
    if isEncrypted { return "CloudKit cannot read encrypted values, and so cannot sort by them" }
    switch type {
    case .string, .int64, .double, .timestamp, .bytes, .reference: return nil
    case nil: return "RecordPack does not know the type of these values"
    case .location: return "CloudKit sorts locations by their distance from a place only"
    case .asset: return "CloudKit does not sort by assets"
    default: return "CloudKit does not sort by lists"
    }
  }

  /// A condition on the field, to be completed; dates are in quotes. An encrypted field is only there
  /// or not.
  ///
  /// - Parameter name: the name in conditions.
  func condition(named name: String) -> String {
    guard let type, !isEncrypted else { return "has \(name)" }
    if type.isList { return "\(name) CONTAINS ''" }
    return switch type.primitive {
    case .string: "\(name) BEGINSWITH ''"
    case .int64, .double: "\(name) > 0"
    case .timestamp: "\(name) > '2026-01-31'"
    case .reference: "\(name) = ''"
    default: "has \(name)"
    }
  }
}

extension ConsoleRequest {
  /// The number of records whose fields a type has where the schema does not say.
  private static let samples = 20

  /// Returns a record type of the schema; nil if the container has none, or not this type.
  func schemaType(_ name: String) throws -> CloudSchema.RecordType? {
    // The server rejects a schema with mistakes; views show what can be read of it.
    try source.info().schemaDocument(of: "the container")?.schema.recordType(named: name)
  }

  /// Returns the fields of a type: those of the schema, or else those of some records.
  func fields(of recordType: String) throws -> [TypeField] {
    if let type = try schemaType(recordType) { return TypeField.all(of: type, []) }
    var records: [ResultRecord] = []
    try source.readRecords(RecordFilter(recordTypes: [recordType])) { record, _ in
      records.append(record)
      return records.count < Self.samples
    }
    return TypeField.all(of: nil, records)
  }
}

extension CloudSchema.FieldType {
  /// Creates the type of the value of a field; nil for an empty list and for an unknown type.
  init?(_ field: Field) {
    guard let type = field.value.type else { return nil }
    self.init(of: type, isEncrypted: field.isEncrypted)
  }

  /// Whether inputs for a field of this type can show the value of a field.
  func fits(_ field: Field) -> Bool {
    guard field.isEncrypted == isEncrypted else { return false }
    if field.value.type == .emptyList { return isList }
    return CloudSchema.FieldType(field).map(accepts) ?? false
  }
}

extension RecordValue {
  /// Whether the value is a single number.
  var isNumber: Bool {
    switch self {
    case .int64, .double: true
    default: false
    }
  }
}
