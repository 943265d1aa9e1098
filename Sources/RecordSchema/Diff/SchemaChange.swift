/// One difference between two schemas, as the server sees it.
public enum SchemaChange: Sendable, Hashable {
  /// A role is new.
  case roleAdded(String)
  /// A role is gone.
  case roleRemoved(String)
  /// A record type is new.
  case recordTypeAdded(Schema.RecordType)
  /// A record type is gone.
  case recordTypeRemoved(Schema.RecordType)
  /// A field is new.
  case fieldAdded(recordType: String, Schema.Field)
  /// A field is gone.
  case fieldRemoved(recordType: String, Schema.Field)
  /// A field has another type, encryption or number preference.
  case fieldTypeChanged(
    recordType: String, field: String, from: Schema.FieldType, to: Schema.FieldType)
  /// A field has other indexes.
  case optionsChanged(
    recordType: String, field: String, from: Schema.IndexOptions, to: Schema.IndexOptions)
  /// A role has other permissions on a type; an empty set stands for no grant.
  case grantChanged(
    recordType: String, role: String, from: Schema.Permissions, to: Schema.Permissions)
}
