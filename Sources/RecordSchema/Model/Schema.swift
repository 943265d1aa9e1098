import RecordModel

/// The schema of a CloudKit container, as the CloudKit Schema Language (`.ckdb`) states it.
///
/// A schema is read with ``SchemaDocument`` and written with ``SchemaPrinter``. Equality compares
/// everything that is printed, order and comments included; whether two schemas mean the same to
/// the server, which keeps neither, is answered by ``SchemaDiff`` or ``semanticForm()``.
public struct Schema: Sendable, Hashable {
  /// The roles that the schema creates, in file order.
  public var roles: [Role]
  /// The record types, in file order.
  public var recordTypes: [RecordType]
  /// Comments before `DEFINE SCHEMA`, behind it, and at the end of the file.
  public var comments: Comments
  /// True where the file ended in an empty line, as some exports of the CloudKit Console do.
  @NotCompared public var endsInBlankLine: Bool
  /// Where `DEFINE SCHEMA` stood.
  @NotCompared public var origin: Origin?

  /// Makes a schema.
  public init(
    roles: [Role] = [], recordTypes: [RecordType] = [], comments: Comments = Comments(),
    endsInBlankLine: Bool = false, origin: Origin? = nil
  ) {
    self.roles = roles
    self.recordTypes = recordTypes
    self.comments = comments
    self._endsInBlankLine = NotCompared(wrappedValue: endsInBlankLine)
    self._origin = NotCompared(wrappedValue: origin)
  }

  /// The first record type of that name; takes time linear in the number of types.
  public func recordType(named name: String) -> RecordType? {
    recordTypes.first { $0.name.sameScalars(as: name) }
  }
}
