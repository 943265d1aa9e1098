import RecordModel
import RecordStore

extension MockContainer {
  /// Deletes a zone as a user does in the settings, not the app.
  ///
  /// Requests to a purged zone fail with `userDeletedZone`, and the change feed has the reason.
  ///
  /// - Parameters:
  ///   - zoneID: the zone of the private database.
  ///   - reason: `purged` for "Delete Data from iCloud", or `encryptedDataReset`.
  /// - Throws: `CloudError`: `zoneNotFound`.
  public func purgeRecordZone(
    withID zoneID: ZoneID, for reason: DeletedZone.Reason = .purged
  ) async throws {
    try await purgeRecordZone(zoneID, for: reason, of: nil)
  }

  func purgeRecordZone(
    _ zoneID: ZoneID, for reason: DeletedZone.Reason, of account: String?
  ) async throws {
    try await perform { [self] in
      try changing(in: DatabaseKey(scope: .private, account: account)) { transaction, notifier in
        try transaction.deleteZone(zoneID, for: reason, notifier)
      }
    }
  }
}
