import RecordModel
import RecordStore

/// Saves records of a request as one user; all get the same stamp.
final class AccountSaver {
  private let transaction: AccountTransaction
  private let deviceID: String?
  private var knownStamp: RecordStamp?

  init(_ transaction: AccountTransaction, from deviceID: String?) {
    self.transaction = transaction
    self.deviceID = deviceID
  }

  private var stamp: RecordStamp {
    get throws {
      if let knownStamp { return knownStamp }
      let stamp = try transaction.base.stamp(
        user: transaction.view.account, deviceID: deviceID)
      knownStamp = stamp
      return stamp
    }
  }

  /// Returns where a zone lies in the container.
  private func place(of zoneID: ZoneID) throws -> StoredZone {
    guard let zone = transaction.view.stored(zoneID) else {
      throw CloudError.zoneNotFound(zoneID, in: transaction.scope)
    }
    return zone
  }

  /// Creates a record, or replaces it completely.
  ///
  /// - Parameter stored: what the container has under the record's name.
  /// - Returns: the record as it is in the container, and as the server sends it to the user.
  func save(
    _ record: ResultRecord, over stored: StoredRecord?
  ) throws -> (stored: ResultRecord, shown: ResultRecord) {
    let (view, zone) = (transaction.view, try place(of: record.recordID.zoneID))
    let saved = try transaction.base.save(
      view.inContainer(record), over: stored, in: zone.scope, stampedBy: stamp)
    return (saved, view.shown(saved, in: zone))
  }

  /// Gives a record the next change tag and changes nothing else.
  func touch(_ recordID: RecordID, isChange: Bool) throws {
    let zone = try place(of: recordID.zoneID)
    try transaction.base.advanceChangeTag(
      of: RecordID(recordName: recordID.recordName, zoneID: zone.zoneID), in: zone.scope,
      isChange: isChange)
  }

  /// Removes the reference of a record to its share.
  func removeShare(of recordID: RecordID) throws {
    let zone = try place(of: recordID.zoneID)
    try transaction.base.removeShare(
      of: RecordID(recordName: recordID.recordName, zoneID: zone.zoneID), in: zone.scope)
  }

  func checkAssets(of record: ResultRecord, over stored: ResultRecord?) throws {
    try transaction.base.checkAssets(of: record, over: stored)
  }
}
