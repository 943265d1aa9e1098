import CloudInterface
import Foundation
import RecordModel

/// A database that returns what it is asked for, or one error for everything.
struct EchoDatabase: CloudDatabase {
  var databaseScope = DatabaseScope.private
  var error: CloudError?
  /// Whether it returns no results.
  var isSilent = false

  func results<Key: Hashable, Item>(
    _ keys: [Key], _ item: (Key) -> Item
  ) -> [Key: Result<Item, any Error>] {
    var results: [Key: Result<Item, any Error>] = [:]
    for key in isSilent ? [] : keys {
      results[key] = error.map { .failure($0) } ?? .success(item(key))
    }
    return results
  }

  private func record(_ recordID: RecordID, _ tag: String? = nil) -> ResultRecord {
    ResultRecord(
      systemFields: SystemFields(recordID: recordID, recordType: "Note", recordChangeTag: tag),
      fields: [])
  }

  private func subscription(_ id: String) -> CloudSubscription {
    CloudSubscription(subscriptionID: id, kind: .database(recordType: nil))
  }

  func records(
    for ids: [RecordID], desiredKeys: [String]?
  ) async throws -> [RecordID: Result<ResultRecord, any Error>] {
    results(ids) { record($0) }
  }

  func modifyRecords(
    saving recordsToSave: [DraftRecord], deleting recordIDsToDelete: [RecordID],
    savePolicy: RecordSavePolicy, atomically: Bool
  ) async throws -> (
    saveResults: [RecordID: Result<ResultRecord, any Error>],
    deleteResults: [RecordID: Result<Void, any Error>]
  ) {
    let saved = results(recordsToSave.map(\.recordID)) { record($0, "\(savePolicy) \(atomically)") }
    return (saved, results(recordIDsToDelete) { _ in () })
  }

  func records(
    matching query: RecordQuery, inZoneWith zoneID: ZoneID?, desiredKeys: [String]?,
    resultsLimit: Int
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    let recordID = RecordID(recordName: "\(resultsLimit)", zoneID: zoneID ?? .default)
    return (isSilent ? [] : [(recordID, .success(record(recordID)))], nil)
  }

  func records(
    continuingMatchFrom queryCursor: QueryCursor, desiredKeys: [String]?, resultsLimit: Int
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    let recordID = RecordID(recordName: "\(resultsLimit)")
    return (isSilent ? [] : [(recordID, .success(record(recordID)))], nil)
  }

  func databaseChanges(
    since serverChangeToken: ServerChangeToken?, resultsLimit: Int?
  ) async throws -> (
    modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
    changeToken: ServerChangeToken, moreComing: Bool
  ) {
    ([], [], serverChangeToken ?? ServerChangeToken(data: Data()), resultsLimit != nil)
  }

  func recordZoneChanges(
    inZoneWith zoneID: ZoneID, since serverChangeToken: ServerChangeToken?,
    desiredKeys: [String]?, resultsLimit: Int?
  ) async throws -> (
    modificationResultsByID: [RecordID: Result<RecordZoneChange.Modification, any Error>],
    deletions: [RecordZoneChange.Deletion], changeToken: ServerChangeToken, moreComing: Bool
  ) {
    ([:], [], serverChangeToken ?? ServerChangeToken(data: Data()), resultsLimit != nil)
  }

  func allRecordZones() async throws -> [RecordZone] { [] }

  func recordZones(for ids: [ZoneID]) async throws -> [ZoneID: Result<RecordZone, any Error>] {
    results(ids) { RecordZone(zoneID: $0) }
  }

  func modifyRecordZones(
    saving recordZonesToSave: [RecordZone], deleting recordZoneIDsToDelete: [ZoneID]
  ) async throws -> (
    saveResults: [ZoneID: Result<RecordZone, any Error>],
    deleteResults: [ZoneID: Result<Void, any Error>]
  ) {
    let saved = results(recordZonesToSave.map(\.zoneID)) { RecordZone(zoneID: $0) }
    return (saved, results(recordZoneIDsToDelete) { _ in () })
  }

  func allSubscriptions() async throws -> [CloudSubscription] { [] }

  func subscriptions(
    for ids: [String]
  ) async throws -> [String: Result<CloudSubscription, any Error>] {
    results(ids, subscription)
  }

  func modifySubscriptions(
    saving subscriptionsToSave: [CloudSubscription], deleting subscriptionIDsToDelete: [String]
  ) async throws -> (
    saveResults: [String: Result<CloudSubscription, any Error>],
    deleteResults: [String: Result<Void, any Error>]
  ) {
    let saved = results(subscriptionsToSave.map(\.subscriptionID), subscription)
    return (saved, results(subscriptionIDsToDelete) { _ in () })
  }
}

/// A container that returns what it is asked for, or one error for everything.
struct EchoContainer: CloudContainer {
  let containerIdentifier: String? = nil
  /// The database with its error, if it has one.
  var database = EchoDatabase()

  func database(with databaseScope: DatabaseScope) -> EchoDatabase {
    EchoDatabase(databaseScope: databaseScope, error: database.error, isSilent: database.isSilent)
  }

  func accountStatus() async throws -> AccountStatus { .available }

  func userRecordID() async throws -> RecordID { UserRecord.recordID(named: "_echo") }

  func accountChanges() -> AsyncStream<AccountStatus> { AsyncStream { $0.finish() } }

  func shareParticipants(
    for lookupInfos: [UserIdentity.LookupInfo]
  ) async throws -> [UserIdentity.LookupInfo: Result<ShareParticipant, any Error>] {
    database.results(lookupInfos) {
      ShareParticipant(userIdentity: UserIdentity(lookupInfo: $0))
    }
  }

  func shareMetadatas(
    for urls: [URL]
  ) async throws -> [URL: Result<ShareMetadata, any Error>] {
    database.results(urls) { EchoContainer.metadata(named: $0.lastPathComponent) }
  }

  func accept(
    _ metadatas: [ShareMetadata]
  ) async throws -> [ShareMetadata: Result<ResultRecord, any Error>] {
    database.results(metadatas, \.share)
  }

  func requestShareAccess(for urls: [URL]) async throws -> [URL: Result<Void, any Error>] {
    database.results(urls) { _ in () }
  }

  /// Metadata of a share with a name.
  static func metadata(named name: String) -> ShareMetadata {
    let systemFields = SystemFields(
      recordID: RecordID(recordName: name), recordType: Share.recordType)
    return ShareMetadata(
      share: ResultRecord(systemFields: systemFields, fields: []),
      ownerIdentity: UserIdentity(userRecordName: "_owner"))
  }
}
