import Foundation
import RecordModel

extension DraftRecord {
  /// Creates a share of a record and of all records below it (`CKShare(rootRecord:)`).
  ///
  /// ```swift
  /// var chat = DraftRecord(recordType: "Chat", zoneID: chats)
  /// let share = DraftRecord(sharing: &chat, participants: [kenji])
  /// try await database.modifyRecords(saving: [chat, share], deleting: [])
  /// ```
  ///
  /// - Parameters:
  ///   - root: the record to share, which gets a reference to the share. Save both in one request.
  ///   - participants: the users who are invited; the server adds the owner.
  ///   - publicPermission: what everyone may do who has the link.
  ///   - title: the title that invitations show.
  ///   - recordName: the name of the share's record; nil for a random one.
  public init(
    sharing root: inout DraftRecord, participants: [ShareParticipant] = [],
    publicPermission: ShareParticipant.Permission = .none, title: String? = nil,
    recordName: String? = nil
  ) {
    let recordID = RecordID(
      recordName: recordName ?? "Share-\(UUID().uuidString)", zoneID: root.recordID.zoneID)
    self.init(shareWith: recordID, participants, publicPermission, title)
    root.share = Reference(recordID: recordID)
  }

  /// Creates a share of a whole zone (`CKShare(recordZoneID:)`).
  public init(
    sharingZone zoneID: ZoneID, participants: [ShareParticipant] = [],
    publicPermission: ShareParticipant.Permission = .none, title: String? = nil
  ) {
    let recordID = RecordID(recordName: Share.zoneWideRecordName, zoneID: zoneID)
    self.init(shareWith: recordID, participants, publicPermission, title)
  }

  private init(
    shareWith recordID: RecordID, _ participants: [ShareParticipant],
    _ publicPermission: ShareParticipant.Permission, _ title: String?
  ) {
    self.init(recordType: Share.recordType, recordID: recordID)
    shareInfo = Share(publicPermission: publicPermission, participants: participants)
    self[Share.titleKey] = title
  }
}
