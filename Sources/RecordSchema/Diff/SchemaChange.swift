import RecordModel

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

extension SchemaChange {
  /// Names are compared by their bytes; see `NameKey`.
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

  /// Whether both are the same change, names compared by their bytes.
  public static func == (lhs: SchemaChange, rhs: SchemaChange) -> Bool {
    lhs.identity == rhs.identity
  }

  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
