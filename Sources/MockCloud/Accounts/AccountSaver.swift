import RecordModel
import RecordStore

/// Saves records of a request as one user; all get the same stamp.
final class AccountSaver {
  private let transaction: AccountTransaction
  private let deviceID: String?
  private var savers: [DatabaseScope: DraftSaver] = [:]

  init(_ transaction: AccountTransaction, from deviceID: String?) {
    self.transaction = transaction
    self.deviceID = deviceID
  }

  private func saver(for zoneID: ZoneID) throws -> DraftSaver {
    guard let zone = transaction.view.stored(zoneID) else {
      throw CloudError.zoneNotFound(zoneID, in: transaction.scope)
    }
    if let known = savers[zone.scope] { return known }
    let saver = try transaction.base.saver(
      in: zone.scope, user: transaction.view.account, deviceID: deviceID)
    savers[zone.scope] = saver
    return saver
  }

  /// Creates a record, or replaces it completely.
  ///
  /// - Parameter stored: what the container has under the record's name.
  /// - Returns: the record as it is in the container, and as the server sends it to the user.
  func save(
    _ record: ResultRecord, over stored: StoredRecord?
  ) throws -> (stored: ResultRecord, shown: ResultRecord) {
    let view = transaction.view
    let zoneID = record.recordID.zoneID
    let stored = try saver(for: zoneID).save(view.inContainer(record), over: stored)
    guard let zone = view.stored(zoneID) else { return (stored, stored) }
    return (stored, view.shown(stored, in: zone))
  }

  /// Gives a record the next change tag and changes nothing else.
  func touch(_ recordID: RecordID, isChange: Bool) throws {
    try saver(for: recordID.zoneID).touch(inContainer(recordID), isChange: isChange)
  }

  /// Removes the reference of a record to its share.
  func removeShare(of recordID: RecordID) throws {
    try saver(for: recordID.zoneID).removeShare(of: inContainer(recordID))
  }

  func checkAssets(of record: ResultRecord, over stored: ResultRecord?) throws {
    try saver(for: record.recordID.zoneID).checkAssets(of: record, over: stored)
  }

  private func inContainer(_ recordID: RecordID) -> RecordID {
    let zoneID = transaction.view.stored(recordID.zoneID)?.zoneID ?? recordID.zoneID
    return RecordID(recordName: recordID.recordName, zoneID: zoneID)
  }
}
