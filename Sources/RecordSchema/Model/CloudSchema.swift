import RecordModel

/// The schema of a CloudKit container, as expressed in the CloudKit Schema Language (`.ckdb`).
///
/// Use ``SchemaDocument`` to parse a schema and ``SchemaPrinter`` to print it. Equality compares
/// everything that is printed, including order and comments. To compare schemas as the server does,
/// which keeps neither, use `SchemaDiff`.
public struct CloudSchema: Sendable, Hashable {
  /// The roles created by the schema, in file order.
  public var roles: [Role]
  /// The record types, in file order.
  public var recordTypes: [RecordType]
  /// The comments before and after `DEFINE SCHEMA`, and at the end of the file.
  package var comments = Comments()
  /// Whether the file ended in a blank line, as some exports of the CloudKit Console do.
  @EqualityIgnored package var endsInBlankLine = false
  /// The location of `DEFINE SCHEMA` in the file.
  @EqualityIgnored package var origin: Origin? = nil

  /// Creates a schema.
  public init(roles: [Role] = [], recordTypes: [RecordType] = []) {
    self.roles = roles
    self.recordTypes = recordTypes
  }

  /// Returns the first record type with a name. Takes time linear in the number of types.
  public func recordType(named name: String) -> RecordType? {
    recordTypes.first { $0.name.sameScalars(as: name) }
  }

  /// A record type: its fields, and the grants on its records in the public database.
  public struct RecordType: Sendable, Hashable {
    /// The name.
    @ExactText public var name: String
    /// The fields, in file order. The system fields may be omitted.
    public var fields: [Field]
    /// The grants, in file order. A role may occur more than once.
    public var grants: [Grant]
    /// The comments around the type and at its end.
    package var comments = Comments()
    /// The location of the name in the file.
    @EqualityIgnored package var origin: Origin? = nil

    /// Creates a record type.
    public init(_ name: String, fields: [Field] = [], grants: [Grant] = []) {
      self._name = ExactText(wrappedValue: name)
      self.fields = fields
      self.grants = grants
    }

    /// Returns the first field with a name. Takes time linear in the number of fields.
    public func field(named name: String) -> Field? {
      fields.first { $0.name.sameScalars(as: name) }
    }

    /// The fields that are not system fields.
    package var userFields: [Field] {
      fields.filter { SystemField(rawValue: $0.name) == nil }
    }

    /// Returns the union of all permissions granted to a role.
    package func permissions(of role: String) -> Permissions {
      grants.reduce(into: []) { if $1.role.sameScalars(as: role) { $0.formUnion($1.permissions) } }
    }

    /// Returns the permissions that those with a role have because of a wider role: `_world` is
    /// anyone, and `_icloud` is any account, the record's creator included.
    func permissions(ofRolesWiderThan role: String) -> Permissions {
      switch role {
      case "_world": []
      case "_icloud": permissions(of: "_world")
      default: permissions(of: "_world").union(permissions(of: "_icloud"))
      }
    }

    /// The record type `Users` as CloudKit creates it in every container (corpus: 32 of 33
    /// exports).
    package static let builtInUsers = RecordType(
      SchemaNames.usersType,
      fields: SystemField.allCases.map { Field($0.rawValue, $0.type) }
        + [Field("roles", .list(of: .int64))],
      grants: [Grant(.write, to: "_creator"), Grant(.read, to: "_world")])

    /// The record type `cloudkit.share` as the first share creates it, with fields without indexes
    /// (corpus: both exports that have it).
    package static let builtInShare = RecordType(
      SchemaNames.managedPrefix + "share",
      fields: SystemField.allCases.map { Field($0.rawValue, $0.type) } + [
        Field("cloudkit.thumbnailImageData", .bytes), Field("cloudkit.title", .string),
        Field("cloudkit.type", .string),
      ], grants: Grant.defaults)

    /// Returns a record type as the server creates it with the first record: the system fields
    /// without indexes, and the default grants (corpus); for the server's own types, their fields.
    package static func justInTime(named name: String) -> RecordType {
      if let own = [builtInUsers, builtInShare].first(where: { $0.name == name }) { return own }
      return RecordType(
        name, fields: SystemField.allCases.map { Field($0.rawValue, $0.type) },
        grants: Grant.defaults)
    }

    func canonicalized() -> Self {
      var result = self
      result.fields = fields.sortedByName()
      result.grants = mergedGrants().sortedByName()
      return result
    }

    /// Returns one grant per role, in order of first occurrence. Comments of merged grants are kept.
    func mergedGrants() -> [CloudSchema.Grant] {
      var merged: [CloudSchema.Grant] = []
      var positions: [ExactString: Int] = [:]
      // Appended at the end, because a role may be granted thousands of times.
      var leading: [Int: [CloudSchema.Comment]] = [:]
      for grant in grants {
        guard let position = positions[ExactString(grant.role)] else {
          positions[ExactString(grant.role)] = merged.count
          merged.append(grant)
          continue
        }
        merged[position].permissions.formUnion(grant.permissions)
        guard !grant.comments.isEmpty else { continue }
        let comments = grant.comments.leading + [grant.comments.trailing].compactMap { $0 }
        leading[position, default: []] += comments
      }
      for (position, comments) in leading { merged[position].comments.leading += comments }
      return merged
    }
  }

  /// A security role of the container, created by `CREATE ROLE`.
  public struct Role: Sendable, Hashable {
    /// The role's name. The built-in roles (`_creator`, `_icloud`, `_world`) are never created.
    @ExactText public var name: String
    /// The comments around the statement.
    package var comments = Comments()
    /// The location of the name in the file.
    @EqualityIgnored package var origin: Origin? = nil

    /// Creates a role.
    public init(_ name: String) {
      self._name = ExactText(wrappedValue: name)
    }
  }

  /// The permissions of a role on the records of a type, in the public database.
  public struct Grant: Sendable, Hashable {
    /// The role: built-in (`_creator`, `_icloud`, `_world`) or created by `CREATE ROLE`.
    @ExactText public var role: String
    /// The permissions of the role.
    public var permissions: Permissions
    /// The comments above and beside the grant.
    package var comments = Comments()
    /// The location of the role's name and the keyword in the file.
    @EqualityIgnored package var origin: Origin? = nil

    /// Creates a grant.
    public init(_ permissions: Permissions, to role: String) {
      self._role = ExactText(wrappedValue: role)
      self.permissions = permissions
    }

    /// The grants of a record type that CloudKit creates itself (Apple; corpus).
    package static let defaults = [
      Grant(.write, to: "_creator"), Grant(.create, to: "_icloud"), Grant(.read, to: "_world"),
    ]
  }

  /// The permissions of a grant.
  public struct Permissions: OptionSet, Sendable, Hashable, CustomStringConvertible {
    /// The bits: 1 read, 2 create, 4 write.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `READ`
    public static let read = Permissions(rawValue: 1)
    /// `CREATE`
    public static let create = Permissions(rawValue: 2)
    /// `WRITE`: modifying and deleting.
    public static let write = Permissions(rawValue: 4)

    /// The permissions with their keywords, in the order of Apple's export form.
    static let keywords: [(permission: Permissions, keyword: String)] = [
      (.read, "READ"), (.create, "CREATE"), (.write, "WRITE"),
    ]

    /// The keywords of the set, in the order of Apple's export form.
    package var keywords: [String] {
      Self.keywords.filter { contains($0.permission) }.map(\.keyword)
    }

    /// The keywords separated by commas.
    public var description: String { keywords.joined(separator: ", ") }
  }

  /// Returns the schema in the order of Apple's export form: roles, types and fields sorted by
  /// ASCII, grants merged per role and sorted by role. Comments stay with their elements.
  package func canonicalized() -> CloudSchema {
    var result = self
    result.roles = roles.sortedByName()
    result.recordTypes = recordTypes.sortedByName().map { $0.canonicalized() }
    return result
  }
}

/// The record types and fields of a schema by name. Always contains `Users`; if a name occurs more
/// than once, the first counts.
package struct SchemaIndex: Sendable {
  private let types: [ExactString: CloudSchema.RecordType]
  private let fields: [ExactString: [ExactString: CloudSchema.Field]]

  package init(_ schema: CloudSchema) {
    let named = (schema.recordTypes + [.builtInUsers]).map { (ExactString($0.name), $0) }
    types = Dictionary(named, uniquingKeysWith: { first, _ in first })
    fields = types.mapValues { type in
      Dictionary(
        type.fields.map { (ExactString($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Returns a record type.
  package subscript(name: String) -> CloudSchema.RecordType? { types[ExactString(name)] }

  /// Returns a field of a record type.
  package func field(named name: String, of recordType: String) -> CloudSchema.Field? {
    fields[ExactString(recordType)]?[ExactString(name)]
  }

  /// Returns the type of a field, which system fields have even if the schema omits them. `nil` if
  /// there is no such field.
  package func fieldType(of name: String, in recordType: String) -> CloudSchema.FieldType? {
    guard let fields = fields[ExactString(recordType)] else { return nil }
    if name.utf8.starts(with: "___".utf8), let system = SystemField(rawValue: name) {
      return system.type
    }
    return fields[ExactString(name)]?.type
  }
}
