import RecordModel

/// A comparison of two schemas: the elements that differ, paired and sorted by name.
///
/// Takes time linear in the size of the schemas, plus sorting of names. Differences that the server
/// ignores are removed first: order, omitted system fields without options, grants split over
/// several statements, and an omitted `Users`, which every container has.
struct SchemaComparison {
  /// A record type that is in both schemas and differs.
  struct TypePair {
    let name: String
    let fields: [NamedPair<CloudSchema.Field>]
    let addedFields: [CloudSchema.Field]
    let removedFields: [CloudSchema.Field]
    let grants: [NamedPair<CloudSchema.Grant>]
  }

  let from: CloudSchema
  let to: CloudSchema
  let types: [TypePair]
  let addedTypes: [CloudSchema.RecordType]
  let removedTypes: [CloudSchema.RecordType]
  let addedRoles: [CloudSchema.Role]
  let removedRoles: [CloudSchema.Role]

  /// - Parameter question: The question to answer. Without a question, an omitted `Users` counts as
  ///   the built-in one; with one, the parts of `Users` that only the server decides on never
  ///   differ.
  init(from: CloudSchema, to: CloudSchema, question: SchemaQuestion? = nil) {
    self.from = from
    self.to = to
    let users = BuiltInUsers(from: from, to: to)
    // Whether two types differ is only known after their fields and grants are paired.
    let types = NamePairing(
      users.completing(from.recordTypes, question: question),
      users.completing(to.recordTypes, isProposal: true, question: question),
      differ: { _, _ in true })
    self.types = types.both.map { TypePair($0.from, $0.to) }.filter { !$0.isEmpty }
    addedTypes = types.added
    removedTypes = types.removed
    let roles = NamePairing(from.roles, to.roles, differ: { _, _ in false })
    addedRoles = roles.added
    removedRoles = roles.removed
  }

  /// The differences: roles first, then record types.
  var changes: [SchemaChange] {
    var changes = removedRoles.map { SchemaChange.roleRemoved(CloudSchema.Role($0.name)) }
    changes += addedRoles.map { .roleAdded(CloudSchema.Role($0.name)) }
    changes += removedTypes.map { .recordTypeRemoved($0) }
    changes += addedTypes.map { .recordTypeAdded($0) }
    for type in types { changes += type.changes }
    return changes
  }
}

extension SchemaComparison.TypePair {
  init(_ from: CloudSchema.RecordType, _ to: CloudSchema.RecordType) {
    name = to.name
    let fields = NamePairing(
      Self.withSystemFields(from.fields), Self.withSystemFields(to.fields),
      differ: { $0.type != $1.type || $0.options != $1.options })
    self.fields = fields.both
    addedFields = fields.added
    removedFields = fields.removed
    grants = Self.grantPairs(from, to)
  }

  var isEmpty: Bool {
    fields.isEmpty && addedFields.isEmpty && removedFields.isEmpty && grants.isEmpty
  }

  private static func withSystemFields(_ fields: [CloudSchema.Field]) -> [CloudSchema.Field] {
    var missing = CloudSchema.SystemField.allCases
    for index in fields.indices where fields[index].name.utf8.first == UInt8(ascii: "_") {
      let name = fields[index].name
      missing.removeAll { $0.rawValue == name }
      if missing.isEmpty { return fields }
    }
    return fields + missing.map { CloudSchema.Field($0.rawValue, $0.type) }
  }

  private static func grantPairs(
    _ from: CloudSchema.RecordType, _ to: CloudSchema.RecordType
  ) -> [NamedPair<CloudSchema.Grant>] {
    let pairing = NamePairing(
      from.mergedGrants(), to.mergedGrants(), differ: { $0.permissions != $1.permissions })
    let pairs =
      pairing.both
      + pairing.added.map { NamedPair(from: CloudSchema.Grant([], to: $0.role), to: $0) }
      + pairing.removed.map { NamedPair(from: $0, to: CloudSchema.Grant([], to: $0.role)) }
    // A grant without permissions, which only code can create, equals no grant.
    return pairs.filter { $0.from.permissions != $0.to.permissions }
      .sorted { $0.to.pairingName < $1.to.pairingName }
  }

  var changes: [SchemaChange] {
    func subject(_ field: String) -> SchemaSubject { .field(field, of: name) }
    var changes = removedFields.map { SchemaChange.fieldRemoved(subject($0.name), $0) }
    changes += addedFields.map { .fieldAdded(subject($0.name), $0) }
    for field in fields {
      let (from, to) = (field.from, field.to)
      if from.type != to.type {
        changes.append(.fieldTypeChanged(subject(field.name), from: from.type, to: to.type))
      }
      if from.options != to.options {
        changes.append(.optionsChanged(subject(field.name), from: from.options, to: to.options))
      }
    }
    changes += grants.map {
      .grantChanged(
        .grant(to: $0.name, on: name), from: $0.from.permissions, to: $0.to.permissions)
    }
    return changes
  }
}
