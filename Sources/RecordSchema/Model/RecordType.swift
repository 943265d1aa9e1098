import RecordModel

extension CloudSchema {
  /// A record type: its fields, and the grants on its records in the public database.
  public struct RecordType: Sendable, Hashable {
    /// The name.
    @ExactText public var name: String
    /// The fields, in file order. System fields may be omitted; see ``SystemField``.
    public var fields: [Field]
    /// The grants, in file order. A role may occur more than once.
    public var grants: [Grant]
    /// The comments around the type and at its end.
    public var comments: Comments
    /// The location of the name in the file.
    @EqualityIgnored public var origin: Origin?

    /// Creates a record type.
    public init(
      _ name: String, fields: [Field] = [], grants: [Grant] = [], comments: Comments = Comments(),
      origin: Origin? = nil
    ) {
      self._name = ExactText(wrappedValue: name)
      self.fields = fields
      self.grants = grants
      self.comments = comments
      self._origin = EqualityIgnored(wrappedValue: origin)
    }

    /// Returns the first field with a name. Takes time linear in the number of fields.
    public func field(named name: String) -> Field? {
      fields.first { $0.name.sameScalars(as: name) }
    }

    /// The fields that are not system fields.
    public var userFields: [Field] {
      fields.filter { SystemField(rawValue: $0.name) == nil }
    }

    /// Returns the union of all permissions granted to a role.
    public func permissions(of role: String) -> Permissions {
      grants.reduce(into: []) { if $1.role.sameScalars(as: role) { $0.formUnion($1.permissions) } }
    }

    /// The record type `Users` as CloudKit creates it in every container (corpus: 32 of 33
    /// exports).
    public static let builtInUsers = RecordType(
      SchemaNames.usersType,
      fields: SystemField.allCases.map { Field($0.rawValue, $0.type) }
        + [Field("roles", .list(of: .int64))],
      grants: [Grant(.write, to: "_creator"), Grant(.read, to: "_world")])

    /// The record type `cloudkit.share` as the first share creates it, with fields without indexes
    /// (corpus: both exports that have it).
    public static let builtInShare = RecordType(
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
  }
}
