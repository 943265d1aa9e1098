import RecordModel

extension EncodingState {
  /// Writes what has been encoded to a draft.
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
    if let recordName, !recordName.isHeld(by: .string(own.recordName)) {
      throw error(
        .identity, found: "the record name '\(recordName.text)' in the value",
        expected: "that of the draft, '\(own.recordName)'")
    }
    if let recordID, recordID != own {
      throw error(
        .identity, found: "the record ID '\(recordID)' in the value",
        expected: "that of the draft, '\(own)'")
    }
  }

  private func write(_ field: EncodedField, to draft: inout DraftRecord) throws {
    let stored = draft.field(named: field.name)
    if let known = draft.field(named: field.name, encryptedUnlike: field.isEncrypted) {
      throw error(
        .encryption, key: field.name,
        found: known.isEncrypted
          ? "an encrypted field, but a property without @Encrypted"
          : "an unencrypted field, but a property with @Encrypted",
        expected: known.isEncrypted
          ? "a property that is marked with @Encrypted" : "a property without @Encrypted")
    }
    switch field.value.change(of: stored?.value) {
    case .none: break
    case .remove: draft.setField(field.name, to: nil, isEncrypted: field.isEncrypted)
    case .set(let value):
      try check(value, of: field)
      draft.setField(field.name, to: value, isEncrypted: field.isEncrypted)
    case .mixed:
      throw error(
        .wrongType, key: field.name, found: "a list of values of different types",
        expected: "a list of values of one type")
    }
  }

  private func check(_ value: RecordValue, of field: EncodedField) throws {
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
}

extension EncodedScalar {
  /// The text, if it is one.
  var text: String {
    if case .string(let text) = value { text } else { value.typeName }
  }
}
