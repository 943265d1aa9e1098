/// `Users`, which every container has with the field `roles`, in two schemas that need not mention it.
struct BuiltInUsers {
  private static let rolesField = "roles"
  private let from: Schema.RecordType?
  private let to: Schema.RecordType?

  init(from: Schema, to: Schema) {
    self.from = from.recordType(named: SchemaNames.usersType)
    self.to = to.recordType(named: SchemaNames.usersType)
  }

  /// The types of one side, with `Users`.
  ///
  /// What a side does not mention is not known: grants and `roles`, which the server decides on, are
  /// then taken from the other side, so that nothing is said to differ. Other fields and indexes of
  /// `Users` are somebody's own, and count as not there.
  ///
  /// - Parameter isProposal: Whether these are the types of `to`. One that mentions `Users` and
  ///   leaves out `roles` would be deployed like that.
  func completing(
    _ types: [Schema.RecordType], isProposal: Bool = false, question: SchemaQuestion?
  ) -> [Schema.RecordType] {
    let (own, other) = isProposal ? (to, from) : (from, to)
    guard question != nil, let other else { return own == nil ? types + [.builtInUsers] : types }
    let roles = other.field(named: Self.rolesField)
    guard let own else {
      var users = Schema.RecordType.builtInUsers
      users.fields.removeAll { $0.name == Self.rolesField }
      if let roles { users.fields.append(roles) }
      users.grants = other.grants
      return types + [users]
    }
    guard let roles, own.field(named: Self.rolesField) == nil,
      !isProposal || question == .drift,
      let position = types.firstIndex(where: { $0.name == SchemaNames.usersType })
    else { return types }
    var types = types
    types[position].fields.append(roles)
    return types
  }
}
