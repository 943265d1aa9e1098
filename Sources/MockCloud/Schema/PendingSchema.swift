import RecordModel
import RecordSchema

/// A container's schema with what a request adds to it.
struct PendingSchema {
  /// The schema before the request.
  let base: ContainerSchema
  /// The new fields by type; a new type has those that the server gives it, too.
  private var added: [ExactString: [ExactString: CloudSchema.Field]] = [:]

  init(_ base: ContainerSchema) { self.base = base }

  var isEmpty: Bool { added.isEmpty }

  func hasType(_ name: String) -> Bool {
    base.types[name] != nil || added[ExactString(name)] != nil
  }

  func field(named name: String, of recordType: String) -> CloudSchema.Field? {
    base.types.field(named: name, of: recordType)
      ?? added[ExactString(recordType)]?[ExactString(name)]
  }

  /// The number of fields of a type, without those that the server gives every type.
  private func fieldCount(of recordType: String) -> Int {
    let added = added[ExactString(recordType)]?.values.map(\.name) ?? []
    let known = base.types[recordType]?.fields.map(\.name) ?? []
    return (added + known).count { !$0.hasPrefix("___") }
  }

  mutating func addType(_ name: String) {
    let fields = CloudSchema.RecordType.justInTime(named: name).fields
    added[ExactString(name)] = Dictionary(
      fields.map { (ExactString($0.name), $0) }, uniquingKeysWith: { first, _ in first })
  }

  mutating func add(_ field: CloudSchema.Field, to recordType: String) {
    added[ExactString(recordType), default: [:]][ExactString(field.name)] = field
  }

  /// The schema with the additions, in the schema language. Comments stay.
  var text: String {
    var schema = base.schema
    for (name, fields) in added.sorted(by: { $0.key < $1.key }) {
      let known = schema.recordTypes.firstIndex { $0.name.sameScalars(as: name.string) }
      let index = known ?? schema.recordTypes.endIndex
      if known == nil { schema.recordTypes.append(.justInTime(named: name.string)) }
      let names = Set(schema.recordTypes[index].fields.map { ExactString($0.name) })
      schema.recordTypes[index].fields += fields.filter { !names.contains($0.key) }.values
        .sorted { ExactString($0.name) < ExactString($1.name) }
    }
    return SchemaPrinter().print(schema)
  }

  /// Checks a record, and adds its type and fields if it may.
  ///
  /// - Throws: `CloudError`; what was added before stays.
  mutating func judge(
    _ save: SaveCandidate, in scope: DatabaseScope, _ rules: ServerRules
  ) throws(CloudError) {
    let recordType = save.draft.recordType
    if !hasType(recordType) {
      try UndeployedRule.check(type: recordType, in: base.environment)
      try JustInTimeRule.check(type: recordType, rules)
      addType(recordType)
    }
    for field in save.sentFields {
      if let defined = self.field(named: field.name, of: recordType) {
        try FieldTypeRule.check(field, of: recordType, as: defined.type, in: scope)
      } else {
        try UndeployedRule.check(field: field.name, of: recordType, in: base.environment)
        try JustInTimeRule.check(field: field, of: recordType, rules)
        try JustInTimeRule.check(fieldCount: fieldCount(of: recordType), rules)
        add(try JustInTimeRule.definition(of: field, in: recordType), to: recordType)
      }
    }
  }
}
