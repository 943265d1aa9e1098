/// The use of a record type or a field in an app's source code.
package struct SourceUse: Sendable, Hashable {
  /// How the code uses it.
  package enum Access: String, Sendable, Hashable, CaseIterable {
    /// A value is stored, or a record is created.
    case write
    /// A value is read, or requested.
    case read
    /// Records are selected or sorted by it.
    case query
  }

  /// The record type. `nil` if the code does not tell it.
  package var recordType: String?
  /// The field. `nil` for the use of a record type.
  package var field: String?
  /// Whether the field is used through `encryptedValues`. `nil` if the code does not tell it.
  package var isEncrypted: Bool?
  /// How it is used.
  package var access: Access
  /// The place of the name in the source code.
  package var location: SchemaLocation

  /// Creates a use.
  package init(
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

/// The record types and fields that an app's source code uses.
public struct SourceUses: Sendable, Hashable {
  /// A comment in the source code that may contain a suppression.
  package struct Comment: Sendable, Hashable {
    /// The text without delimiters.
    package var text: String
    /// The lines that it applies to: its own, and for a comment in lines of its own the next one.
    package var lines: ClosedRange<Int>
    /// The place of the comment.
    package var location: SchemaLocation

    /// Creates a comment.
    package init(text: String, lines: ClosedRange<Int>, location: SchemaLocation) {
      self.text = text
      self.lines = lines
      self.location = location
    }
  }

  /// Code that uses CloudKit in a way that the uses do not show.
  package struct Gap: Sendable, Hashable {
    package var rule: SchemaRule.ID
    package var message: String
    package var location: SchemaLocation

    package init(_ rule: SchemaRule.ID, _ message: String, location: SchemaLocation) {
      (self.rule, self.message, self.location) = (rule, message, location)
    }
  }

  /// The display name of the source code, such as the folder's path.
  package var source: String
  /// The number of files that were read.
  package var files: Int
  /// The uses, by file and place.
  package var uses: [SourceUse]
  /// The places of record types and keys that are computed, so that the code does not tell them.
  package var computed: [SchemaLocation]
  /// The comments that mention suppressions.
  package var comments: [Comment]
  /// The gaps that the uses do not show.
  package var gaps: [Gap] = []

  /// Creates the uses of some source code.
  package init(
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
