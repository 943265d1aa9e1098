/// The names of system fields in queries.
///
/// Predicates and sort descriptors have the names of `CKRecord`'s properties, which no other field
/// can have; the server calls the first one `recordName`. All are converted to those of the schema.
package enum SystemFieldNames {
  private static let names = [
    "recordID": "___recordID", "recordName": "___recordID", "creationDate": "___createTime",
    "creatorUserRecordID": "___createdBy", "modificationDate": "___modTime",
    "lastModifiedUserRecordID": "___modifiedBy",
  ]

  /// The names in predicates by those in a schema. `recordName` is a second name of `recordID`.
  private static let predicateNames = Dictionary(
    uniqueKeysWithValues: names.filter { $0.key != "recordName" }.map { ($0.value, $0.key) })

  /// The names of system fields in predicates.
  package static var inPredicates: [String] { names.keys.sorted() }

  /// Returns the name of a field in a schema.
  package static func schemaName(_ name: String) -> String { names[name] ?? name }

  /// Returns the name of a field in predicates and sort descriptors.
  package static func predicateName(_ schemaName: String) -> String {
    predicateNames[schemaName] ?? schemaName
  }

  /// Whether the schema's name is that of a system field.
  package static func isSystem(_ schemaName: String) -> Bool {
    // `hasPrefix` is slow, and most fields are the app's.
    schemaName.utf8.first == UInt8(ascii: "_") && schemaName.hasPrefix("___")
  }

  /// Whether the field contains a user.
  package static func isUser(_ schemaName: String) -> Bool {
    schemaName == "___createdBy" || schemaName == "___modifiedBy"
  }
}

extension ResultRecord {
  /// Returns the value that queries compare under the schema's name of a field, a system field or
  /// not; nil if the record has none, or an encrypted one.
  package func queryValue(of schemaName: String) -> RecordValue? {
    guard SystemFieldNames.isSystem(schemaName) else {
      guard let field = field(named: schemaName), !field.isEncrypted else { return nil }
      return field.value
    }
    let system = systemFields
    switch schemaName {
    case "___recordID": return .reference(Reference(recordID: recordID))
    case "___createTime": return system.created?.date.map { .timestamp($0) }
    case "___modTime": return system.modified?.date.map { .timestamp($0) }
    case "___createdBy": return system.created.flatMap(user)
    case "___modifiedBy": return system.modified.flatMap(user)
    case "___etag": return system.recordChangeTag.map { .string($0) }
    default: return nil
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
