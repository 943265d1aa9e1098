import RecordModel

extension FieldEncoder {
  /// Writes the value of a property wrapper.
  func write<T: Encodable>(_ value: T, as role: PropertyRole) throws {
    switch role {
    case .encrypted:
      isEncrypted = true
      try write(value)
    case .json(let form):
      // `Encrypted` may also be the inner of two wrappers.
      if T.self is any EncryptedWrapper.Type { isEncrypted = true }
      if isNil(value) { writeNil() } else { writeJSON(try json(value, form)) }
    case .recordName:
      if !isNil(value) { try writeRecordName(value) }
      writeSystemField()
    case .recordID:
      if !isNil(value) { state.recordID = try identity(value) }
      writeSystemField()
    case .parent:
      try writeParent(value)
      writeSystemField()
    default: writeSystemField()
    }
  }

  private func writeRecordName<T: Encodable>(_ value: T) throws {
    let name = element(at: 0)
    try name.write(value)
    guard case .scalar(let scalar) = name.result, case .string = scalar.value else {
      throw failure(
        .unsupportedType, found: "@RecordName with \(T.self)",
        expected: "String, UUID or a type that is encoded as one of them")
    }
    state.recordName = scalar
  }

  private func identity<T>(_ value: T) throws -> RecordID {
    if let recordID = value as? RecordID { return recordID }
    throw failure(
      .unsupportedType, found: "@RecordIdentity with \(T.self)", expected: "RecordID")
  }

  private func writeParent<T>(_ value: T) throws {
    if isNil(value) {
      state.parent = EncodingState.Parent.none
    } else if let reference = value as? Reference {
      state.parent = .reference(reference)
    } else if let recordID = value as? RecordID {
      state.parent = .recordID(recordID)
    } else {
      throw failure(
        .unsupportedType, found: "@Parent with \(T.self)", expected: "Reference or RecordID")
    }
  }

  /// Returns the JSON of a value.
  func json<T: Encodable>(_ value: T, _ form: JSONForm) throws -> EncodedJSON {
    let (options, isEncrypted) = (state.options, isEncrypted)
    if !isEncrypted, listsEncryptedFields(T.self) {
      throw encryptedInPlainJSON("\(T.self), which has encrypted fields,")
    }
    do {
      let data = try NestedJSON.encode(value, isEncrypted: isEncrypted, userInfo: options.userInfo)
      return EncodedJSON(data: data, form: form) { stored in
        guard let type = T.self as? any Decodable.Type,
          let same = try? NestedJSON.decode(type, from: stored, userInfo: options.userInfo) as? T
        else { return nil }
        return try? NestedJSON.encode(same, isEncrypted: isEncrypted, userInfo: options.userInfo)
      }
    } catch let error as EncryptedInPlainJSON {
      throw encryptedInPlainJSON("the encrypted property '\(error.path)'")
    } catch let error as EncodingError {
      guard case .invalidValue(_, let context) = error else { throw error }
      throw failure(
        .invalidValue,
        found: isEncrypted ? "an encrypted value that is not JSON" : context.debugDescription,
        expected: "a value that JSON can hold")
    }
  }

  private func encryptedInPlainJSON(_ found: String) -> TypedRecordError {
    failure(
      .encryption, found: "\(found) in the JSON of an unencrypted field",
      expected: "@Encrypted before @JSONBytes or @JSONString, for all of the JSON")
  }

  /// Gives what was written to the encoding.
  func store() throws {
    let value: EncodedValue
    switch result {
    case .unwritten, .system: return
    case .nested: throw nestedError()
    case .null: value = .none
    case .scalar(let scalar): value = .scalar(scalar)
    case .list(let elements, let kind): value = .list(elements, type: kind)
    case .json(let json): value = .json(json)
    }
    try state.set(EncodedField(name: name, value: value, isEncrypted: isEncrypted))
  }

  func nestedError() -> TypedRecordError {
    failure(
      .nestedValue, found: "a value with properties, or a list of such",
      expected: "a type that one field holds, or @JSONBytes, @JSONString or a `nestedValueStrategy`"
    )
  }

  func recordIDError() -> TypedRecordError {
    failure(
      .unsupportedType, found: "a property of type RecordID",
      expected: "Reference, or @RecordIdentity for the identity of the record itself")
  }

  func failure(_ reason: ValueFailure, _ value: String) -> TypedRecordError {
    failure(
      reason.code, found: isEncrypted ? "an encrypted value" : value, expected: reason.expected)
  }

  func failure(
    _ code: TypedRecordError.Code, found: String, expected: String
  ) -> TypedRecordError {
    state.error(code, key: name, found: found, expected: expected)
  }
}

/// ``Encrypted``, whatever its value.
protocol EncryptedWrapper {}

extension Encrypted: EncryptedWrapper {}

/// Whether a type, or that of its elements, lists encrypted fields.
private func listsEncryptedFields(_ type: Any.Type) -> Bool {
  switch type {
  case let type as any EncryptedFields.Type: !type.encryptedKeys.isEmpty
  case let type as any NilCheckable.Type: listsEncryptedFields(type.wrappedType)
  case let type as any ListType.Type: listsEncryptedFields(type.elementType)
  case let type as any NestedType.Type: listsEncryptedFields(type.contentType)
  default: false
  }
}
