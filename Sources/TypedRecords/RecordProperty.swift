/// A property that is more, or something other, than the field with its name.
///
/// Use it through its aliases: ``Encrypted``, ``RecordName``, ``Parent``, ``JSONBytes`` and others.
///
/// Other coders write and read the value of the wrapper alone: in JSON, the wrappers do not show.
@propertyWrapper
public struct RecordProperty<Role: RecordPropertyRole, Value> {
  /// The value of the property.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension RecordProperty: Sendable where Value: Sendable {}
extension RecordProperty: Equatable where Value: Equatable {}
extension RecordProperty: Hashable where Value: Hashable {}

extension RecordProperty: ExpressibleByNilLiteral where Value: ExpressibleByNilLiteral {
  /// Wraps nil.
  public init(nilLiteral: ()) { wrappedValue = nil }
}

extension RecordProperty: Decodable where Value: Decodable {
  /// Decodes the property from a record, or the value alone from another decoder.
  public init(from decoder: any Decoder) throws {
    if let field = decoder as? FieldDecoder {
      wrappedValue = try field.read(Value.self, as: Self.role)
    } else {
      wrappedValue = try decoder.singleValueContainer().decode(Value.self)
    }
  }
}

extension RecordProperty: Encodable where Value: Encodable {
  /// Encodes the property into a draft, or the value alone into another encoder.
  public func encode(to encoder: any Encoder) throws {
    if let field = encoder as? FieldEncoder { return try field.write(wrappedValue, as: Self.role) }
    if Self.role == .encrypted, encoder.userInfo[NestedJSON.isPlainKey] != nil {
      throw EncryptedInPlainJSON(
        path: encoder.codingPath.map(\.stringValue).joined(separator: "."))
    }
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension KeyedDecodingContainer {
  /// Decodes the wrapper of an optional property; nil if the key is not there.
  public func decode<Role, Value: Decodable & ExpressibleByNilLiteral>(
    _ type: RecordProperty<Role, Value>.Type, forKey key: Key
  ) throws -> RecordProperty<Role, Value> {
    try decodeIfPresent(type, forKey: key) ?? nil
  }
}

extension KeyedEncodingContainer {
  /// Encodes the wrapper of an optional property; the key is left out if it is nil.
  public mutating func encode<Role, Value: Encodable & ExpressibleByNilLiteral>(
    _ value: RecordProperty<Role, Value>, forKey key: Key
  ) throws {
    // A literal would be a wrapper around nil.
    try encodeIfPresent(value.isNil ? Optional.none : value, forKey: key)
  }
}

// MARK: - Aliases

/// A property in an encrypted field: one of the record's `encryptedValues`.
///
/// ```swift
/// struct Message: Codable {
///   @Encrypted var text: String?
///   var sentAt: Date?
/// }
/// ```
///
/// A property with this wrapper is never decoded from an unencrypted field, and one without it never
/// from an encrypted field: both are an error. Encoding does not change whether a field is encrypted
/// either.
///
/// CloudKit encrypts all types of values except references and assets. To encrypt nested JSON, put
/// this wrapper before ``JSONBytes`` or ``JSONString``.
public typealias Encrypted<Value> = RecordProperty<RecordPropertyRoles.Encrypted, Value>

/// A property as JSON in a `BYTES` field, for types that no field can hold.
///
/// ```swift
/// struct Drawing: Codable {
///   @JSONBytes var strokes: [Stroke] = []
/// }
/// ```
///
/// The JSON is that of `JSONEncoder`, with sorted members. A record whose field is a `STRING` keeps
/// it as one. If anything in the value changes, the whole field is written, without the members that
/// the type does not know.
///
/// The JSON of a property without ``Encrypted`` must not contain properties with it: encoding these
/// is an error.
public typealias JSONBytes<Value> = RecordProperty<RecordPropertyRoles.JSONBytes, Value>

/// A property as JSON in a `STRING` field, for types that no field can hold.
///
/// The rules are those of ``JSONBytes``.
public typealias JSONString<Value> = RecordProperty<RecordPropertyRoles.JSONString, Value>

/// The name of the record: a `String`, a `UUID`, or a type that is encoded as one of them.
///
/// ```swift
/// struct Message: Codable {
///   @RecordName var id: UUID
///   var text: String?
/// }
/// ```
///
/// A new draft without an identifier gets this name. Encoding into a draft with another name is an
/// error; nil fits any name.
public typealias RecordName<Value> = RecordProperty<RecordPropertyRoles.RecordName, Value>

/// The record's identity, its name and zone: a `RecordID`.
///
/// A new draft without an identifier gets this one. Encoding into a draft with another one is an
/// error; nil fits any. `RecordID` is `Codable` with `RecordCoding`; see <doc:CodableTypes>.
public typealias RecordIdentity<Value> = RecordProperty<RecordPropertyRoles.RecordIdentity, Value>

/// The record's parent in the sharing hierarchy: a `Reference`, or the parent's `RecordID`.
///
/// ```swift
/// struct Message: Codable {
///   @Parent var chat: Reference?
/// }
/// ```
///
/// Encoding sets the parent of the draft if it differs, and removes it if the property is nil.
/// `Reference` and `RecordID` are `Codable` with `RecordCoding`; see <doc:CodableTypes>.
public typealias Parent<Value> = RecordProperty<RecordPropertyRoles.Parent, Value>

/// The record's change tag: a `String?`. It is nil for a record that was never saved, and it is not
/// encoded: a draft has the tag of the record it was created from.
public typealias RecordChangeTag<Value> = RecordProperty<RecordPropertyRoles.ChangeTag, Value>

/// The time of the record's first save: a `Date?`. It is nil for a record that was never saved, and
/// it is not encoded: the server sets it.
public typealias CreationDate<Value> = RecordProperty<RecordPropertyRoles.CreationDate, Value>

/// The time of the record's last save: a `Date?`. It is nil for a record that was never saved, and
/// it is not encoded: the server sets it.
public typealias ModificationDate<Value> =
  RecordProperty<RecordPropertyRoles.ModificationDate, Value>

/// The user who first saved the record: a `RecordID?`. It is nil for a record that was never saved,
/// and it is not encoded: the server sets it.
public typealias CreatorUserRecordID<Value> = RecordProperty<RecordPropertyRoles.Creator, Value>

/// The user who last saved the record: a `RecordID?`. It is nil for a record that was never saved,
/// and it is not encoded: the server sets it.
public typealias LastModifiedUserRecordID<Value> =
  RecordProperty<RecordPropertyRoles.LastModifiedUser, Value>

// MARK: - Roles

/// The part of a record that a ``RecordProperty`` is. Only ``RecordPropertyRoles`` conform to it.
public protocol RecordPropertyRole: Sendable {}

/// The roles of properties, which the aliases of ``RecordProperty`` name.
public enum RecordPropertyRoles {
  /// An encrypted field.
  public enum Encrypted: RecordPropertyRole {}
  /// JSON in a `BYTES` field.
  public enum JSONBytes: RecordPropertyRole {}
  /// JSON in a `STRING` field.
  public enum JSONString: RecordPropertyRole {}
  /// The record's name.
  public enum RecordName: RecordPropertyRole {}
  /// The record's name and zone.
  public enum RecordIdentity: RecordPropertyRole {}
  /// The record's parent.
  public enum Parent: RecordPropertyRole {}
  /// The record's change tag.
  public enum ChangeTag: RecordPropertyRole {}
  /// The time of the first save.
  public enum CreationDate: RecordPropertyRole {}
  /// The time of the last save.
  public enum ModificationDate: RecordPropertyRole {}
  /// The user who first saved the record.
  public enum Creator: RecordPropertyRole {}
  /// The user who last saved the record.
  public enum LastModifiedUser: RecordPropertyRole {}
}

enum PropertyRole {
  /// The property is the field, as without a wrapper.
  case field
  case encrypted, jsonBytes, jsonString
  case recordName, recordIdentity, parent
  case changeTag, creationDate, modificationDate, creator, lastModifiedUser
}

/// ``RecordProperty``, whatever its role and value.
protocol AnyRecordProperty {
  static var role: PropertyRole { get }
}

extension RecordProperty: AnyRecordProperty {
  static var role: PropertyRole {
    switch Role.self {
    case is RecordPropertyRoles.Encrypted.Type: .encrypted
    case is RecordPropertyRoles.JSONBytes.Type: .jsonBytes
    case is RecordPropertyRoles.JSONString.Type: .jsonString
    case is RecordPropertyRoles.RecordName.Type: .recordName
    case is RecordPropertyRoles.RecordIdentity.Type: .recordIdentity
    case is RecordPropertyRoles.Parent.Type: .parent
    case is RecordPropertyRoles.ChangeTag.Type: .changeTag
    case is RecordPropertyRoles.CreationDate.Type: .creationDate
    case is RecordPropertyRoles.ModificationDate.Type: .modificationDate
    case is RecordPropertyRoles.Creator.Type: .creator
    case is RecordPropertyRoles.LastModifiedUser.Type: .lastModifiedUser
    default: .field
    }
  }
}

extension RecordProperty: NilCheckable {
  var isNil: Bool { TypedRecords.isNil(wrappedValue) }
}
