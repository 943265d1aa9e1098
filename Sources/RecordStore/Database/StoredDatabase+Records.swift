import Foundation
import RecordModel

extension StoredDatabase {
  /// Returns the record with an ID.
  ///
  /// - Throws: CloudKit's `zoneNotFound` or `unknownItem`.
  public func record(for recordID: RecordID) throws -> ResultRecord {
    try container.snapshot { try result(for: recordID, in: $0).get() }
  }

  /// Returns the record or the error for each ID.
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
    if let record = try snapshot.record(for: recordID, in: scope) { return .success(record) }
    return try snapshot.hasZone(recordID.zoneID, in: scope)
      ? .failure(.unknownItem(recordID, in: scope))
      : .failure(.zoneNotFound(recordID.zoneID, in: scope))
  }

  /// Calls `body` with each record in canonical order (zone, type, name), one at a time.
  public func forEachRecord(
    _ filter: RecordFilter = .all, _ body: (ResultRecord) throws -> Void
  ) throws {
    try container.snapshot { try $0.forEachRecord(in: scope, filter: filter, body) }
  }

  /// Saves drafts: creates the records, or replaces them completely.
  ///
  /// Each record gets the next change tag and the time of the save. The content of assets is read
  /// and stored; an asset without content must be one that the container stores, or that the record
  /// had before. Either all drafts are saved, or none.
  ///
  /// - Parameters:
  ///   - drafts: the records to save; of two with the same ID, the later one counts.
  ///   - user: the record name of the saving user; nil for the container's signed-in user.
  ///   - deviceID: the identifier of the saving device.
  /// - Returns: the saved records, in the order of the drafts.
  /// - Throws: CloudKit's `zoneNotFound` or `assetFileNotFound`; `invalidArguments` or
  ///   `limitExceeded`, with a `violation`, for a draft that exceeds a limit.
  @discardableResult
  public func save(
    _ drafts: [DraftRecord], savingAs user: String? = nil, deviceID: String? = nil
  ) throws -> [ResultRecord] {
    try container.transaction {
      try $0.save(drafts, in: scope, savingAs: user, deviceID: deviceID)
    }
  }

  /// Deletes records, and leaves a tombstone of each. Records that do not exist are ignored.
  ///
  /// - Returns: the IDs of the deleted records.
  /// - Throws: CloudKit's `zoneNotFound`; nothing is deleted then.
  @discardableResult
  public func deleteRecords(_ recordIDs: [RecordID]) throws -> [RecordID] {
    try container.transaction { transaction in
      try recordIDs.filter { try transaction.delete($0, in: scope) }
    }
  }

  /// Returns the tombstones of deleted records, by zone and name.
  public func tombstones() throws -> [DeletedRecord] {
    try container.snapshot { snapshot in
      var tombstones: [DeletedRecord] = []
      try snapshot.forEachTombstone(in: scope) { tombstones.append($0) }
      return tombstones
    }
  }
}
