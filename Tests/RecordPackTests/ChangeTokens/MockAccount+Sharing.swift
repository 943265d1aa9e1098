import Foundation
import RecordPack

extension MockAccount {
  /// Shares a stored record with another user, who accepts.
  func share(_ recordID: RecordID, with other: MockAccount) async throws {
    var root = DraftRecord(try await privateCloudDatabase.record(for: recordID))
    let share = DraftRecord(
      sharing: &root, participants: [other.reader], recordName: "share-\(recordID.recordName)")
    try await save([root, share], acceptedBy: other)
  }

  /// Shares a zone with another user, who accepts.
  func shareZone(_ zoneID: ZoneID, with other: MockAccount) async throws {
    let share = DraftRecord(sharingZone: zoneID, participants: [other.reader])
    try await save([share], acceptedBy: other)
  }

  private var reader: ShareParticipant {
    ShareParticipant(
      permission: .readOnly, userIdentity: UserIdentity(userRecordName: userRecordName))
  }

  /// Saves drafts, the last of which is a share.
  private func save(_ drafts: [DraftRecord], acceptedBy other: MockAccount) async throws {
    try await privateCloudDatabase.modifyRecords(saving: drafts, deleting: [])
    guard let share = drafts.last else { return }
    try await other.accept(privateCloudDatabase.record(for: share.recordID))
  }
}
