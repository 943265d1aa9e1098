import CloudInterface
import RecordModel

import struct Foundation.URL

/// A container with one function for all its calls, and for the calls of its databases.
///
/// ```swift
/// struct LoggingContainer<Base: CloudContainer>: CallHandlingContainer {
///   let base: Base
///   var containerIdentifier: String? { base.containerIdentifier }
///   func accountChanges() -> AsyncStream<AccountStatus> { base.accountChanges() }
///
///   func handle(_ call: CloudCall) async throws -> CloudResponse {
///     print(call)
///     return try await base.send(call)
///   }
/// }
/// ```
public protocol CallHandlingContainer: CloudContainer
where Database == CallHandlingDatabase<Self> {
  /// Returns the response to a call.
  func handle(_ call: CloudCall) async throws -> CloudResponse

  /// Returns a file with the content of an asset of a fetched record. This is not a call: by default,
  /// it is the file of the asset's `content`.
  ///
  /// - Throws: `CloudError`: `assetNotAvailable` if the asset does not have content.
  func fileURL(for asset: Asset, in databaseScope: DatabaseScope) async throws -> URL
}

extension CallHandlingContainer {
  /// Returns the database with a scope.
  public func database(with databaseScope: DatabaseScope) -> CallHandlingDatabase<Self> {
    CallHandlingDatabase(container: self, databaseScope: databaseScope)
  }

  /// Returns the file of the asset's content.
  public func fileURL(for asset: Asset, in databaseScope: DatabaseScope) async throws -> URL {
    try asset.contentFile
  }

  /// Returns whether the app can use the user's account.
  public func accountStatus() async throws -> AccountStatus {
    try CloudResponse.unwrap(try await handle(CloudCall(.accountStatus)).accountStatus)
  }

  /// Returns the identifier of the signed-in user's record.
  public func userRecordID() async throws -> RecordID {
    try CloudResponse.unwrap(
      try await handle(CloudCall(.userRecordID)).results.first?.item.recordID)
  }

  // MARK: Sharing

  /// Finds users to invite to a share; see `CloudContainer`.
  public func shareParticipants(
    for lookupInfos: [UserIdentity.LookupInfo]
  ) async throws -> [UserIdentity.LookupInfo: Result<ShareParticipant, any Error>] {
    try await handle(CloudCall(.shareParticipants(lookupInfos: lookupInfos)))
      .results(\.lookupInfo, \.participant)
  }

  /// Fetches the metadata of the shares behind links; see `CloudContainer`.
  public func shareMetadatas(
    for urls: [URL]
  ) async throws -> [URL: Result<ShareMetadata, any Error>] {
    try await handle(CloudCall(.shareMetadatas(urls: urls))).results(\.url, \.metadata)
  }

  /// Accepts shares; see `CloudContainer`.
  public func accept(
    _ metadatas: [ShareMetadata]
  ) async throws -> [ShareMetadata: Result<ResultRecord, any Error>] {
    let shares = try await handle(CloudCall(.accept(metadatas))).results(\.recordID, \.record)
    var results: [ShareMetadata: Result<ResultRecord, any Error>] = [:]
    for metadata in metadatas { results[metadata] = shares[metadata.share.recordID] }
    return results
  }

  /// Asks the owners of shares for access; see `CloudContainer`.
  public func requestShareAccess(
    for urls: [URL]
  ) async throws -> [URL: Result<Void, any Error>] {
    try await handle(CloudCall(.requestShareAccess(urls: urls))).results(\.url) { _ in () }
  }
}

/// A database of a container that handles all calls in one function; see
/// ``CallHandlingContainer/handle(_:)``.
public struct CallHandlingDatabase<Container: CallHandlingContainer>: CloudDatabase {
  /// The container of the database.
  public let container: Container
  /// The scope of the database.
  public let databaseScope: DatabaseScope

  /// Returns a file with the content of an asset of a fetched record; see `CloudDatabase`.
  public func fileURL(for asset: Asset) async throws -> URL {
    try await container.fileURL(for: asset, in: databaseScope)
  }

  private func handle(_ request: CloudRequest) async throws -> CloudResponse {
    try await container.handle(CloudCall(request, in: databaseScope))
  }

  // MARK: Records

  /// Fetches records; see `CloudDatabase`.
  public func records(
    for ids: [RecordID], desiredKeys: [String]?
  ) async throws -> [RecordID: Result<ResultRecord, any Error>] {
    try await handle(.records(ids: ids, desiredKeys: desiredKeys)).results(\.recordID, \.record)
  }

  /// Saves and deletes records; see `CloudDatabase`.
  @discardableResult
  public func modifyRecords(
    saving recordsToSave: [DraftRecord], deleting recordIDsToDelete: [RecordID],
    savePolicy: RecordSavePolicy, atomically: Bool
  ) async throws -> (
    saveResults: [RecordID: Result<ResultRecord, any Error>],
    deleteResults: [RecordID: Result<Void, any Error>]
  ) {
    let response = try await handle(
      .modifyRecords(
        saving: recordsToSave, deleting: recordIDsToDelete, savePolicy: savePolicy,
        atomically: atomically))
    return (
      try response.results(\.recordID, \.record), try response.deletions(\.recordID)
    )
  }

  // MARK: Queries

  /// Finds the first records that match a query; see `CloudDatabase`.
  public func records(
    matching query: RecordQuery, inZoneWith zoneID: ZoneID?, desiredKeys: [String]?,
    resultsLimit: Int
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    try await handle(
      .query(query, zoneID: zoneID, desiredKeys: desiredKeys, resultsLimit: resultsLimit)
    ).page()
  }

  /// Finds the next records of a query; see `CloudDatabase`.
  public func records(
    continuingMatchFrom queryCursor: QueryCursor, desiredKeys: [String]?, resultsLimit: Int
  ) async throws -> (
    matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?
  ) {
    try await handle(
      .continueQuery(queryCursor, desiredKeys: desiredKeys, resultsLimit: resultsLimit)
    ).page()
  }

  // MARK: Changes

  /// Fetches the zones that have changed; see `CloudDatabase`.
  public func databaseChanges(
    since serverChangeToken: ServerChangeToken?, resultsLimit: Int?
  ) async throws -> (
    modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
    changeToken: ServerChangeToken, moreComing: Bool
  ) {
    let response = try await handle(
      .databaseChanges(since: serverChangeToken, resultsLimit: resultsLimit))
    return (
      try response.results.map { .init(zoneID: try CloudResponse.unwrap($0.item.zoneID)) },
      try response.deletions.map {
        .init(
          zoneID: try CloudResponse.unwrap($0.item.zoneID),
          reason: try $0.result.get().reason ?? .deleted)
      }, try response.changeToken(), response.moreComing
    )
  }

  /// Fetches the records of a zone that have changed; see `CloudDatabase`.
  public func recordZoneChanges(
    inZoneWith zoneID: ZoneID, since serverChangeToken: ServerChangeToken?,
    desiredKeys: [String]?, resultsLimit: Int?
  ) async throws -> (
    modificationResultsByID: [RecordID: Result<RecordZoneChange.Modification, any Error>],
    deletions: [RecordZoneChange.Deletion], changeToken: ServerChangeToken, moreComing: Bool
  ) {
    let response = try await handle(
      .recordZoneChanges(
        zoneID: zoneID, since: serverChangeToken, desiredKeys: desiredKeys,
        resultsLimit: resultsLimit))
    return (
      try response.results(\.recordID) { value in
        value.record.map { RecordZoneChange.Modification(record: $0) }
      },
      try response.deletions.map {
        .init(
          recordID: try CloudResponse.unwrap($0.item.recordID),
          recordType: try $0.result.get().recordType ?? "")
      }, try response.changeToken(), response.moreComing
    )
  }

  // MARK: Zones

  /// Fetches all zones of the database; see `CloudDatabase`.
  public func allRecordZones() async throws -> [RecordZone] {
    try await handle(.allRecordZones).list(\.zone)
  }

  /// Fetches zones; see `CloudDatabase`.
  public func recordZones(
    for ids: [ZoneID]
  ) async throws -> [ZoneID: Result<RecordZone, any Error>] {
    try await handle(.recordZones(ids: ids)).results(\.zoneID, \.zone)
  }

  /// Saves and deletes zones; see `CloudDatabase`.
  @discardableResult
  public func modifyRecordZones(
    saving recordZonesToSave: [RecordZone], deleting recordZoneIDsToDelete: [ZoneID]
  ) async throws -> (
    saveResults: [ZoneID: Result<RecordZone, any Error>],
    deleteResults: [ZoneID: Result<Void, any Error>]
  ) {
    let response = try await handle(
      .modifyRecordZones(saving: recordZonesToSave, deleting: recordZoneIDsToDelete))
    return (try response.results(\.zoneID, \.zone), try response.deletions(\.zoneID))
  }

  // MARK: Subscriptions

  /// Fetches all subscriptions to the database; see `CloudDatabase`.
  public func allSubscriptions() async throws -> [CloudSubscription] {
    try await handle(.allSubscriptions).list(\.subscription)
  }

  /// Fetches subscriptions; see `CloudDatabase`.
  public func subscriptions(
    for ids: [String]
  ) async throws -> [String: Result<CloudSubscription, any Error>] {
    try await handle(.subscriptions(ids: ids)).results(\.subscriptionID, \.subscription)
  }

  /// Saves and deletes subscriptions; see `CloudDatabase`.
  @discardableResult
  public func modifySubscriptions(
    saving subscriptionsToSave: [CloudSubscription], deleting subscriptionIDsToDelete: [String]
  ) async throws -> (
    saveResults: [String: Result<CloudSubscription, any Error>],
    deleteResults: [String: Result<Void, any Error>]
  ) {
    let response = try await handle(
      .modifySubscriptions(saving: subscriptionsToSave, deleting: subscriptionIDsToDelete))
    return (
      try response.results(\.subscriptionID, \.subscription),
      try response.deletions(\.subscriptionID)
    )
  }
}

// MARK: Calls as values

extension CloudContainer {
  /// Makes a call that is given as a value.
  ///
  /// - Throws: the errors of the call; `invalidArguments` for a call of a database without a database.
  public func send(_ call: CloudCall) async throws -> CloudResponse {
    switch call.request {
    case .accountStatus: return CloudResponse(accountStatus: try await accountStatus())
    case .userRecordID: return CloudResponse([.init(.record(try await userRecordID()))])
    case .shareParticipants(let lookupInfos):
      return CloudResponse(
        try await shareParticipants(for: lookupInfos), CloudItem.user,
        CloudResponse.Value.participant)
    case .shareMetadatas(let urls):
      return CloudResponse(
        try await shareMetadatas(for: urls), CloudItem.link, CloudResponse.Value.metadata)
    case .accept(let metadatas):
      return CloudResponse(
        try await accept(metadatas), { .record($0.share.recordID) }, CloudResponse.Value.record)
    case .requestShareAccess(let urls):
      return CloudResponse(try await requestShareAccess(for: urls), CloudItem.link) { .none }
    default:
      guard let scope = call.databaseScope else {
        throw CloudError(
          .invalidArguments, "the call \(call.operation.rawValue) requires a database")
      }
      return try await database(with: scope).send(call.request)
    }
  }
}

extension CloudDatabase {
  fileprivate func send(_ request: CloudRequest) async throws -> CloudResponse {
    switch request {
    case .records(let ids, let keys):
      return CloudResponse(
        try await records(for: ids, desiredKeys: keys), CloudItem.record,
        CloudResponse.Value.record)
    case .modifyRecords(let drafts, let ids, let savePolicy, let atomically):
      let (saved, deleted) = try await modifyRecords(
        saving: drafts, deleting: ids, savePolicy: savePolicy, atomically: atomically)
      return CloudResponse(
        saved, deleted: deleted, CloudItem.record, CloudResponse.Value.record)
    case .query(let query, let zoneID, let keys, let limit):
      return CloudResponse(
        page: try await records(
          matching: query, inZoneWith: zoneID, desiredKeys: keys, resultsLimit: limit))
    case .continueQuery(let cursor, let keys, let limit):
      return CloudResponse(
        page: try await records(
          continuingMatchFrom: cursor, desiredKeys: keys, resultsLimit: limit))
    case .databaseChanges(let token, let limit):
      let changes = try await databaseChanges(since: token, resultsLimit: limit)
      return CloudResponse(
        changes.modifications.map { .init(.zone($0.zoneID)) },
        deletions: changes.deletions.map { .init(.zone($0.zoneID), .reason($0.reason)) },
        position: changes.changeToken.data, moreComing: changes.moreComing)
    case .recordZoneChanges(let zoneID, let token, let keys, let limit):
      let changes = try await recordZoneChanges(
        inZoneWith: zoneID, since: token, desiredKeys: keys, resultsLimit: limit)
      return CloudResponse(
        CloudResponse.entries(changes.modificationResultsByID, CloudItem.record) {
          .record($0.record)
        },
        deletions: changes.deletions.map {
          .init(.record($0.recordID), .recordType($0.recordType))
        },
        position: changes.changeToken.data, moreComing: changes.moreComing)
    case .allRecordZones:
      return CloudResponse(try await allRecordZones().map { .init(.zone($0.zoneID), .zone($0)) })
    case .recordZones(let ids):
      return CloudResponse(
        try await recordZones(for: ids), CloudItem.zone, CloudResponse.Value.zone)
    case .modifyRecordZones(let zones, let ids):
      let (saved, deleted) = try await modifyRecordZones(saving: zones, deleting: ids)
      return CloudResponse(saved, deleted: deleted, CloudItem.zone, CloudResponse.Value.zone)
    case .allSubscriptions:
      return CloudResponse(
        try await allSubscriptions().map {
          .init(.subscription($0.subscriptionID), .subscription($0))
        })
    case .subscriptions(let ids):
      return CloudResponse(
        try await subscriptions(for: ids), CloudItem.subscription,
        CloudResponse.Value.subscription)
    case .modifySubscriptions(let subscriptions, let ids):
      let (saved, deleted) = try await modifySubscriptions(saving: subscriptions, deleting: ids)
      return CloudResponse(
        saved, deleted: deleted, CloudItem.subscription, CloudResponse.Value.subscription)
    case .accountStatus, .userRecordID, .shareParticipants, .shareMetadatas, .accept,
      .requestShareAccess:
      throw CloudError(
        .invalidArguments, "the call \(request.operation.rawValue) is not one of a database")
    }
  }
}

extension CloudResponse {
  fileprivate init(
    page: (matchResults: [(RecordID, Result<ResultRecord, any Error>)], queryCursor: QueryCursor?)
  ) {
    self.init(
      page.matchResults.map { Entry(.record($0), $1.map(Value.record)) },
      position: page.queryCursor?.data, moreComing: page.queryCursor != nil)
  }
}
