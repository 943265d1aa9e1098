import RecordModel

extension Schema {
  /// One record type: its fields and who may do what with its records in the public database.
  public struct RecordType: Sendable, Hashable {
    /// The type's name.
    @ExactText public var name: String
    /// The fields, in file order. System fields may be missing: see ``SystemField``.
    public var fields: [Field]
    /// The grants, in file order; one role may occur more than once.
    public var grants: [Grant]
    /// The comments around and at the end of the type.
    public var comments: Comments
    /// Where the name stood.
    @NotCompared public var origin: Origin?

    /// Makes a record type.
    public init(
      _ name: String, fields: [Field] = [], grants: [Grant] = [], comments: Comments = Comments(),
      origin: Origin? = nil
    ) {
      self._name = ExactText(wrappedValue: name)
      self.fields = fields
      self.grants = grants
      self.comments = comments
      self._origin = NotCompared(wrappedValue: origin)
    }

    /// The first field of that name; takes time linear in the number of fields.
    public func field(named name: String) -> Field? {
      fields.first { $0.name.sameScalars(as: name) }
    }

    /// The fields that are not system fields.
    public var userFields: [Field] {
      fields.filter { SystemField(rawValue: $0.name) == nil }
    }

    /// What all grants to a role together allow it.
    public func permissions(of role: String) -> Permissions {
      grants.reduce(into: []) { if $1.role.sameScalars(as: role) { $0.formUnion($1.permissions) } }
    }

    /// The record type `Users` as CloudKit makes it in every container (corpus: 32 of 33 exports).
    public static let builtInUsers = RecordType(
      SchemaNames.usersType,
      fields: SystemField.allCases.map { Field($0.rawValue, $0.type) }
        + [Field("roles", .list(of: .int64))],
      grants: [Grant(.write, to: "_creator"), Grant(.read, to: "_world")])

    /// The record type `cloudkit.share` as the first share makes it: fields without indexes (corpus:
    /// both exports that have it).
    public static let builtInShare = RecordType(
      SchemaNames.managedPrefix + "share",
      fields: SystemField.allCases.map { Field($0.rawValue, $0.type) } + [
        Field("cloudkit.thumbnailImageData", .bytes), Field("cloudkit.title", .string),
        Field("cloudkit.type", .string),
      ], grants: Grant.defaults)
  }
}
