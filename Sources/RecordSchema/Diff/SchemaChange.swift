/// A difference between two schemas, as the server sees it.
public enum SchemaChange: Sendable, Hashable {
  /// A role was added.
  case roleAdded(CloudSchema.Role)
  /// A role was removed.
  case roleRemoved(CloudSchema.Role)
  /// A record type was added.
  case recordTypeAdded(CloudSchema.RecordType)
  /// A record type was removed.
  case recordTypeRemoved(CloudSchema.RecordType)
  /// A field was added to a record type of both schemas.
  case fieldAdded(SchemaSubject, CloudSchema.Field)
  /// A field was removed from a record type of both schemas.
  case fieldRemoved(SchemaSubject, CloudSchema.Field)
  /// The type, encryption or number preference of a field changed.
  case fieldTypeChanged(SchemaSubject, from: CloudSchema.FieldType, to: CloudSchema.FieldType)
  /// The indexes of a field changed.
  case optionsChanged(SchemaSubject, from: CloudSchema.IndexOptions, to: CloudSchema.IndexOptions)
  /// The permissions of a role on a record type changed. An empty set means no grant.
  case grantChanged(SchemaSubject, from: CloudSchema.Permissions, to: CloudSchema.Permissions)

  /// The changed element.
  public var subject: SchemaSubject {
    switch self {
    case .roleAdded(let role), .roleRemoved(let role): role.subject
    case .recordTypeAdded(let type), .recordTypeRemoved(let type): type.subject
    case .fieldAdded(let subject, _), .fieldRemoved(let subject, _),
      .fieldTypeChanged(let subject, _, _), .optionsChanged(let subject, _, _),
      .grantChanged(let subject, _, _):
      subject
    }
  }
}
