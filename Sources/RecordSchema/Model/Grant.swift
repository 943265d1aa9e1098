import RecordModel

extension Schema {
  /// What one role may do with the records of a type, in the public database.
  public struct Grant: Sendable, Hashable {
    /// The role: built in (`_creator`, `_icloud`, `_world`) or made by `CREATE ROLE`.
    @ExactText public var role: String
    /// What the role may do.
    public var permissions: Permissions
    /// The comments above and beside the grant.
    public var comments: Comments
    /// Where the role's name and the keyword stood.
    @NotCompared public var origin: Origin?

    /// Makes a grant.
    public init(
      _ permissions: Permissions, to role: String, comments: Comments = Comments(),
      origin: Origin? = nil
    ) {
      self._role = ExactText(wrappedValue: role)
      self.permissions = permissions
      self.comments = comments
      self._origin = NotCompared(wrappedValue: origin)
    }

    /// What CloudKit grants on a record type that it makes itself (Apple; corpus).
    public static let defaults = [
      Grant(.write, to: "_creator"), Grant(.create, to: "_icloud"), Grant(.read, to: "_world"),
    ]
  }
}
