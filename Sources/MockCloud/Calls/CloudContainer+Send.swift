import CloudInterface
import RecordModel

extension CloudContainer {
  /// Makes a call that is given as a value.
  ///
  /// - Throws: what the call throws; `invalidArguments` for a call of a database without a database.
  public func send(_ call: CloudCall) async throws -> CloudResponse {
    switch call.request {
    case .accountStatus: return .accountStatus(try await accountStatus())
    case .userRecordID: return .userRecordID(try await userRecordID())
    case .shareParticipants(let lookupInfos):
      return .shareParticipants(try await shareParticipants(for: lookupInfos))
    case .shareMetadatas(let urls): return .shareMetadatas(try await shareMetadatas(for: urls))
    case .accept(let metadatas): return .accept(try await accept(metadatas))
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
  /// Makes a call that is given as a value.
  ///
  /// - Throws: what the call throws; `invalidArguments` for a call of a container.
  public func send(_ request: CloudRequest) async throws -> CloudResponse {
    switch request {
    case .records(let ids, let keys):
      return .records(try await records(for: ids, desiredKeys: keys))
    case .modifyRecords(let drafts, let ids, let savePolicy, let atomically):
      let results = try await modifyRecords(
        saving: drafts, deleting: ids, savePolicy: savePolicy, atomically: atomically)
      return .modifyRecords(
        saveResults: results.saveResults, deleteResults: results.deleteResults)
    case .query(let query, let zoneID, let keys, let limit):
      let page = try await records(
        matching: query, inZoneWith: zoneID, desiredKeys: keys, resultsLimit: limit)
      return .query(matchResults: page.matchResults, queryCursor: page.queryCursor)
    case .continueQuery(let cursor, let keys, let limit):
      let page = try await records(
        continuingMatchFrom: cursor, desiredKeys: keys, resultsLimit: limit)
      return .query(matchResults: page.matchResults, queryCursor: page.queryCursor)
    case .databaseChanges(let token, let limit):
      let changes = try await databaseChanges(since: token, resultsLimit: limit)
      return .databaseChanges(
        modifications: changes.modifications, deletions: changes.deletions,
        changeToken: changes.changeToken, moreComing: changes.moreComing)
    case .recordZoneChanges(let zoneID, let token, let keys, let limit):
      let changes = try await recordZoneChanges(
        inZoneWith: zoneID, since: token, desiredKeys: keys, resultsLimit: limit)
      return .recordZoneChanges(
        modificationResultsByID: changes.modificationResultsByID, deletions: changes.deletions,
        changeToken: changes.changeToken, moreComing: changes.moreComing)
    case .allRecordZones: return .allRecordZones(try await allRecordZones())
    case .recordZones(let ids): return .recordZones(try await recordZones(for: ids))
    case .modifyRecordZones(let zones, let ids):
      let results = try await modifyRecordZones(saving: zones, deleting: ids)
      return .modifyRecordZones(
        saveResults: results.saveResults, deleteResults: results.deleteResults)
    case .allSubscriptions: return .allSubscriptions(try await allSubscriptions())
    case .subscriptions(let ids): return .subscriptions(try await subscriptions(for: ids))
    case .modifySubscriptions(let subscriptions, let ids):
      let results = try await modifySubscriptions(saving: subscriptions, deleting: ids)
      return .modifySubscriptions(
        saveResults: results.saveResults, deleteResults: results.deleteResults)
    case .accountStatus, .userRecordID, .shareParticipants, .shareMetadatas, .accept:
      throw CloudError(
        .invalidArguments, "the call \(request.operation.rawValue) is not one of a database")
    }
  }
}
