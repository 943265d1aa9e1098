import CloudInterface
import Foundation
import RecordModel
import RecordStore

extension MockDatabase {
  /// Fetches records; see `CloudDatabase`.
  public func records(
    for ids: [RecordID], desiredKeys: [String]?
  ) async throws -> [RecordID: Result<ResultRecord, any Error>] {
    let (container, scope, rules) = (container, databaseScope, container.rules)
    let desired = desiredKeys.map(Set.init)
    return try await reading { snapshot in
      try RequestLimitRule.check(items: ids.count, rules)
      let grants = try container.grants(for: snapshot, in: scope)
      var results: [RecordID: Result<ResultRecord, any Error>] = [:]
      for id in ids where results[id] == nil {
        if let record = try snapshot.record(for: id, in: scope) {
          results[id] = try itemResult {
            try grants?.check(reading: record)
            return record.keeping(desired)
          }
        } else if try snapshot.zone(id.zoneID, in: scope) == nil {
          results[id] = .failure(try snapshot.missingZone(id.zoneID, in: scope))
        } else {
          results[id] = .failure(CloudError.unknownItem(id, in: scope))
        }
      }
      return results
    }
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
    let (container, scope, rules) = (container, databaseScope, container.rules)
    let deviceID = deviceID
    let answer = try await changing(items: recordsToSave.count + recordIDsToDelete.count) {
      transaction, notifier in
      try RequestLimitRule.check(sizeOf: recordsToSave, savePolicy, rules)
      try OneItemOnceRule.check(saving: recordsToSave, deleting: recordIDsToDelete)
      try DefaultZoneAtomicityRule.check(
        recordsToSave.map(\.recordID.zoneID) + recordIDsToDelete.map(\.zoneID),
        atomically: atomically, rules)
      let request = ModifyRequest(
        in: scope, from: deviceID, rules: rules, transaction: transaction,
        schemas: container.schemas)
      try request.judge(
        saving: recordsToSave, deleting: recordIDsToDelete, savePolicy, atomically: atomically)
      return try request.apply(notifier)
    }
    container.addCascades(answer.deferred, in: scope)
    return (answer.saveResults, answer.deleteResults)
  }

  // MARK: For tests

  /// Returns all records of a type, by zone and name.
  ///
  /// - Parameters:
  ///   - recordType: the type of the records.
  ///   - zoneID: the zone to read; nil for all zones of the database.
  public func records(
    ofType recordType: String, inZoneWith zoneID: ZoneID? = nil
  ) async throws -> [ResultRecord] {
    let scope = databaseScope
    let filter = RecordFilter(zoneIDs: zoneID.map { [$0] }, recordTypes: [recordType])
    return try await reading { snapshot in
      var records: [ResultRecord] = []
      try snapshot.forEachRecord(in: scope, filter: filter) { records.append($0) }
      return records
    }
  }

  /// Returns the content of an asset of a fetched or saved record.
  ///
  /// - Throws: `CloudError`: `assetNotAvailable` if the container does not have the content.
  public func data(for asset: Asset) async throws -> Data {
    try await reading { snapshot in
      guard let sha256 = asset.sha256 else {
        throw CloudError(.assetNotAvailable, "the asset has no SHA-256; fetch its record first")
      }
      do {
        return try snapshot.assetData(sha256: sha256)
      } catch ContainerStoreError.assetNotFound {
        throw CloudError(.assetNotAvailable, "no content with the SHA-256 '\(sha256)' is stored")
      }
    }
  }
}

extension ResultRecord {
  /// Returns the record with only some of its fields; nil for all.
  func keeping(_ keys: Set<String>?) -> ResultRecord {
    guard let keys, fields.contains(where: { !keys.contains($0.name) }) else { return self }
    return ResultRecord(
      systemFields: systemFields, fields: fields.filter { keys.contains($0.name) })
  }
}
