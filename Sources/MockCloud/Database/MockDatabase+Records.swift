import CloudInterface
import RecordModel

extension MockDatabase {
  /// Fetches records; see `CloudDatabase`.
  public func records(
    for ids: [RecordID], desiredKeys: [String]?
  ) async throws -> [RecordID: Result<ResultRecord, any Error>] {
    let desired = desiredKeys.map(Set.init)
    return try await reading(items: ids.count) { snapshot in
      let grants = try grants(for: snapshot)
      var zones: [ZoneID: ZoneLocation?] = [:]
      var results: [RecordID: Result<ResultRecord, any Error>] = [:]
      for id in ids where results[id] == nil {
        let zone = try zones[id.zoneID] ?? snapshot.location(of: id.zoneID)
        zones[id.zoneID] = .some(zone)
        results[id] = try resultOfItem {
          guard let zone else { throw try snapshot.missingZone(id.zoneID) }
          guard let record = try snapshot.record(id, in: zone) ?? snapshot.userRecord(id) else {
            throw CloudError.unknownItem(id, in: snapshot.view.scope)
          }
          try grants?.check(reading: record)
          return record.keeping(desired)
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
    try await modifyRecords(
      recordsToSave.map { SaveRequest($0, savePolicy) },
      deleting: recordIDsToDelete.map { RecordDeletion($0) }, atomically: atomically)
  }

  /// Saves and deletes records, each save with a policy of its own.
  ///
  /// - Parameter rules: what the server allows in this request; nil for the container's rules.
  package func modifyRecords(
    _ saves: [SaveRequest], deleting deletions: [RecordDeletion], atomically: Bool,
    rules: ServerRules? = nil
  ) async throws -> (
    saveResults: [RecordID: Result<ResultRecord, any Error>],
    deleteResults: [RecordID: Result<Void, any Error>]
  ) {
    let (container, rules) = (container, rules ?? container.rules)
    return try await changing(items: saves.count + deletions.count) { transaction, notifier in
      try RequestLimitRule.check(sizeOf: saves, rules)
      try OneItemOnceRule.check(
        saving: saves.map(\.draft), deleting: deletions.map(\.recordID))
      try DefaultZoneAtomicityRule.check(
        saves.map(\.draft.recordID.zoneID) + deletions.map(\.recordID.zoneID),
        atomically: atomically, rules)
      let request = ModifyRequest(
        transaction, rules: rules, schemas: container.schemas)
      try request.judge(saving: saves, deleting: deletions, atomically: atomically)
      let answer = try request.apply(notifier)
      container.addCascades(answer.deferred, in: transaction.view.key)
      return (answer.saveResults, answer.deleteResults)
    }
  }

  /// Returns the root record of a share as the user of the database sees it, before the user accepts
  /// the share, too.
  ///
  /// Source: `CKShare.Metadata.rootRecord`, CKShare.h.
  ///
  /// - Returns: nil for a share of a zone.
  package func rootRecord(of metadata: ShareMetadata) async throws -> ResultRecord? {
    guard let root = metadata.hierarchicalRootRecordID else { return nil }
    return try await reading { snapshot in
      guard let place = snapshot.view.location(of: root) else { return nil }
      return try snapshot.base.record(for: place.recordID, in: place.database)
        .map { snapshot.view.shown($0, in: place.zone) }
    }
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
    try await reading { snapshot in
      var records: [ResultRecord] = []
      for zone in try snapshot.zones() where zoneID == nil || zoneID == zone.zoneID {
        guard let place = snapshot.view.location(of: zone.zoneID) else { continue }
        let filter = RecordFilter(zoneIDs: [place.zoneID], recordTypes: [recordType])
        try snapshot.base.forEachRecord(in: place.database, filter: filter) { record in
          guard try snapshot.sees(record, in: place) else { return }
          records.append(snapshot.view.shown(record, in: place))
        }
      }
      return records
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
