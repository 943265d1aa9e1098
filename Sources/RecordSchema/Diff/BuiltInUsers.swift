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
    _ types: [CloudSchema.RecordType], isProposal: Bool = false, question: SchemaQuestion?
  ) -> [CloudSchema.RecordType] {
    let (own, other) = isProposal ? (to, from) : (from, to)
    guard question != nil, let other else { return own == nil ? types + [.builtInUsers] : types }
    let roles = other.field(named: Self.rolesField)
    guard let own else {
      var users = CloudSchema.RecordType.builtInUsers
      users.fields.removeAll { $0.name == Self.rolesField }
      if let roles { users.fields.append(roles) }
      users.grants = other.grants
      return types + [users]
    }
    guard let roles, own.field(named: Self.rolesField) == nil, !isProposal || question == .drift,
      let position = types.firstIndex(where: { $0.name == SchemaNames.usersType })
    else { return types }
    var types = types
    types[position].fields.append(roles)
    return types
  }
}
