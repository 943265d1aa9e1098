extension RecordLimits {
  /// Checks the names of a record, its zone and its type.
  ///
  /// - Throws: ``CloudError`` with a ``CloudError/violation``.
  public func check(recordID: RecordID, recordType: String) throws {
    let check = NameCheck(.record(recordID))
    let name = recordID.recordName
    try check.length(name, recordNameLength, .recordNameLength, "a record name")
    try check.ascii(name, .recordNameCharacters, "a record name")
    guard !name.hasPrefix("_") || recordType == UserRecord.recordType else {
      throw check.error(
        .recordNameCharacters, "a record name that starts with '_'",
        "names that start otherwise; '_' is the server's")
    }
    try self.check(recordID.zoneID, check)
    try self.check(recordType, check)
  }

  /// Checks the names of a zone and its owner.
  ///
  /// - Throws: ``CloudError`` with a ``CloudError/violation``.
  public func check(zoneID: ZoneID) throws {
    try check(zoneID, NameCheck(.zone(zoneID)))
  }

  /// Checks the name of a record type.
  ///
  /// - Throws: ``CloudError`` with a ``CloudError/violation``.
  public func check(recordType: String) throws {
    try check(recordType, NameCheck(.recordType(recordType)))
  }

  /// Checks the identifier of a subscription.
  ///
  /// - Throws: ``CloudError`` with a ``CloudError/violation``.
  public func check(subscriptionID: String) throws {
    let check = NameCheck(.subscription(subscriptionID))
    try check.length(
      subscriptionID, subscriptionIDLength, .subscriptionIDLength, "an identifier")
    try check.ascii(subscriptionID, .subscriptionIDCharacters, "an identifier")
  }

  /// Checks the name of a field.
  ///
  /// - Parameters:
  ///   - name: the name of the field.
  ///   - recordID: the record that has the field, for the error.
  /// - Throws: ``CloudError`` with a ``CloudError/violation``.
  public func check(fieldName name: String, in recordID: RecordID) throws {
    let check = NameCheck(.record(recordID, key: name))
    try check.length(name, keyLength, .keyLength, "a name")
    guard name.isSchemaName || name.hasPrefix("cloudkit.") && name.isPrintableASCII else {
      throw check.error(
        .keyCharacters, "a name with other characters", "a letter, then letters, digits and '_'")
    }
  }

  private func check(_ zoneID: ZoneID, _ check: NameCheck) throws {
    let name = zoneID.zoneName
    try check.length(name, zoneNameLength, .zoneNameLength, "a zone name")
    try check.ascii(name, .zoneNameCharacters, "a zone name")
    guard !name.hasPrefix("_") || zoneID.isDefault else {
      throw check.error(
        .zoneNameCharacters, "a zone name that starts with '_'",
        "names that start otherwise; '_' is the server's")
    }
    let owner = zoneID.ownerName
    try check.length(owner, zoneNameLength, .zoneOwnerLength, "the name of a zone's owner")
    try check.ascii(owner, .zoneOwnerCharacters, "the name of a zone's owner")
  }

  private func check(_ recordType: String, _ check: NameCheck) throws {
    try check.length(recordType, keyLength, .recordTypeLength, "a record type")
    guard recordType == Share.recordType || recordType.isSchemaName else {
      throw check.error(
        .recordTypeCharacters, "a record type with other characters",
        "a letter, then letters, digits and '_'")
    }
  }
}

/// The checks that apply to all names.
private struct NameCheck {
  let subject: LimitViolation.Subject

  init(_ subject: LimitViolation.Subject) { self.subject = subject }

  func error(_ limit: LimitViolation.Limit, _ found: String, _ allowed: String) -> CloudError {
    CloudError(LimitViolation(limit, subject, found: found, allowed: allowed))
  }

  func length(
    _ name: String, _ longest: Int, _ limit: LimitViolation.Limit, _ what: String
  ) throws {
    let count = name.utf8.count
    guard count >= 1, count <= longest else {
      throw error(
        limit, count == 0 ? "\(what) that is empty" : "\(what) of \(count) characters",
        "1 to \(longest)")
    }
  }

  func ascii(_ name: String, _ limit: LimitViolation.Limit, _ what: String) throws {
    guard name.isPrintableASCII else {
      throw error(
        limit, "\(what) with characters beyond ASCII, or control characters",
        "printable ASCII characters")
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
