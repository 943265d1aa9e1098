import RecordModel

/// A difference between two schemas, as the server sees it.
public enum SchemaChange: Sendable, Hashable {
  /// A role was added.
  case roleAdded(String)
  /// A role was removed.
  case roleRemoved(String)
  /// A record type was added.
  case recordTypeAdded(Schema.RecordType)
  /// A record type was removed.
  case recordTypeRemoved(Schema.RecordType)
  /// A field was added.
  case fieldAdded(recordType: String, Schema.Field)
  /// A field was removed.
  case fieldRemoved(recordType: String, Schema.Field)
  /// The type, encryption or number preference of a field changed.
  case fieldTypeChanged(
    recordType: String, field: String, from: Schema.FieldType, to: Schema.FieldType)
  /// The indexes of a field changed.
  case optionsChanged(
    recordType: String, field: String, from: Schema.IndexOptions, to: Schema.IndexOptions)
  /// The permissions of a role on a record type changed. An empty set means no grant.
  case grantChanged(
    recordType: String, role: String, from: Schema.Permissions, to: Schema.Permissions)
}

extension SchemaChange {
  /// The values that identify a change. Names are compared by their bytes; see `NameKey`.
  private struct Identity: Hashable {
    var number: Int
    var names: [NameKey] = []
    var recordType: Schema.RecordType?
    var field: Schema.Field?
    var types: [Schema.FieldType] = []
    var bits: [UInt8] = []
  }

  private var identity: Identity {
    switch self {
    case .roleAdded(let role): Identity(number: 0, names: [NameKey(role)])
    case .roleRemoved(let role): Identity(number: 1, names: [NameKey(role)])
    case .recordTypeAdded(let type): Identity(number: 2, recordType: type)
    case .recordTypeRemoved(let type): Identity(number: 3, recordType: type)
    case .fieldAdded(let type, let field):
      Identity(number: 4, names: [NameKey(type)], field: field)
    case .fieldRemoved(let type, let field):
      Identity(number: 5, names: [NameKey(type)], field: field)
    case .fieldTypeChanged(let type, let field, let from, let to):
      Identity(number: 6, names: [NameKey(type), NameKey(field)], types: [from, to])
    case .optionsChanged(let type, let field, let from, let to):
      Identity(
        number: 7, names: [NameKey(type), NameKey(field)], bits: [from.rawValue, to.rawValue])
    case .grantChanged(let type, let role, let from, let to):
      Identity(
        number: 8, names: [NameKey(type), NameKey(role)], bits: [from.rawValue, to.rawValue])
    }
  }

  /// Returns whether two changes are equal. Names are compared by their bytes.
  public static func == (lhs: SchemaChange, rhs: SchemaChange) -> Bool {
    lhs.identity == rhs.identity
  }

  /// Hashes the values that ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
