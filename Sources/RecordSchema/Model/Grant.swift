import RecordModel

extension CloudSchema {
  /// The permissions of a role on the records of a type, in the public database.
  public struct Grant: Sendable, Hashable {
    /// The role: built-in (`_creator`, `_icloud`, `_world`) or created by `CREATE ROLE`.
    @ExactText public var role: String
    /// The permissions of the role.
    public var permissions: Permissions
    /// The comments above and beside the grant.
    public var comments: Comments
    /// The location of the role's name and the keyword in the file.
    @EqualityIgnored public var origin: Origin?

    /// Creates a grant.
    public init(
      _ permissions: Permissions, to role: String, comments: Comments = Comments(),
      origin: Origin? = nil
    ) {
      self._role = ExactText(wrappedValue: role)
      self.permissions = permissions
      self.comments = comments
      self._origin = EqualityIgnored(wrappedValue: origin)
    }

    /// The grants of a record type that CloudKit creates itself (Apple; corpus).
    public static let defaults = [
      Grant(.write, to: "_creator"), Grant(.create, to: "_icloud"), Grant(.read, to: "_world"),
    ]
  }
}
