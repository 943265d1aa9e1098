import Foundation
import RecordModel

/// A record archived by CloudKit: the output of `encodeSystemFields(with:)`, or a `CKRecord` or
/// `CKShare` archived with `NSKeyedArchiver`.
package struct ArchivedRecord: Sendable, Hashable {
  /// Everything but the field values, including the archive, so that it can be written back.
  ///
  /// `SystemFields.otherMembers` contains the special members of a share.
  package let systemFields: SystemFields
  /// The fields; empty for an archive of system fields only.
  package let fields: [Field]
  /// The names of fields whose values are of an unknown class, sorted by their UTF-8 bytes.
  package let unsupportedFieldNames: [String]
  /// The special members of a share; nil if the record is not a share.
  package let share: Share?

  /// Decodes an archive.
  ///
  /// - Throws: ``RecordCodingError``.
  package init(keyedArchive data: Data) throws {
    try self.init(KeyedArchive(decoding: data).record(), archive: data)
  }

  /// Decodes a record that is an object of an archive.
  init(_ node: KeyedArchiveNode, archive: Data? = nil) throws {
    var systemFields = try node.systemFields()
    systemFields.archive = archive
    let plain = try node.child("ValueStore")?.fields(isEncrypted: false)
    let encrypted = try node.child("EncryptedValueStore")?.fields(isEncrypted: true)
    share = try node.share()
    if let share { systemFields.setShareInfo(share) }
    self.systemFields = systemFields
    fields = ((plain?.fields ?? []) + (encrypted?.fields ?? []))
      .sorted { compareUTF8($0.name, $1.name) < 0 }
    unsupportedFieldNames = ((plain?.unsupported ?? []) + (encrypted?.unsupported ?? []))
      .sorted { compareUTF8($0, $1) < 0 }
  }
}

/// Decoding of CloudKit's classes: identifiers, references and system fields.
///
/// Source of the keys: archives written by CloudKit, examined with other tools.
extension KeyedArchiveNode {
  /// Returns the identity of a `CKRecordID`.
  func recordID() throws -> RecordID {
    try instance(of: "CKRecordID")
    let name = try required("RecordName").string()
    return RecordID(recordName: name, zoneID: try child("ZoneID")?.zoneID() ?? .default)
  }

  /// Returns the identity of a `CKRecordZoneID`.
  func zoneID() throws -> ZoneID {
    try instance(of: "CKRecordZoneID")
    let name = try required("ZoneName").string()
    let owner = try child("ownerName")?.string() ?? ZoneID.currentUserOwnerName
    if name == ZoneID.defaultZoneName, owner == ZoneID.currentUserOwnerName { return .default }
    return ZoneID(zoneName: name, ownerName: owner)
  }

  /// Returns the reference of a `CKReference`; both spellings of its keys occur.
  func reference() throws -> Reference {
    try instance(of: "CKReference")
    let target = try child("recordID") ?? required("RecordID")
    let number = try child("referenceAction") ?? child("ReferenceAction")
    let action: Reference.Action
    switch try number?.integer() ?? 0 {
    case 0: action = .none
    case 1: action = .deleteSelf
    case let other:
      throw RecordCodingError(
        path: path, found: "reference action \(other)", expected: "0 (none) or 1 (delete self)")
    }
    return Reference(recordID: try target.recordID(), action: action)
  }

  /// Returns everything but the field values from the keys of a `CKRecord`.
  func systemFields() throws -> SystemFields {
    let created = RecordStamp(
      date: try child("RecordCtime")?.date(),
      userRecordName: try child("CreatorUserRecordID")?.recordID().recordName)
    let modified = RecordStamp(
      date: try child("RecordMtime")?.date(),
      userRecordName: try child("LastModifiedUserRecordID")?.recordID().recordName,
      deviceID: try child("ModifiedByDevice")?.string())
    return SystemFields(
      recordID: try required("RecordID").recordID(),
      recordType: try required("RecordType").string(),
      recordChangeTag: try child("ETag")?.string(),
      created: created.unlessEmpty, modified: modified.unlessEmpty,
      parent: try child("ParentReference")?.reference(),
      share: try child("ShareReference")?.reference())
  }
}

extension RecordStamp {
  /// The stamp, or nil if all of its properties are nil.
  var unlessEmpty: RecordStamp? { self == RecordStamp() ? nil : self }
}

extension KeyedArchive {
  /// Returns the object with a record's keys: the top of an archive by `encodeSystemFields(with:)`,
  /// or the `CKRecord` with the key `root` of an archived record.
  func record() throws -> KeyedArchiveNode {
    if try top.child("RecordType") == nil, let root = try top.child("root") {
      return try root.instance(of: "CKRecord")
    }
    return top
  }
}

/// Decoding of the field values of an archived record.
extension KeyedArchiveNode {
  /// Returns the fields of a `CKRecordValueStore` or `CKEncryptedRecordValueStore`, and the names
  /// of fields whose values are of an unsupported class.
  func fields(isEncrypted: Bool) throws -> (fields: [Field], unsupported: [String]) {
    try instance(of: "CKRecordValueStore")
    var fields: [Field] = []
    var unsupported: [String] = []
    var remainingCount = Self.maxElementCount
    try child("RecordValues")?.forEachEntry { name, node in
      guard name.utf8.count <= 255 else {
        throw RecordCodingError(
          path: node.path, found: "a field name of \(name.utf8.count) bytes",
          expected: "at most 255")
      }
      if let value = try node.recordValue(remainingCount: &remainingCount) {
        fields.append(Field(name: name, value: value, isEncrypted: isEncrypted))
      } else {
        unsupported.append(name)
      }
    }
    return (fields, unsupported)
  }

  /// Returns the value of a field; nil if the object is of an unsupported class.
  ///
  /// - Parameter remainingCount: the number of values and list elements that the record may still have.
  private func recordValue(remainingCount: inout Int) throws -> RecordValue? {
    remainingCount -= 1
    let classes = try classNames()
    if classes.contains("CKEncryptedData") {
      let value = try encryptedValue(limit: max(remainingCount, 0))
      remainingCount -= value?.elements?.count ?? 0
      return value
    }
    guard classes.contains("NSArray") else { return try scalarValue() }
    let elements = try elements(limit: max(remainingCount, 0)) { try $0.scalarValue() }
    remainingCount -= elements.count
    return RecordValue(foundationList: elements)
  }

  /// Returns a value that is not a list; nil if the object is of an unsupported class.
  func scalarValue() throws -> RecordValue? {
    switch object {
    case .string(let value): return .string(value)
    case .bool(let value): return .int64(value ? 1 : 0)
    case .integer(let value): return .int64(value)
    case .real, .float: return .double(try finite())
    case .date: return .timestamp(try date())
    case .data(let value): return .bytes(value)
    case .dictionary: return try objectValue()
    default: return nil
    }
  }

  private func objectValue() throws -> RecordValue? {
    for name in try classNames() {
      switch name {
      case "NSString": return .string(try string())
      case "NSDate": return .timestamp(try date())
      case "NSData": return .bytes(try data())
      case "CLLocation": return .location(try location())
      case "CKReference": return .reference(try reference())
      case "CKAsset": return .asset(try asset())
      default: continue
      }
    }
    return nil
  }

  /// Returns a `CLLocation`, without the properties that CloudKit does not store.
  private func location() throws -> Location {
    func member(_ name: String) throws -> Double? {
      try child("kCLLocationCodingKey\(name)")?.finite()
    }
    func coordinate(_ name: String) throws -> Double {
      try required("kCLLocationCodingKeyCoordinate\(name)").finite()
    }
    return Location(
      latitude: try coordinate("Latitude"), longitude: try coordinate("Longitude"),
      altitude: try member("Altitude"), horizontalAccuracy: try member("HorizontalAccuracy"),
      verticalAccuracy: try member("VerticalAccuracy"), course: try member("Course"),
      speed: try member("Speed"),
      timestamp: try member("Timestamp").map(Date.init(timeIntervalSinceReferenceDate:)))
  }

  /// Returns a `CKAsset` without its content.
  ///
  /// The file path is ignored: it was valid on the device that wrote the archive, and an untrusted
  /// archive must not cause files of this machine to be read.
  private func asset() throws -> Asset {
    Asset(
      size: try child("AssetSize")?.integer(), fileChecksum: try signature("AssetSignature"),
      referenceChecksum: try signature("ReferenceSignature"),
      wrappingKey: try signature("WrappedAssetKey"))
  }

  /// Returns a signature as base64. Real ones have 21 bytes; the limit keeps a long one that many
  /// assets refer to from filling memory.
  private func signature(_ key: String) throws -> String? {
    guard let node = try child(key) else { return nil }
    let bytes = try node.data()
    guard bytes.count <= 256 else {
      throw RecordCodingError(
        path: node.path, found: "\(bytes.count) bytes", expected: "at most 256")
    }
    return bytes.base64EncodedString()
  }

  private func finite() throws -> Double {
    let value = try double()
    guard value.isFinite else {
      throw RecordCodingError(
        path: path, found: "a number that is not finite", expected: "a finite number")
    }
    return value
  }
}

extension RecordValue {
  /// Creates a list from elements whose types are those of Foundation's objects; nil if one is
  /// unsupported, or they are not of one type.
  package init?(foundationList elements: [RecordValue?]) {
    guard let first = elements.first else {
      self = .emptyList
      return
    }
    let values = elements.compactMap { $0 }
    guard values.count == elements.count, let type = first?.type else { return nil }
    if let list = RecordValue(list: values, of: type) {
      self = list
      return
    }
    // `NSNumber` may have an integral value as an integer among doubles.
    let numbers = values.compactMap {
      [.int64, .double].contains($0.type) ? Double(recordValue: $0) : nil
    }
    guard numbers.count == values.count else { return nil }
    self = .doubleList(numbers)
  }
}
