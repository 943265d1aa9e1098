import RecordModel

/// What an object in Canopy's JSON is, by its members.
///
/// Source: the types of Canopy (`CanopyResultRecord`, `DeletedCKRecord`, the results of its API,
/// `ReplayingMockDatabase` and `ReplayingMockCKDatabase`).
enum CanopyShape {
  /// `{"type","backingValue"}`: a record.
  case record
  /// The backing value of a mock record.
  case mock
  /// `{"typeString","recordName","zoneName","zoneOwnerName"}`: a deleted record.
  case deletion
  /// `{"recordIDArchive","recordType"}`: a deleted record of the older mocks.
  case archivedDeletion
  /// A result, or a case of an enumeration, around others.
  case wrapper
  case unknown

  /// What a base64 text under a name of a result archives.
  enum Archive {
    case deletedRecords, missingRecords, zones, deletedZones, any
  }

  static let archives: [String: Archive] = [
    "deletedRecordIDs": .deletedRecords, "notFoundRecordIDs": .missingRecords,
    "savedZones": .zones, "changedRecordZoneIDs": .zones, "deletedZoneIDs": .deletedZones,
    "deletedRecordZoneIDs": .deletedZones, "purgedRecordZoneIDs": .deletedZones, "data": .any,
  ]

  /// Members of results that say nothing about records: tokens, flags, and identities that stand
  /// beside the record itself.
  static let withoutRecords: Set<String> = [
    "moreComing", "clientChangeTokenData", "serverChangeTokenArchive", "recordIDArchive",
    "zoneIDArchive",
  ]

  private static let wrappers: Set<String> = [
    "success", "failure", "result", "codableResult", "changedRecords", "records",
    "deletedRecords", "savedRecords", "foundRecords", "queryRecordResults",
    "recordWasChangedInZoneResults", "recordWithIDWasDeletedInZoneResults", "oneZoneFetchResults",
  ]

  private static let membersOfResults = wrappers.union(withoutRecords).union(archives.keys)

  /// Looks at the object that comes next.
  init(_ parser: JSONParser) throws {
    var names: Set<String> = []
    var isNested = false
    var scan = parser
    try scan.forEachMember { name, parser in
      isNested = parser.peek() == UInt8(ascii: "{") || parser.peek() == UInt8(ascii: "[")
      names.insert(name)
      try parser.skipValue()
    }
    self =
      if names.contains("backingValue") {
        .record
      } else if names.isSuperset(of: ["recordType", "recordID"]) {
        .mock
      } else if names.isSuperset(of: ["typeString", "recordName"]) {
        .deletion
      } else if names.isSuperset(of: ["recordIDArchive", "recordType"]) {
        .archivedDeletion
      } else if !names.isDisjoint(with: Self.membersOfResults) || (names.count == 1 && isNested)
        || names.isEmpty
      {
        // An empty object is a result without content, as of a fetch of changes.
        .wrapper
      } else {
        .unknown
      }
  }
}
