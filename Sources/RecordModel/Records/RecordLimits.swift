import struct Foundation.Date

/// The limits on records, names and assets that are saved.
///
/// Sources: Apple's documentation of `CKRecord` (record names, key names), and of `CKRecordZone`
/// and its `ID` (zone and owner names). The archived *Data Size Limits* page of CloudKit Web
/// Services has 1 MB a record, 50 MB an asset and 750 references. The other sources are noted at
/// each property. The limits can be set because Apple has changed some before.
public struct RecordLimits: Sendable, Hashable {
  /// The maximum length of a record name, in ASCII characters: 255.
  public var recordNameLength = 255
  /// The maximum length of a zone name or owner name, in ASCII characters: 255.
  public var zoneNameLength = 255
  /// The maximum length of a record type or field name, in characters: 255.
  public var keyLength = 255
  /// The maximum length of a subscription identifier, in ASCII characters: 255, as for other names.
  /// Apple documents none.
  public var subscriptionIDLength = 255
  /// The maximum size of a record without its assets, in bytes: 1 MB (1,000,000).
  public var recordSize = 1_000_000
  /// The maximum size of an asset, in bytes: 50 MB, as Web Services document it. Nil for no limit,
  /// as in the framework.
  public var assetSize: Int64? = 50_000_000
  /// The maximum number of references in a record: 750.
  public var referenceCount = 750

  /// The limits CloudKit documents.
  public static let cloudKit = RecordLimits()

  /// Creates the limits CloudKit documents.
  public init() {}

  /// Checks the names of a record, its zone and its type.
  ///
  /// - Parameter isStored: whether the record exists: some on iCloud are not ASCII (IceCream #191).
  /// - Throws: ``CloudError`` for the first limit that is violated.
  package func check(recordID: RecordID, recordType: String, isStored: Bool = false) throws {
    let subject = LimitViolation.Subject.record(recordID)
    try subject.checkASCII(
      recordID.recordName, recordNameLength, .recordNameLength, .recordNameCharacters,
      "a record name",
      mayStartWithUnderscore: recordType == UserRecord.recordType, isStored: isStored)
    try check(recordID.zoneID, subject)
    try check(recordType, subject)
  }

  /// Checks the names of a zone and its owner.
  ///
  /// - Throws: ``CloudError`` for the first limit that is violated.
  package func check(zoneID: ZoneID) throws {
    try check(zoneID, .zone(zoneID))
  }

  /// Checks the name of a record type.
  ///
  /// - Throws: ``CloudError`` for the first limit that is violated.
  package func check(recordType: String) throws {
    try check(recordType, .recordType(recordType))
  }

  /// Checks the identifier of a subscription.
  ///
  /// - Throws: ``CloudError`` for the first limit that is violated.
  package func check(subscriptionID: String) throws {
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
  /// - Throws: ``CloudError`` for the first limit that is violated.
  package func check(fieldName name: String, in recordID: RecordID) throws {
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

  /// Checks that a draft can be saved.
  ///
  /// - Throws: ``CloudError`` for the first limit it violates.
  public func check(_ draft: DraftRecord) throws { try check(draft, isStored: false) }

  package func check(_ draft: DraftRecord, isStored: Bool) throws {
    for link in [draft.parent, draft.share].compactMap({ $0 }) {
      try LimitViolation.Subject.record(draft.recordID).checkReference(link, self)
    }
    try check(draft.recordID, draft.recordType, draft.fields, isStored: isStored)
  }

  /// Checks that a record can be saved, as ``check(_:)`` does.
  package func check(
    _ recordID: RecordID, _ recordType: String, _ fields: [Field], isStored: Bool = false
  ) throws {
    try check(recordID: recordID, recordType: recordType, isStored: isStored)
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

extension LimitViolation.Subject {
  /// Checks the name of a reference's target: a `CKRecord.ID` of another length cannot be made.
  fileprivate func checkReference(_ reference: Reference, _ limits: RecordLimits) throws {
    try checkLength(
      reference.recordID.recordName, limits.recordNameLength, .recordNameLength,
      "a reference to a record name")
  }

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
    _ characters: LimitViolation.Limit, _ noun: String, mayStartWithUnderscore: Bool = true,
    isStored: Bool = false
  ) throws {
    try checkLength(name, maxLength, length, noun)
    if isStored { return }
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

  /// Whether this is a SHA-256 digest in lower-case hexadecimal digits.
  fileprivate var isSHA256: Bool {
    utf8.count == 64 && utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
  }

  /// The name for an error message: control characters escaped, cut after 300 Unicode scalars.
  fileprivate var shownName: String {
    let maxCount = 300
    let shown = unicodeScalars.prefix(maxCount).reduce(into: "") { text, scalar in
      text +=
        scalar.value < 0x20 || scalar.value == 0x7F ? scalar.escaped(asASCII: true) : "\(scalar)"
    }
    return unicodeScalars.count > maxCount ? shown + "…" : shown
  }
}

extension UInt8 {
  fileprivate var isASCIILetter: Bool { 0x41...0x5A ~= self || 0x61...0x7A ~= self }
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
    case .reference(let reference): try subject.checkReference(reference, limits)
    case .doubleList, .timestampList, .locationList, .referenceList, .assetList:
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

extension RecordValue {
  /// Whether the value is within all limits on single values, whatever they are.
  fileprivate var fitsAnyLimit: Bool {
    switch self {
    case .double(let number): number.isFinite
    case .timestamp(let date): date.timeIntervalSinceReferenceDate.isFinite
    case .string, .int64, .bytes, .stringList, .int64List, .bytesList, .emptyList: true
    default: false
    }
  }

  /// Whether CloudKit can encrypt the value: true for all types but references, assets and unknown
  /// ones.
  package var isEncryptable: Bool {
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
    case .asset, .unknown: 0
    default: (elements ?? []).reduce(0) { $0 + $1.approximateSize }
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

/// A limit that a save violates: the details of a ``CloudError`` that ``RecordLimits`` throws.
package struct LimitViolation: Sendable, Hashable {
  /// A limit on records and names.
  package enum Limit: String, Sendable, Hashable, CaseIterable {
    case recordNameLength, recordNameCharacters
    case zoneNameLength, zoneNameCharacters, zoneOwnerLength, zoneOwnerCharacters
    case recordTypeLength, recordTypeCharacters, keyLength, keyCharacters
    case subscriptionIDLength, subscriptionIDCharacters
    case recordSize, assetSize, assetContent, referenceCount
    case finiteNumber, encryptableType, knownType, locationRange

    /// The error code CloudKit reports: `limitExceeded` for a request that is too large,
    /// `invalidArguments` for one that can never succeed.
    package var code: CloudError.Code {
      switch self {
      case .recordSize, .assetSize, .referenceCount: .limitExceeded
      default: .invalidArguments
      }
    }
  }

  /// The item that violates a limit.
  package enum Subject: Sendable, Hashable {
    /// A record, or one of its fields.
    case record(RecordID, key: String? = nil)
    /// A zone.
    case zone(ZoneID)
    /// A record type.
    case recordType(String)
    /// A subscription.
    case subscription(String)
  }

  /// The limit.
  package var limit: Limit
  /// The item that violates the limit.
  package var subject: Subject
  /// The value that was found; never the value of an encrypted field.
  @ExactText package var found: String
  /// The values that are allowed.
  @ExactText package var allowed: String

  package init(_ limit: Limit, _ subject: Subject, found: String, allowed: String) {
    self.limit = limit
    self.subject = subject
    self.found = found
    self.allowed = allowed
  }
}

extension LimitViolation: CustomStringConvertible {
  /// The item, the value that was found, and the allowed values, in one sentence.
  package var description: String {
    let place =
      switch subject {
      case .record(let id, nil): "record '\(id.description.shownName)'"
      case .record(let id, let key?):
        "field '\(key.shownName)' of record '\(id.description.shownName)'"
      case .zone(let id): "zone '\(id.description.shownName)'"
      case .recordType(let name): "record type '\(name.shownName)'"
      case .subscription(let name): "subscription '\(name.shownName)'"
      }
    return "\(place): found \(found), allowed \(allowed) (\(limit.rawValue))"
  }
}

extension CloudError {
  /// Creates the error for a violation of a limit.
  package init(_ violation: LimitViolation) {
    self.init(violation.limit.code, violation.description)
    self.violation = violation
  }
}
