import RecordModel

extension Schema {
  /// One field of a record type.
  public struct Field: Sendable, Hashable {
    /// The field's name.
    @ExactText public var name: String
    /// The data type.
    public var type: FieldType
    /// The indexes that the field has.
    public var options: IndexOptions
    /// The comments above and beside the field.
    public var comments: Comments
    /// Where the name and the type stood.
    @NotCompared public var origin: Origin?

    /// Makes a field.
    public init(
      _ name: String, _ type: FieldType, _ options: IndexOptions = [],
      comments: Comments = Comments(), origin: Origin? = nil
    ) {
      self._name = ExactText(wrappedValue: name)
      self.type = type
      self.options = options
      self.comments = comments
      self._origin = NotCompared(wrappedValue: origin)
    }
  }
}
