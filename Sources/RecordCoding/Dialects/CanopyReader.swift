import RecordModel

/// Reads records of the Canopy library: encoded `CanopyResultRecord`s, and the results that its
/// replaying mocks hold.
///
/// Results are enumerations and structures as Swift encodes them, nested around the records. The
/// reader goes through all members that it knows by name, and reports the rest as
/// ``ResponseItem/unread(_:)``.
struct CanopyReader: DialectReader {
  let collector: ResponseCollector
  private let budget = ArchiveBudget()

  init(collector: ResponseCollector) { self.collector = collector }

  func read(_ json: JSONValue) throws {
    guard json.members != nil || json.elements != nil else {
      throw json.error(expected: "records of Canopy: an object, or an array of them")
    }
    try walk(json, ResponsePath())
  }

  private func walk(_ json: JSONValue, _ path: ResponsePath) throws {
    if let elements = json.elements {
      for (index, element) in elements.enumerated() { try walk(element, path.element(index)) }
      return
    }
    switch CanopyShape(json) {
    case .record: try read(json, path) { try $0.item(json) }
    case .mock: try read(json, path) { try $0.mock(json) }
    case .deletion: try read(json, path) { try $0.deletion(json) }
    case .archivedDeletion: try read(json, path) { try $0.archivedDeletion(json) }
    case .archivedZoneDeletion: try read(json, path) { try $0.archivedZoneDeletion(json) }
    case .wrapper:
      for member in json.members ?? [] { try self.member(member, path.member(member.name)) }
    case .unknown: try unread(json, path)
    }
  }

  /// Reads a member of a result.
  private func member(_ member: JSONValue.Member, _ path: ResponsePath) throws {
    let json = member.value
    if CanopyShape.withoutRecords.contains(member.name) { return }
    if member.name == "failure" { return try read(json, path) { try $0.failure(json) } }
    if let kind = CanopyShape.archives[member.name],
      let archive = json.string == nil ? json["data"] : json
    {
      return try read(archive, path) { try $0.archive(archive, kind) }
    }
    if member.name == "containerOperationResults", let elements = json.elements {
      // The states of an account and the names of users are no records; accepted shares are.
      for (index, element) in elements.enumerated()
      where !CanopyShape.isAccount(element) { try walk(element, path.element(index)) }
      return
    }
    if !json.isNull { try walk(json, path) }
  }

  private func unread(_ json: JSONValue, _ path: ResponsePath) throws {
    let found = json.members.map { members in
      let names = members.prefix(4).map { RecordCodingError.quoted($0.name) }
      return names.isEmpty
        ? "an empty object" : "an object with \(names.joined(separator: ", "))"
    }
    let error = json.error(found: found, expected: "records or results of Canopy")
    try collector.add(unread: path.extending(error))
  }

  /// Reads a value with a decoder, and collects its items and the parts that it cannot read.
  private func read(
    _ json: JSONValue, _ path: ResponsePath, _ body: (CanopyDecoder) throws -> Void
  ) throws {
    try collector.collectingErrors(at: path) {
      try body(CanopyDecoder(collector: collector, budget: budget, path: path))
    }
  }
}

/// The kinds of objects in Canopy's JSON, told by their members.
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
  /// `{"recordIDArchive","recordType"}`, or `{"recordIDArchive","codableResult"}` with a success
  /// without a record: a deleted record of the older mocks.
  case archivedDeletion
  /// `{"zoneIDArchive","codableResult"}` with a success without a zone: a deleted zone of the older
  /// mocks.
  case archivedZoneDeletion
  /// A result, or a case of an enumeration, around others.
  case wrapper
  case unknown

  /// The content of an archive, a base64 text under a name of a result.
  enum Archive {
    case deletedRecords, missingRecords, zones, deletedZones, any
  }

  static let archives: [String: Archive] = [
    "deletedRecordIDs": .deletedRecords, "notFoundRecordIDs": .missingRecords,
    "savedZones": .zones, "changedRecordZoneIDs": .zones, "deletedZoneIDs": .deletedZones,
    "deletedRecordZoneIDs": .deletedZones, "purgedRecordZoneIDs": .deletedZones, "data": .any,
    "changedRecordZoneIDsArchive": .zones, "deletedRecordZoneIDsArchive": .deletedZones,
    "purgedRecordZoneIDsArchive": .deletedZones,
  ]

  /// Members of results that say nothing about records: tokens, flags, and identities that stand
  /// beside the record itself.
  static let withoutRecords: Set<String> = [
    "moreComing", "clientChangeTokenData", "serverChangeTokenArchive", "recordIDArchive",
    "zoneIDArchive", "shareMetadataArchive", "sleepBeforeEachOperation", "operationsRun",
  ]

  private static let wrappers: Set<String> = [
    "success", "failure", "result", "codableResult", "changedRecords", "records",
    "deletedRecords", "savedRecords", "foundRecords", "queryRecordResults",
    "recordWasChangedInZoneResults", "recordWithIDWasDeletedInZoneResults", "oneZoneFetchResults",
    "savedRecordResults", "deletedRecordIDResults", "fetchRecordResults", "savedZoneResults",
    "deletedZoneIDResults", "fetchZoneResults", "operationResults", "containerOperationResults",
    "privateDatabaseOperationResults", "perShareResults",
  ]

  private static let membersOfResults = wrappers.union(withoutRecords).union(archives.keys)

  /// Whether a result of a container is about the account or users, and has no records.
  static func isAccount(_ json: JSONValue) -> Bool {
    let names = json.members?.map(\.name) ?? []
    return names.count == 1
      && ["accountStatus", "accountStatusStream", "userRecordID", "fetchShareParticipants"]
        .contains(names[0])
  }

  /// Whether a result of the older mocks is a success without content, as of a deletion.
  private static func isEmptySuccess(_ json: JSONValue) -> Bool {
    json["codableResult"]?["success"]?["_0"]?.members?.isEmpty == true
  }

  init(_ json: JSONValue) {
    let members = json.members ?? []
    let names = Set(members.map(\.name))
    let isNested = members.last.map { $0.value.members != nil || $0.value.elements != nil } ?? false
    self =
      if names.contains("backingValue") {
        .record
      } else if names.isSuperset(of: ["recordType", "recordID"]) {
        .mock
      } else if names.isSuperset(of: ["typeString", "recordName"]) {
        .deletion
      } else if names.contains("recordIDArchive"),
        names.contains("recordType") || Self.isEmptySuccess(json)
      {
        .archivedDeletion
      } else if names.contains("zoneIDArchive"), Self.isEmptySuccess(json) {
        .archivedZoneDeletion
      } else if json.members != nil,
        !names.isDisjoint(with: Self.membersOfResults) || (names.count == 1 && isNested)
          || names.isEmpty
      {
        // An empty object is a result without content, as of a fetch of changes.
        .wrapper
      } else {
        .unknown
      }
  }
}
