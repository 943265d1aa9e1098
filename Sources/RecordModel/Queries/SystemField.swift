/// A field that every record has. The raw value is its name in a schema.
///
/// Source: Apple's page about the text of schemas.
public enum SystemField: String, Sendable, Hashable, CaseIterable {
  /// The creation date of the record.
  case createTime = "___createTime"
  /// The creator of the record.
  case createdBy = "___createdBy"
  /// The change tag.
  case etag = "___etag"
  /// The last modification date of the record.
  case modTime = "___modTime"
  /// The user who last modified the record.
  case modifiedBy = "___modifiedBy"
  /// The record's name.
  case recordID = "___recordID"

  /// The name in predicates and sort descriptors: a property of `CKRecord`, which no other field can
  /// have as its name; nil for a field that no query can name.
  package var predicateName: String? {
    switch self {
    case .createTime: "creationDate"
    case .createdBy: "creatorUserRecordID"
    case .etag: nil
    case .modTime: "modificationDate"
    case .modifiedBy: "lastModifiedUserRecordID"
    case .recordID: "recordID"
    }
  }

  /// The name in Web Services, the Console and messages of the server.
  package var webName: String {
    switch self {
    case .createTime: "createdTimestamp"
    case .createdBy: "createdUserRecordName"
    case .etag: "recordChangeTag"
    case .modTime: "modifiedTimestamp"
    case .modifiedBy: "modifiedUserRecordName"
    case .recordID: "recordName"
    }
  }

  /// Whether the field contains a user.
  package var isUser: Bool { self == .createdBy || self == .modifiedBy }

  /// The names of system fields in predicates. The server calls `recordID` also `recordName`.
  package static let predicateNames = allCases.compactMap(\.predicateName) + ["recordName"]

  /// Returns the name in a schema of a field in predicates and sort descriptors.
  package static func schemaName(_ name: String) -> String {
    if name == "recordName" { return recordID.rawValue }
    return allCases.first { $0.predicateName == name }?.rawValue ?? name
  }

  /// Returns the name in predicates and sort descriptors of a field in a schema.
  package static func predicateName(_ schemaName: String) -> String {
    SystemField(rawValue: schemaName)?.predicateName ?? schemaName
  }

  /// Whether a name in a schema is one of system fields.
  package static func isSystem(_ schemaName: String) -> Bool {
    // `hasPrefix` is slow, and most fields are the app's.
    schemaName.utf8.first == UInt8(ascii: "_") && schemaName.hasPrefix("___")
  }
}

extension ResultRecord {
  /// Returns the value that queries compare under the schema's name of a field, a system field or
  /// not; nil if the record has none, or an encrypted one.
  ///
  /// - Parameter withEncrypted: Whether to return encrypted values too, which no server compares.
  package func queryValue(of schemaName: String, withEncrypted: Bool = false) -> RecordValue? {
    guard SystemField.isSystem(schemaName) else {
      guard let field = field(named: schemaName), withEncrypted || !field.isEncrypted else {
        return nil
      }
      return field.value
    }
    let system = systemFields
    return switch SystemField(rawValue: schemaName) {
    case .recordID: .reference(Reference(recordID: recordID))
    case .createTime: system.created?.date.map { .timestamp($0) }
    case .modTime: system.modified?.date.map { .timestamp($0) }
    case .createdBy: system.created.flatMap(user)
    case .modifiedBy: system.modified.flatMap(user)
    case .etag: system.recordChangeTag.map { .string($0) }
    case nil: nil
    }
  }

  /// Users have no zone in a query: the reference is as one into the record's zone.
  private func user(_ stamp: RecordStamp) -> RecordValue? {
    stamp.userRecordName.map {
      .reference(Reference(recordID: RecordID(recordName: $0, zoneID: recordID.zoneID)))
    }
  }

  /// Returns the key that the record is sorted by.
  package func sortKey(of schemaName: String) -> IndexKey {
    queryValue(of: schemaName).flatMap { IndexKey($0, in: storage.zoneID) } ?? .missing
  }
}
