import struct Foundation.Date

extension RecordLimits {
  /// Checks what a draft would save.
  ///
  /// - Throws: ``RecordLimitError`` for the first limit that is met.
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

  /// Checks the names of a record: its own, its zone's and its type's.
  public func check(recordID: RecordID, recordType: String) throws {
    let check = DraftCheck(limits: self, recordID: recordID)
    let name = recordID.recordName
    try check.length(name, 1...recordNameLength, .recordNameLength, "a record name")
    guard name.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
      throw check.error(.recordNameCharacters, nil, "characters that are not ASCII", "ASCII")
    }
    guard !name.hasPrefix("_") || recordType == "Users" else {
      throw check.error(
        .recordNameCharacters, nil, "a record name that starts with '_'",
        "names that start otherwise; '_' is the server's")
    }
    let zoneName = recordID.zoneID.zoneName
    try check.length(zoneName, 1...zoneNameLength, .zoneNameLength, "a zone name")
    guard zoneName.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
      throw check.error(
        .zoneNameCharacters, nil, "a zone name that is not ASCII", "ASCII characters")
    }
    try check.length(recordType, 1...keyLength, .recordTypeLength, "a record type")
    guard recordType == "cloudkit.share" || recordType.isSchemaName else {
      throw check.error(
        .recordTypeCharacters, nil, "record type '\(recordType)'",
        "a letter, then letters, digits and '_'")
    }
  }
}

/// The checks of one draft.
private struct DraftCheck {
  let limits: RecordLimits
  let recordID: RecordID

  func error(
    _ limit: RecordLimitError.Limit, _ key: String?, _ found: String, _ allowed: String
  ) -> RecordLimitError {
    RecordLimitError(limit: limit, recordID: recordID, key: key, found: found, allowed: allowed)
  }

  func length(
    _ text: String, _ range: ClosedRange<Int>, _ limit: RecordLimitError.Limit, _ what: String
  ) throws {
    guard range.contains(text.utf8.count) else {
      throw error(
        limit, nil, "\(what) of \(text.utf8.count) characters",
        "\(range.lowerBound) to \(range.upperBound)")
    }
  }

  func field(_ field: Field) throws {
    let name = field.name
    guard 1...limits.keyLength ~= name.utf8.count else {
      throw error(
        .keyLength, name, "a name of \(name.utf8.count) characters", "1 to \(limits.keyLength)")
    }
    guard name.isSchemaName || name.hasPrefix("cloudkit.") else {
      throw error(
        .keyCharacters, name, "a name with other characters",
        "a letter, then letters, digits and '_'")
    }
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
  }
}

extension RecordValue {
  /// Whether CloudKit can keep the value among the encrypted ones: not references, not assets.
  public var isEncryptable: Bool {
    switch self {
    case .reference, .referenceList, .asset, .assetList, .unknown: false
    default: true
    }
  }

  /// About how many bytes the value counts towards the size of its record; assets count nothing.
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

extension String {
  /// Whether this is a name the schema language takes without quotes: a letter, then letters,
  /// digits and underscores.
  var isSchemaName: Bool {
    guard let first = utf8.first, first.isASCIILetter else { return false }
    return utf8.allSatisfy { $0.isASCIILetter || 0x30...0x39 ~= $0 || $0 == 0x5F }
  }
}

extension UInt8 {
  fileprivate var isASCIILetter: Bool { 0x41...0x5A ~= self || 0x61...0x7A ~= self }
}
