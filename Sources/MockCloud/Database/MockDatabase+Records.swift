import Foundation
import RecordModel

extension MockDatabase {
  /// The record of that identity.
  ///
  /// - Throws: `zoneNotFound` or `unknownItem` of CloudKit.
  public func record(for recordID: RecordID) throws -> ResultRecord {
    try container.snapshot { try result(for: recordID, in: $0).get() }
  }

  /// The records of those identities, each with its record or its error.
  public func records(
    for recordIDs: [RecordID]
  ) throws -> [RecordID: Result<ResultRecord, CloudError>] {
    try container.snapshot { snapshot in
      var results: [RecordID: Result<ResultRecord, CloudError>] = [:]
      for recordID in recordIDs where results[recordID] == nil {
        results[recordID] = try result(for: recordID, in: snapshot)
      }
      return results
    }
  }

  private func result(
    for recordID: RecordID, in snapshot: ContainerSnapshot
  ) throws -> Result<ResultRecord, CloudError> {
    guard let zone = try snapshot.zoneRow(recordID.zoneID, in: scope) else {
      return .failure(zoneNotFound(recordID.zoneID))
    }
    guard let record = try snapshot.record(named: recordID.recordName, inZone: zone) else {
      return .failure(unknownItem(recordID))
    }
    return .success(record)
  }

  /// Calls `body` with each record in canonical order (zone, type, name), one at a time.
  public func forEachRecord(
    _ filter: RecordFilter = .all, _ body: (ResultRecord) throws -> Void
  ) throws {
    try container.snapshot { try $0.forEachRecord(in: scope, filter: filter, body) }
  }

  /// Saves drafts: creates the records, or replaces them whole.
  ///
  /// Each gets the next change tag and the time of the save. The content of assets is read and
  /// stored. All drafts are saved, or none.
  ///
  /// - Parameters:
  ///   - drafts: what to save; of two with one identity the later counts.
  ///   - user: the record name of who saves; nil is the container's signed-in user.
  ///   - deviceID: the device that saves.
  /// - Returns: the records as they are now, in the order of the drafts.
  /// - Throws: `zoneNotFound` or `assetFileNotFound` of CloudKit; `invalidArguments` or
  ///   `limitExceeded`, with a `violation`, for a draft that exceeds a limit.
  @discardableResult
  public func save(
    _ drafts: [DraftRecord], savingAs user: String? = nil, deviceID: String? = nil
  ) throws -> [ResultRecord] {
    for draft in drafts { try container.limits.check(draft) }
    return try container.write { writer in
      let user = try user ?? ContainerInfo.read(from: writer.db).currentUserRecordName
      let stamp = RecordStamp(
        date: container.now().wholeMilliseconds,
        userRecordName: user ?? ZoneID.currentUserOwnerName, deviceID: deviceID)
      let saver = DraftSaver(writer: writer, scope: scope, stamp: stamp, limits: container.limits)
      return try drafts.map(saver.save)
    }
  }

  /// Deletes records; those that are not there are passed over. A tombstone of each stays.
  ///
  /// - Returns: the identities of the records that were there.
  /// - Throws: `zoneNotFound` of CloudKit; nothing is deleted then.
  @discardableResult
  public func deleteRecords(_ recordIDs: [RecordID]) throws -> [RecordID] {
    try container.write { writer in
      let date = container.now().wholeMilliseconds
      return try recordIDs.filter { recordID in
        guard let zone = try writer.zone(recordID.zoneID, in: scope) else {
          throw zoneNotFound(recordID.zoneID)
        }
        return try writer.delete(recordID, in: zone, at: date)
      }
    }
  }

  /// What is left of the records that were deleted, by zone and name.
  public func tombstones() throws -> [Tombstone] {
    try container.snapshot { snapshot in
      var tombstones: [Tombstone] = []
      try snapshot.forEachTombstone(in: scope) { tombstones.append($0) }
      return tombstones
    }
  }
}

extension Date {
  /// The date rounded to whole milliseconds: a server's stamps have no finer ones.
  var wholeMilliseconds: Date {
    Date(
      timeIntervalSinceReferenceDate: (timeIntervalSinceReferenceDate * 1000).rounded() / 1000)
  }
}
