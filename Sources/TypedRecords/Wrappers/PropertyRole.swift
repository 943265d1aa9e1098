import RecordModel

/// What a property wrapper says about a property.
enum PropertyRole: Sendable {
  case encrypted
  case json(JSONForm)
  case recordName
  case recordID
  case parent
  case recordChangeTag
  case creationDate
  case modificationDate
  case creatorUserRecordID
  case lastModifiedUserRecordID

  /// The system field, as the value of a field; nil if the record has none.
  func systemField(of record: any FieldSource) -> RecordValue? {
    func user(_ recordID: RecordID?) -> RecordValue? {
      recordID.map { .reference(Reference(recordID: $0)) }
    }
    return switch self {
    case .encrypted, .json: nil
    case .recordName: .string(record.recordID.recordName)
    case .recordID: .reference(Reference(recordID: record.recordID))
    case .parent: record.systemFields.parent.map(RecordValue.reference)
    case .recordChangeTag: record.systemFields.recordChangeTag.map(RecordValue.string)
    case .creationDate: record.systemFields.creationDate.map(RecordValue.timestamp)
    case .modificationDate: record.systemFields.modificationDate.map(RecordValue.timestamp)
    case .creatorUserRecordID: user(record.systemFields.creatorUserRecordID)
    case .lastModifiedUserRecordID: user(record.systemFields.lastModifiedUserRecordID)
    }
  }
}

extension Decoder {
  /// Decodes the value of a property wrapper: from the record, or from any other coder as it is.
  func wrappedValue<Value: Decodable>(as role: PropertyRole) throws -> Value {
    guard var field = self as? FieldDecoder else {
      return try singleValueContainer().decode(Value.self)
    }
    switch role {
    case .encrypted: field.expectsEncrypted = true
    case .json: field.isJSON = true
    default:
      field.state.forgetRequest(of: field.name)
      field.value = role.systemField(of: field.state.source)
      (field.isSystemField, field.isEncrypted, field.expectsEncrypted) = (true, false, false)
    }
    return try field.read(Value.self)
  }
}

extension Encoder {
  /// Encodes the value of a property wrapper: into the draft, or into any other coder as it is.
  func encode<Value: Encodable>(wrappedValue: Value, as role: PropertyRole) throws {
    if let field = self as? FieldEncoder { return try field.write(wrappedValue, as: role) }
    if case .encrypted = role, userInfo[NestedJSON.isPlainKey] != nil {
      throw EncryptedInPlainJSON(path: codingPath.map(\.stringValue).joined(separator: "."))
    }
    var container = singleValueContainer()
    try container.encode(wrappedValue)
  }
}

/// An encrypted property in JSON that would be written to a field that is not encrypted.
struct EncryptedInPlainJSON: Error {
  let path: String
}
