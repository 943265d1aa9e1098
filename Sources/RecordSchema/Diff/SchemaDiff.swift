import RecordModel

/// The changes that turn one schema into the equivalent of another.
///
/// Order, comments and formatting are ignored, because the server does not keep them.
package struct SchemaDiff: Sendable, Hashable {
  /// The changes: roles, then removed and added record types, then changed types in order of their
  /// names.
  package let changes: [SchemaChange]

  /// Compares two schemas. Takes time linear in their size, plus sorting of names.
  package init(from: CloudSchema, to: CloudSchema) {
    changes = SchemaComparison(from: from, to: to).changes
  }

  /// Whether the schemas are equivalent.
  package var isEmpty: Bool { changes.isEmpty }
}

/// A difference between two schemas, as the server sees it.
package enum SchemaChange: Sendable, Hashable {
  /// A role was added.
  case roleAdded(CloudSchema.Role)
  /// A role was removed.
  case roleRemoved(CloudSchema.Role)
  /// A record type was added.
  case recordTypeAdded(CloudSchema.RecordType)
  /// A record type was removed.
  case recordTypeRemoved(CloudSchema.RecordType)
  /// A field was added to a record type of both schemas.
  case fieldAdded(SchemaSubject, CloudSchema.Field)
  /// A field was removed from a record type of both schemas.
  case fieldRemoved(SchemaSubject, CloudSchema.Field)
  /// The type, encryption or number preference of a field changed.
  case fieldTypeChanged(SchemaSubject, from: CloudSchema.FieldType, to: CloudSchema.FieldType)
  /// The indexes of a field changed.
  case optionsChanged(SchemaSubject, from: CloudSchema.IndexOptions, to: CloudSchema.IndexOptions)
  /// The permissions of a role on a record type changed. An empty set means no grant.
  case grantChanged(SchemaSubject, from: CloudSchema.Permissions, to: CloudSchema.Permissions)

  /// Whether only the new schema has the element.
  package var isAddition: Bool {
    switch self {
    case .roleAdded, .recordTypeAdded, .fieldAdded: true
    default: false
    }
  }

  /// Whether both schemas have the element.
  package var isOfBoth: Bool {
    switch self {
    case .fieldTypeChanged, .optionsChanged, .grantChanged: true
    default: false
    }
  }

  /// The changed element.
  package var subject: SchemaSubject {
    switch self {
    case .roleAdded(let role), .roleRemoved(let role): role.subject
    case .recordTypeAdded(let type), .recordTypeRemoved(let type): type.subject
    case .fieldAdded(let subject, _), .fieldRemoved(let subject, _),
      .fieldTypeChanged(let subject, _, _), .optionsChanged(let subject, _, _),
      .grantChanged(let subject, _, _):
      subject
    }
  }
}

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
    let grants: [GrantChange]

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
      var missing = SystemField.allCases
      for index in fields.indices where fields[index].name.utf8.first == UInt8(ascii: "_") {
        let name = fields[index].name
        missing.removeAll { $0.rawValue == name }
        if missing.isEmpty { return fields }
      }
      return fields + missing.map { CloudSchema.Field($0.rawValue, $0.type) }
    }

    private static func grantPairs(
      _ from: CloudSchema.RecordType, _ to: CloudSchema.RecordType
    ) -> [GrantChange] {
      let pairing = NamePairing(
        from.mergedGrants(), to.mergedGrants(), differ: { $0.permissions != $1.permissions })
      let pairs =
        pairing.both
        + pairing.added.map { NamedPair(from: CloudSchema.Grant([], to: $0.role), to: $0) }
        + pairing.removed.map { NamedPair(from: $0, to: CloudSchema.Grant([], to: $0.role)) }
      // A grant without permissions, which only code can create, equals no grant.
      return pairs.filter { $0.from.permissions != $0.to.permissions }
        .sorted { $0.to.pairingName < $1.to.pairingName }
        .map { pair in
          GrantChange(
            from: pair.from, to: pair.to,
            widerBefore: from.permissions(ofRolesWiderThan: pair.name),
            widerAfter: to.permissions(ofRolesWiderThan: pair.name))
        }
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

  let from: CloudSchema
  let to: CloudSchema
  let types: [TypePair]
  let addedTypes: [CloudSchema.RecordType]
  let removedTypes: [CloudSchema.RecordType]
  let addedRoles: [CloudSchema.Role]
  let removedRoles: [CloudSchema.Role]

  /// - Parameter kind: The check to compare for. Without it, an omitted `Users` counts as
  ///   the built-in one; with it, the parts of `Users` that only the server decides on never
  ///   differ.
  init(from: CloudSchema, to: CloudSchema, kind: SchemaCheckKind? = nil) {
    self.from = from
    self.to = to
    let users = BuiltInUsers(from: from, to: to)
    // Whether two types differ is only known after their fields and grants are paired.
    let types = NamePairing(
      users.completing(from.recordTypes, kind: kind),
      users.completing(to.recordTypes, isProposal: true, kind: kind),
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

/// A schema element that is identified by its name.
protocol NamedElement {
  var name: String { get }
  var origin: CloudSchema.Origin? { get }
}

extension NamedElement {
  var pairingName: ExactString { ExactString(name) }
  // Inlined, it makes Swift 6.3's optimizer fail.
  @inline(never)
  var nameSpan: SourceSpan? { origin?.name }
  /// The span of a field's type or of the keyword `GRANT`.
  var typeSpan: SourceSpan? { origin?.detail }
}

/// A role or record type.
protocol TopLevelElement: NamedElement, SendableMetatype {
  var subject: SchemaSubject { get }
}

extension CloudSchema.Role: TopLevelElement { var subject: SchemaSubject { .role(name) } }
extension CloudSchema.RecordType: TopLevelElement { var subject: SchemaSubject { .type(name) } }
extension CloudSchema.Field: NamedElement {}
extension CloudSchema.Grant: NamedElement { var name: String { role } }

extension Array where Element: NamedElement {
  /// Returns the elements sorted by ASCII. Takes a single pass if they are already sorted, as in
  /// every export.
  func sortedByName() -> [Element] {
    let isSorted = indices.dropFirst().allSatisfy {
      self[$0 - 1].pairingName <= self[$0].pairingName
    }
    return isSorted ? self : sorted { $0.pairingName < $1.pairingName }
  }
}

/// An element that is in both schemas and differs. A system field without origin is one that the
/// schema omits; a missing grant has no permissions.
struct NamedPair<Element: NamedElement> {
  let from: Element
  let to: Element

  var name: String { to.name }
}

/// The permissions of one role on a record type in two schemas. A missing grant has none.
struct GrantChange {
  let from: CloudSchema.Grant
  let to: CloudSchema.Grant
  /// The permissions that those with the role have because of a wider role, in each schema.
  let widerBefore: CloudSchema.Permissions
  let widerAfter: CloudSchema.Permissions

  var name: String { to.role }
  var gained: CloudSchema.Permissions { to.permissions.subtracting(from.permissions) }
  var lost: CloudSchema.Permissions { from.permissions.subtracting(to.permissions) }

  /// Returns a note about permissions that the role gains or loses. If a wider role has them, the
  /// note says that nothing changes.
  ///
  /// - Parameters:
  ///   - wider: The permissions that the role has in any case.
  ///   - state: The place of the grant: `new`, `only in production`.
  ///   - message: Says what those with the role may do, or not do.
  func note(
    _ permissions: CloudSchema.Permissions, wider: CloudSchema.Permissions, on type: String,
    state: String, hint: String? = nil, message: (_ keywords: [String]) -> String
  ) -> SchemaRule.Note? {
    guard !permissions.isEmpty else { return nil }
    let (changed, held) = (permissions.subtracting(wider), permissions.intersection(wider))
    if changed.isEmpty {
      return SchemaRule.Note(
        "GRANT \(permissions) TO '\(name)' is \(state) for '\(type)', and changes nothing: "
          + "those with the role may \(Phrase.list(held.keywords)) through a wider role")
    }
    let heldHint = held.isEmpty ? nil : "a wider role may \(Phrase.list(held.keywords))"
    let hints = [hint, heldHint].compactMap(\.self).joined(separator: "; ")
    return SchemaRule.Note(message(changed.keywords), hint: hints.isEmpty ? nil : hints)
  }
}

/// The differences between two lists of named elements, each sorted by name. If a name occurs more
/// than once, the first element counts.
struct NamePairing<Element: NamedElement> {
  /// The elements that are in both lists and differ.
  private(set) var both: [NamedPair<Element>] = []
  private(set) var added: [Element] = []
  private(set) var removed: [Element] = []

  /// - Parameter differ: Returns whether two elements with the same name differ. Equal pairs are
  ///   dropped.
  init(_ from: [Element], _ to: [Element], differ: (Element, Element) -> Bool) {
    var positions: [ExactString: Int] = [:]
    positions.reserveCapacity(from.count)
    for position in from.indices where positions[from[position].pairingName] == nil {
      positions[from[position].pairingName] = position
    }
    var seen: Set<ExactString> = []
    seen.reserveCapacity(to.count)
    for position in to.indices where seen.insert(to[position].pairingName).inserted {
      guard let former = positions.removeValue(forKey: to[position].pairingName) else {
        added.append(to[position])
        continue
      }
      if differ(from[former], to[position]) {
        both.append(NamedPair(from: from[former], to: to[position]))
      }
    }
    removed = positions.values.map { from[$0] }
    both.sort { $0.to.pairingName < $1.to.pairingName }
    added.sort { $0.pairingName < $1.pairingName }
    removed.sort { $0.pairingName < $1.pairingName }
  }
}

/// Adds the record type `Users`, which every container has with the field `roles`, to two schemas
/// that may omit it.
struct BuiltInUsers {
  private static let rolesField = "roles"
  private let from: CloudSchema.RecordType?
  private let to: CloudSchema.RecordType?

  init(from: CloudSchema, to: CloudSchema) {
    self.from = from.recordType(named: SchemaNames.usersType)
    self.to = to.recordType(named: SchemaNames.usersType)
  }

  /// Returns the record types of one schema, including `Users`.
  ///
  /// If a schema omits `Users`, its grants and `roles` are unknown because the server decides on
  /// them; they are taken from the other schema and so never differ. Other fields and indexes of
  /// `Users` are user-defined and count as missing.
  ///
  /// - Parameter isProposal: Whether these are the types of `to`. A proposal that defines `Users`
  ///   without `roles` would be deployed without it.
  func completing(
    _ types: [CloudSchema.RecordType], isProposal: Bool = false, kind: SchemaCheckKind?
  ) -> [CloudSchema.RecordType] {
    let (own, other) = isProposal ? (to, from) : (from, to)
    guard kind != nil, let other else { return own == nil ? types + [.builtInUsers] : types }
    let roles = other.field(named: Self.rolesField)
    guard let own else {
      var users = CloudSchema.RecordType.builtInUsers
      users.fields.removeAll { $0.name == Self.rolesField }
      if let roles { users.fields.append(roles) }
      users.grants = other.grants
      return types + [users]
    }
    guard let roles, own.field(named: Self.rolesField) == nil, !isProposal || kind == .drift,
      let position = types.firstIndex(where: { $0.name == SchemaNames.usersType })
    else { return types }
    var types = types
    types[position].fields.append(roles)
    return types
  }
}
