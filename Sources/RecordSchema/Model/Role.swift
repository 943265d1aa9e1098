import RecordModel

extension CloudSchema {
  /// A security role of the container, created by `CREATE ROLE`.
  public struct Role: Sendable, Hashable {
    /// The role's name. The built-in roles (``SchemaNames/builtInRoles``) are never created.
    @ExactText public var name: String
    /// The comments around the statement.
    public var comments: Comments
    /// The location of the name in the file.
    @EqualityIgnored public var origin: Origin?

    /// Creates a role.
    public init(_ name: String, comments: Comments = Comments(), origin: Origin? = nil) {
      self._name = ExactText(wrappedValue: name)
      self.comments = comments
      self._origin = EqualityIgnored(wrappedValue: origin)
    }
  }
}
