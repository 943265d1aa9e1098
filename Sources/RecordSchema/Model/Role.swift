import RecordModel

extension Schema {
  /// A security role of the container, made by `CREATE ROLE`.
  public struct Role: Sendable, Hashable {
    /// The role's name; the built-in roles (``SchemaNames/builtInRoles``) are never created.
    @ExactText public var name: String
    /// The comments around the statement.
    public var comments: Comments
    /// Where the name stood.
    @NotCompared public var origin: Origin?

    /// Makes a role.
    public init(_ name: String, comments: Comments = Comments(), origin: Origin? = nil) {
      self._name = ExactText(wrappedValue: name)
      self.comments = comments
      self._origin = NotCompared(wrappedValue: origin)
    }
  }
}
