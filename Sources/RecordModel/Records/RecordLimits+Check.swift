import struct Foundation.Date

extension RecordLimits {
  /// Checks that a draft can be saved.
  ///
  /// - Throws: ``CloudError`` with a ``CloudError/violation`` for the first limit it violates.
  public func check(_ draft: DraftRecord) throws {
    try check(recordID: draft.recordID, recordType: draft.recordType)
    let check = DraftCheck(limits: self, recordID: draft.recordID)
    var size = 0
    var references = 0
    for field in draft.fields {
      try check.field(field)
      size += field.name.utf8.count + field.value.approximateSize
      references += field.value.referenceCount
    }
    guard size <= recordSize else {
      throw check.error(.recordSize, nil, "\(size) bytes of values", "\(recordSize) bytes")
    }
    guard references <= referenceCount else {
      throw check.error(.referenceCount, nil, "\(references) references", "\(referenceCount)")
    }
  }
}

/// The checks of one draft.
private struct DraftCheck {
  let limits: RecordLimits
  let recordID: RecordID

  func error(
    _ limit: LimitViolation.Limit, _ key: String?, _ found: String, _ allowed: String
  ) -> CloudError {
    CloudError(
      LimitViolation(limit, .record(recordID, key: key), found: found, allowed: allowed))
  }

  func field(_ field: Field) throws {
    let name = field.name
    try limits.check(fieldName: name, in: recordID)
    try value(field.value, name)
    if field.isEncrypted && !field.value.isEncryptable {
      throw error(
        .encryptableType, name, "an encrypted value of type \(field.value.typeName)",
        "STRING, INT64, DOUBLE, TIMESTAMP, BYTES, LOCATION and lists of them")
    }
  }

  func value(_ value: RecordValue, _ key: String) throws {
    switch value {
    case .double(let number): try finite([number], key)
    case .doubleList(let numbers): try finite(numbers, key)
    case .timestamp(let date): try finite([date.timeIntervalSinceReferenceDate], key)
    case .timestampList(let dates):
      try finite(dates.map(\.timeIntervalSinceReferenceDate), key)
    case .location(let place): try location(place, key)
    case .locationList(let places): for place in places { try location(place, key) }
    case .asset(let asset): try self.asset(asset, key)
    case .assetList(let assets): for asset in assets { try self.asset(asset, key) }
    case .unknown(let type, _):
      throw error(.knownType, key, "a value of type '\(type)'", "the types of CloudKit's fields")
    default: break
    }
  }

  private func finite(_ numbers: [Double], _ key: String) throws {
    guard numbers.allSatisfy(\.isFinite) else {
      throw error(.finiteNumber, key, "a number that is infinite or not a number", "finite numbers")
    }
  }

  private func location(_ place: Location, _ key: String) throws {
    let others = [
      place.altitude, place.horizontalAccuracy, place.verticalAccuracy, place.course, place.speed,
      place.timestamp?.timeIntervalSinceReferenceDate,
    ]
    try finite([place.latitude, place.longitude] + others.compactMap { $0 }, key)
    guard -90...90 ~= place.latitude, -180...180 ~= place.longitude else {
      throw error(
        .locationRange, key, "a place off the globe",
        "latitudes of -90 to 90 and longitudes of -180 to 180 degrees")
    }
  }

  private func asset(_ asset: Asset, _ key: String) throws {
    if let most = limits.assetSize, let size = asset.size, size > most {
      throw error(.assetSize, key, "an asset of \(size) bytes", "\(most) bytes")
    }
    if let flaw = asset.flaw {
      throw error(
        .assetContent, key, flaw,
        "an asset made from data or a file, or one that a database returned")
    }
  }
}

extension Asset {
  /// The reason why no save accepts the asset; nil if there is none.
  fileprivate var flaw: String? {
    if let size, size < 0 { return "an asset of \(size) bytes" }
    if let sha256, !sha256.isSHA256 { return "an asset whose `sha256` is no SHA-256" }
    if case .file(let url) = content, !url.isFileURL { return "an asset whose URL is no file's" }
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
