import RecordModel

/// The schema of a CloudKit container, as expressed in the CloudKit Schema Language (`.ckdb`).
///
/// Use ``SchemaDocument`` to parse a schema and ``SchemaPrinter`` to print it. Equality compares
/// everything that is printed, including order and comments. To compare schemas as the server does,
/// which keeps neither, use ``SchemaDiff``.
public struct CloudSchema: Sendable, Hashable {
  /// The roles created by the schema, in file order.
  public var roles: [Role]
  /// The record types, in file order.
  public var recordTypes: [RecordType]
  /// The comments before and after `DEFINE SCHEMA`, and at the end of the file.
  public var comments: Comments
  /// Whether the file ended in a blank line, as some exports of the CloudKit Console do.
  @EqualityIgnored public var endsInBlankLine: Bool
  /// The location of `DEFINE SCHEMA` in the file.
  @EqualityIgnored public var origin: Origin?

  /// Creates a schema.
  public init(
    roles: [Role] = [], recordTypes: [RecordType] = [], comments: Comments = Comments(),
    endsInBlankLine: Bool = false, origin: Origin? = nil
  ) {
    self.roles = roles
    self.recordTypes = recordTypes
    self.comments = comments
    self._endsInBlankLine = EqualityIgnored(wrappedValue: endsInBlankLine)
    self._origin = EqualityIgnored(wrappedValue: origin)
  }

  /// Returns the first record type with a name. Takes time linear in the number of types.
  public func recordType(named name: String) -> RecordType? {
    recordTypes.first { $0.name.sameScalars(as: name) }
  }
}
