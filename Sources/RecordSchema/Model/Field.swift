import RecordModel

extension CloudSchema {
  /// A field of a record type.
  public struct Field: Sendable, Hashable {
    /// The name.
    @ExactText public var name: String
    /// The data type.
    public var type: FieldType
    /// The indexes of the field.
    public var options: IndexOptions
    /// The comments above and beside the field.
    public var comments: Comments
    /// The location of the name and the type in the file.
    @EqualityIgnored public var origin: Origin?

    /// Creates a field.
    public init(
      _ name: String, _ type: FieldType, _ options: IndexOptions = [],
      comments: Comments = Comments(), origin: Origin? = nil
    ) {
      self._name = ExactText(wrappedValue: name)
      self.type = type
      self.options = options
      self.comments = comments
      self._origin = EqualityIgnored(wrappedValue: origin)
    }
  }
}
