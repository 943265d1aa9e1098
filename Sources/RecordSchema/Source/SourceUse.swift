/// The use of a record type or a field in an app's source code.
public struct SourceUse: Sendable, Hashable {
  /// How the code uses it.
  public enum Access: String, Sendable, Hashable, CaseIterable {
    /// A value is stored, or a record is created.
    case write
    /// A value is read, or requested.
    case read
    /// Records are selected or sorted by it.
    case query
  }

  /// The record type. `nil` if the code does not tell it.
  public var recordType: String?
  /// The field. `nil` for the use of a record type.
  public var field: String?
  /// Whether the field is used through `encryptedValues`. `nil` if the code does not tell it.
  public var isEncrypted: Bool?
  /// How it is used.
  public var access: Access
  /// The place of the name in the source code.
  public var location: SchemaLocation

  /// Creates a use.
  public init(
    recordType: String?, field: String?, isEncrypted: Bool? = nil, access: Access,
    location: SchemaLocation
  ) {
    self.recordType = recordType
    self.field = field
    self.isEncrypted = isEncrypted
    self.access = access
    self.location = location
  }
}

/// What an app's source code uses of a schema.
public struct SourceUses: Sendable, Hashable {
  /// A comment in the source code that may contain an allowance.
  public struct Comment: Sendable, Hashable {
    /// The text without delimiters.
    public var text: String
    /// The lines that it applies to: its own, and for a comment in lines of its own the next one.
    public var lines: ClosedRange<Int>
    /// The place of the comment.
    public var location: SchemaLocation

    /// Creates a comment.
    public init(text: String, lines: ClosedRange<Int>, location: SchemaLocation) {
      self.text = text
      self.lines = lines
      self.location = location
    }
  }

  /// The display name of the source code, such as the folder's path.
  public var source: String
  /// The number of files that were read.
  public var files: Int
  /// The uses, by file and place.
  public var uses: [SourceUse]
  /// The places of record types and keys that are computed, so that the code does not tell them.
  public var computed: [SchemaLocation]
  /// The comments with allowances.
  public var comments: [Comment]

  /// Creates the uses of some source code.
  public init(
    source: String, files: Int, uses: [SourceUse], computed: [SchemaLocation] = [],
    comments: [Comment] = []
  ) {
    self.source = source
    self.files = files
    self.uses = uses
    self.computed = computed
    self.comments = comments
  }
}
