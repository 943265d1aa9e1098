import RecordModel

/// Encodes Swift types into drafts, as `JSONEncoder` does into JSON.
///
/// ```swift
/// var draft = DraftRecord(record)
/// try RecordEncoder().encode(message, into: &draft)
/// ```
///
/// Encoding changes only what differs. A field that already holds the value of its property stays as
/// it is, and so do fields that the type has no property for. A property that is nil removes its
/// field. See <doc:CodableTypes> for the rules.
public struct RecordEncoder: Sendable {
  /// The names of the fields of properties.
  public var keyStrategy = KeyStrategy.useDefaultKeys
  /// Values for the encoded types.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// Creates an encoder with the default strategies.
  public init() {}

  /// Encodes a value into a draft. Fields that differ from the draft become changed keys.
  ///
  /// - Throws: `TypedRecordError` if a property cannot be a field, and what the type's own
  ///   `encode(to:)` throws that is not an `EncodingError`. The draft is then as it was.
  package func encode<T: Encodable>(_ value: T, into draft: inout DraftRecord) throws {
    let state = EncodingState(type(of: value), options: self, draft: draft)
    try state.locatingErrors(draft.recordType, draft.recordID) {
      try state.encode(value)
      // All or nothing.
      var changed = draft
      try state.write(to: &changed)
      draft = changed
    }
  }

  /// Returns a draft of a new record with the value's properties.
  ///
  /// - Parameters:
  ///   - value: the value. If it has a ``RecordName`` or ``RecordIdentity``, it must be that of
  ///     `recordID`.
  ///   - recordType: the type of the record.
  ///   - recordID: the identity of the record.
  /// - Throws: like ``encode(_:into:)``.
  package func draft<T: Encodable>(
    from value: T, recordType: String, recordID: RecordID
  ) throws -> DraftRecord {
    var draft = DraftRecord(recordType: recordType, recordID: recordID)
    try encode(value, into: &draft)
    return draft
  }

  /// Returns a draft of a new record with the value's properties. Its name is the value's
  /// ``RecordName`` or that of its ``RecordIdentity``; if the value has neither, a random UUID.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - recordType: the type of the record.
  ///   - zoneID: the zone of the record; nil for that of the value's ``RecordIdentity``, or the
  ///     default zone.
  /// - Throws: like ``encode(_:into:)``.
  package func draft<T: Encodable>(
    from value: T, recordType: String, zoneID: ZoneID? = nil
  ) throws -> DraftRecord {
    let state = EncodingState(type(of: value), options: self, draft: nil)
    return try state.locatingErrors(recordType, nil) {
      try state.encode(value)
      let zoneID = zoneID ?? state.recordID?.zoneID ?? .default
      let name = state.recordName ?? state.recordID?.recordName
      var draft =
        name.map { name in
          DraftRecord(
            recordType: recordType, recordID: RecordID(recordName: name, zoneID: zoneID))
        } ?? DraftRecord(recordType: recordType, zoneID: zoneID)
      try state.write(to: &draft)
      return draft
    }
  }
}

/// One encoding of a value: the changes to write to a draft.
final class EncodingState {
  let options: RecordEncoder
  let typeName: String
  let userInfo: [CodingUserInfoKey: Any]
  /// The draft as it is before; nil for a new record without an identity.
  let draft: DraftRecord?

  private var fields: [FieldEncoder] = []
  private var places: [ExactString: Int] = [:]
  /// The encoders that a type has been given to use later.
  private var open: [FieldEncoder] = []
  /// The names of encrypted properties, whose values no error may contain.
  private var encryptedNames: Set<ExactString> = []
  /// Whether the value is encoded as one with properties.
  var hasProperties = false

  var recordName: String?
  var recordID: RecordID?
  /// The parent; nil if there is no property for it.
  var parent: Parent?

  enum Parent {
    case none
    case reference(Reference)
    case recordID(RecordID)
  }

  init(_ type: Any.Type, options: RecordEncoder, draft: DraftRecord?) {
    self.options = options
    self.draft = draft
    typeName = "\(type)"
    userInfo = options.userInfo
  }

  func encode<T: Encodable>(_ value: T) throws {
    try TopEncoder(state: self).encode(value)
    for field in open { try field.store() }
    guard hasProperties else { throw unsupported("\(typeName), which has encoded nothing") }
  }

  func field(of key: any CodingKey) -> FieldEncoder {
    let name = options.keyStrategy.fieldName(of: key)
    return FieldEncoder(
      state: self, key: key, name: name, stored: draft?.field(named: name)?.value)
  }

  /// A field whose encoder the type uses after the call.
  func openField(of key: any CodingKey) -> FieldEncoder {
    let field = field(of: key)
    open.append(field)
    return field
  }

  func noteEncrypted(_ name: String) { encryptedNames.insert(ExactString(name)) }

  func store(_ field: FieldEncoder) throws {
    let key = ExactString(field.name)
    if let place = places[key] {
      guard fields[place].isEncrypted == field.isEncrypted else {
        throw error(
          .encryption, key: field.name, found: "an encrypted and an unencrypted property",
          expected: "one property for each field")
      }
      fields[place] = field
    } else {
      places[key] = fields.count
      fields.append(field)
    }
  }

  // MARK: Writing

  /// Writes the encoded properties to a draft.
  func write(to draft: inout DraftRecord) throws {
    try checkIdentity(of: draft)
    for field in fields { try write(field, to: &draft) }
    switch parent {
    case nil: break
    case .some(.none): if draft.parent != nil { draft.parent = nil }
    case .reference(let reference): if draft.parent != reference { draft.parent = reference }
    case .recordID(let recordID):
      if draft.parent?.recordID != recordID { draft.parent = Reference(recordID: recordID) }
    }
  }

  private func checkIdentity(of draft: DraftRecord) throws {
    let own = draft.recordID
    if let recordName, !recordName.sameScalars(as: own.recordName) {
      throw error(
        .identity, found: "the record name '\(recordName)' in the value",
        expected: "that of the draft, '\(own.recordName)'")
    }
    if let recordID, recordID != own {
      throw error(
        .identity, found: "the record ID '\(recordID)' in the value",
        expected: "that of the draft, '\(own)'")
    }
  }

  private func write(_ field: FieldEncoder, to draft: inout DraftRecord) throws {
    if let known = draft.field(named: field.name, encryptedUnlike: field.isEncrypted) {
      throw error(
        .encryption, key: field.name,
        found: known.isEncrypted
          ? "an encrypted field, but a property without @Encrypted"
          : "an unencrypted field, but a property with @Encrypted",
        expected: known.isEncrypted
          ? "a property that is marked with @Encrypted" : "a property without @Encrypted")
    }
    let value = try field.finalValue()
    // A draft does not know the fields of the record if it was created from system fields.
    if let value, value == draft.field(named: field.name)?.value { return }
    if let value { try check(value, of: field) }
    draft.setField(field.name, to: value, isEncrypted: field.isEncrypted)
  }

  private func check(_ value: RecordValue, of field: FieldEncoder) throws {
    guard value.isFinite else {
      throw error(
        .invalidValue, key: field.name, found: "a \(value.typeName) that is not finite",
        expected: "a finite number or date")
    }
    guard !field.isEncrypted || value.isEncryptable else {
      throw error(
        .encryption, key: field.name, found: "an encrypted property of type \(value.typeName)",
        expected: "a type that CloudKit encrypts, which references and assets are not")
    }
  }

  // MARK: Errors

  func unsupported(_ found: String) -> TypedRecordError {
    error(
      .unsupportedType, found: found,
      expected: "a type with properties, which become the fields of the record")
  }

  func error(
    _ code: TypedRecordError.Code, key: String? = nil, found: String, expected: String
  ) -> TypedRecordError {
    TypedRecordError(
      code, typeName: typeName, recordType: nil, recordID: nil, key: key, found: found,
      expected: expected)
  }

  /// Runs `body`, and adds the place in the record to its errors; an `EncodingError` contains the
  /// value itself.
  func locatingErrors<R>(
    _ recordType: String, _ recordID: RecordID?, _ body: () throws -> R
  ) throws -> R {
    do {
      return try body()
    } catch {
      var located: TypedRecordError
      switch error {
      case let error as TypedRecordError: located = error
      case EncodingError.invalidValue(_, let context):
        let name = context.codingPath.first.map { options.keyStrategy.fieldName(of: $0) }
        let mayBeSecret = name.map { encryptedNames.contains(ExactString($0)) } ?? true
        located = self.error(
          .invalidValue, key: name,
          found: mayBeSecret ? "a value that cannot be encoded" : context.debugDescription,
          expected: "a value that can be encoded")
      default: throw error
      }
      located.recordType = recordType
      located.recordID = recordID
      throw located
    }
  }
}
