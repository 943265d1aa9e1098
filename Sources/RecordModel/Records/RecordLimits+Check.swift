import struct Foundation.Date

extension RecordLimits {
  /// Checks that a draft can be saved.
  ///
  /// - Throws: ``CloudError`` with a ``CloudError/violation`` for the first limit it violates.
  public func check(_ draft: DraftRecord) throws {
    try check(draft.recordID, draft.recordType, draft.fields)
  }

  /// Checks that a record can be saved.
  ///
  /// - Throws: like ``check(_:)``.
  package func check(_ recordID: RecordID, _ recordType: String, _ fields: [Field]) throws {
    try check(recordID: recordID, recordType: recordType)
    var size = 0
    var references = 0
    for field in fields {
      try check(fieldName: field.name, in: recordID)
      if !field.value.fitsAnyLimit {
        let subject = LimitViolation.Subject.record(recordID, key: field.name)
        try FieldCheck(limits: self, subject: subject).value(field.value)
      }
      if field.isEncrypted && !field.value.isEncryptable {
        throw LimitViolation.Subject.record(recordID, key: field.name).error(
          .encryptableType, "an encrypted value of type \(field.value.typeName)",
          "STRING, INT64, DOUBLE, TIMESTAMP, BYTES, LOCATION and lists of them")
      }
      size += field.name.utf8.count + field.value.approximateSize
      references += field.value.referenceCount
    }
    let subject = LimitViolation.Subject.record(recordID)
    guard size <= recordSize else {
      throw subject.error(.recordSize, "\(size) bytes of values", "\(recordSize) bytes")
    }
    guard references <= referenceCount else {
      throw subject.error(.referenceCount, "\(references) references", "\(referenceCount)")
    }
  }
}

/// The checks of one field.
private struct FieldCheck {
  let limits: RecordLimits
  let subject: LimitViolation.Subject

  func value(_ value: RecordValue) throws {
    switch value {
    case .double(let number): try finite([number])
    case .timestamp(let date): try finite([date.timeIntervalSinceReferenceDate])
    case .location(let place): try location(place)
    case .asset(let asset): try self.asset(asset)
    case .doubleList, .timestampList, .locationList, .assetList:
      for element in value.elements ?? [] { try self.value(element) }
    case .unknown(let type, _):
      throw subject.error(.knownType, "a value of type '\(type)'", "a field type of CloudKit")
    default: break
    }
  }

  private func finite(_ numbers: [Double]) throws {
    guard numbers.allSatisfy(\.isFinite) else {
      throw subject.error(.finiteNumber, "a number that is not finite", "a finite number")
    }
  }

  private func location(_ place: Location) throws {
    let others = [
      place.altitude, place.horizontalAccuracy, place.verticalAccuracy, place.course, place.speed,
      place.timestamp?.timeIntervalSinceReferenceDate,
    ]
    try finite([place.latitude, place.longitude] + others.compactMap { $0 })
    guard -90...90 ~= place.latitude, -180...180 ~= place.longitude else {
      throw subject.error(
        .locationRange, "a latitude or longitude out of range",
        "latitudes of -90 to 90 and longitudes of -180 to 180 degrees")
    }
  }

  private func asset(_ asset: Asset) throws {
    if let most = limits.assetSize, let size = asset.size, size > most {
      throw subject.error(.assetSize, "an asset of \(size) bytes", "\(most) bytes")
    }
    if let invalidReason = asset.invalidReason {
      throw subject.error(
        .assetContent, invalidReason,
        "an asset with data or a file, or one that a database returned")
    }
  }
}

extension Asset {
  /// The reason why no save accepts the asset; nil if there is none.
  fileprivate var invalidReason: String? {
    if let size, size < 0 { return "an asset of \(size) bytes" }
    if let sha256, !sha256.isSHA256 { return "an asset with an invalid `sha256`" }
    if case .file(let url) = content, !url.isFileURL {
      return "an asset whose URL is not a file URL"
    }
    let isKnown = content != nil || sha256 != nil || fileChecksum != nil || receipt != nil
    return isKnown || downloadURL != nil ? nil : "an asset without content"
  }
}

extension String {
  /// Whether this is a SHA-256 digest in lower-case hexadecimal digits.
  fileprivate var isSHA256: Bool {
    utf8.count == 64 && utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
  }
}

extension RecordValue {
  /// Whether the value is within all limits on single values, whatever they are.
  fileprivate var fitsAnyLimit: Bool {
    switch self {
    case .double(let number): number.isFinite
    case .timestamp(let date): date.timeIntervalSinceReferenceDate.isFinite
    case .string, .int64, .bytes, .reference, .stringList, .int64List, .bytesList, .referenceList,
      .emptyList:
      true
    default: false
    }
  }

  /// Whether CloudKit can encrypt the value: true for all types but references, assets and unknown
  /// ones.
  public var isEncryptable: Bool {
    switch self {
    case .reference, .referenceList, .asset, .assetList, .unknown: false
    default: true
    }
  }

  /// The approximate size of the value in bytes, as counted towards the size of the record; 0 for
  /// assets.
  package var approximateSize: Int {
    switch self {
    case .string(let value): value.utf8.count
    case .int64, .double, .timestamp: 8
    case .bytes(let value): value.count
    case .location: 64
    case .reference(let value): value.recordID.recordName.utf8.count
    case .stringList(let list): list.reduce(0) { $0 + $1.utf8.count }
    case .int64List(let list): list.count * 8
    case .doubleList(let list): list.count * 8
    case .timestampList(let list): list.count * 8
    case .bytesList(let list): list.reduce(0) { $0 + $1.count }
    case .locationList(let list): list.count * 64
    case .referenceList(let list): list.reduce(0) { $0 + $1.recordID.recordName.utf8.count }
    case .asset, .assetList, .emptyList, .unknown: 0
    }
  }

  var referenceCount: Int {
    switch self {
    case .reference: 1
    case .referenceList(let list): list.count
    default: 0
    }
  }
}
