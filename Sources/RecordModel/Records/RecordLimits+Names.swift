extension RecordLimits {
  /// Checks the names of a record, its zone and its type.
  ///
  /// - Throws: ``CloudError`` with a ``CloudError/violation``.
  public func check(recordID: RecordID, recordType: String) throws {
    let subject = LimitViolation.Subject.record(recordID)
    try subject.checkASCII(
      recordID.recordName, recordNameLength, .recordNameLength, .recordNameCharacters,
      "a record name",
      mayStartWithUnderscore: recordType == UserRecord.recordType)
    try check(recordID.zoneID, subject)
    try check(recordType, subject)
  }

  /// Checks the names of a zone and its owner.
  ///
  /// - Throws: ``CloudError`` with a ``CloudError/violation``.
  public func check(zoneID: ZoneID) throws {
    try check(zoneID, .zone(zoneID))
  }

  /// Checks the name of a record type.
  ///
  /// - Throws: ``CloudError`` with a ``CloudError/violation``.
  public func check(recordType: String) throws {
    try check(recordType, .recordType(recordType))
  }

  /// Checks the identifier of a subscription.
  ///
  /// - Throws: ``CloudError`` with a ``CloudError/violation``.
  public func check(subscriptionID: String) throws {
    let subject = LimitViolation.Subject.subscription(subscriptionID)
    try subject.checkASCII(
      subscriptionID, subscriptionIDLength, .subscriptionIDLength, .subscriptionIDCharacters,
      "a subscription identifier")
  }

  /// Checks the name of a field.
  ///
  /// - Parameters:
  ///   - name: the name of the field.
  ///   - recordID: the record that has the field, for the error.
  /// - Throws: ``CloudError`` with a ``CloudError/violation``.
  public func check(fieldName name: String, in recordID: RecordID) throws {
    let subject = LimitViolation.Subject.record(recordID, key: name)
    try subject.checkLength(name, keyLength, .keyLength, "a field name")
    guard name.isSchemaName || name.hasPrefix("cloudkit.") && name.isPrintableASCII else {
      throw subject.error(
        .keyCharacters, "a field name with invalid characters",
        "a letter, then letters, digits and '_'")
    }
  }

  private func check(_ zoneID: ZoneID, _ subject: LimitViolation.Subject) throws {
    try subject.checkASCII(
      zoneID.zoneName, zoneNameLength, .zoneNameLength, .zoneNameCharacters, "a zone name",
      mayStartWithUnderscore: zoneID.isDefault)
    try subject.checkASCII(
      zoneID.ownerName, zoneNameLength, .zoneOwnerLength, .zoneOwnerCharacters,
      "the name of a zone's owner")
  }

  private func check(_ recordType: String, _ subject: LimitViolation.Subject) throws {
    try subject.checkLength(recordType, keyLength, .recordTypeLength, "a record type")
    guard recordType == Share.recordType || recordType.isSchemaName else {
      throw subject.error(
        .recordTypeCharacters, "a record type with invalid characters",
        "a letter, then letters, digits and '_'")
    }
  }
}

extension LimitViolation.Subject {
  func error(_ limit: LimitViolation.Limit, _ found: String, _ allowed: String) -> CloudError {
    CloudError(LimitViolation(limit, self, found: found, allowed: allowed))
  }

  fileprivate func checkLength(
    _ name: String, _ maxLength: Int, _ limit: LimitViolation.Limit, _ noun: String
  ) throws {
    let count = name.utf8.count
    guard count >= 1, count <= maxLength else {
      throw error(
        limit, count == 0 ? "\(noun) that is empty" : "\(noun) of \(count) characters",
        "1 to \(maxLength)")
    }
  }

  fileprivate func checkASCII(
    _ name: String, _ maxLength: Int, _ length: LimitViolation.Limit,
    _ characters: LimitViolation.Limit, _ noun: String, mayStartWithUnderscore: Bool = true
  ) throws {
    try checkLength(name, maxLength, length, noun)
    guard name.isPrintableASCII else {
      throw error(
        characters, "\(noun) with control or non-ASCII characters", "printable ASCII characters")
    }
    guard mayStartWithUnderscore || !name.hasPrefix("_") else {
      throw error(
        characters, "\(noun) that starts with '_'",
        "a name that does not start with '_', which is reserved for the server")
    }
  }
}

extension String {
  /// Whether this is a name the schema language allows without quotes: a letter, then letters,
  /// digits and underscores.
  fileprivate var isSchemaName: Bool {
    guard let first = utf8.first, first.isASCIILetter else { return false }
    return utf8.allSatisfy { $0.isASCIILetter || 0x30...0x39 ~= $0 || $0 == 0x5F }
  }

  fileprivate var isPrintableASCII: Bool { utf8.allSatisfy { 0x20...0x7E ~= $0 } }
}

extension UInt8 {
  fileprivate var isASCIILetter: Bool { 0x41...0x5A ~= self || 0x61...0x7A ~= self }
}
