#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import TestSupport
import Testing

/// Archives that CloudKit wrote; they lie beside the repository.
@Suite(.enabled(if: Place.corpus("keyed-archives") != nil))
struct ArchiveSampleTests {
  private func unarchiver(_ name: String) throws -> NSKeyedUnarchiver {
    let folder = try #require(Place.corpus("keyed-archives"))
    let data = try Data(contentsOf: folder.appending(path: name))
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = true
    return unarchiver
  }

  @Test func systemFieldsThatCloudKitWroteAreRead() throws {
    let archive = try unarchiver("system-fields-notes-account.bplist")
    let record = try #require(CKRecord(coder: archive))
    #expect(record.recordType == "AccountData")
    #expect(record.recordID.zoneID == CKRecordZone.ID(zoneName: "Notes"))
    #expect(record.recordChangeTag == "ey")
    #expect(record.creationDate != nil)
    #expect(record.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
    #expect(record.allKeys().isEmpty)
  }

  @Test func aShareThatCloudKitWroteIsRead() throws {
    let share = CKShare(coder: try unarchiver("system-fields-notes-share.bplist"))
    #expect(share.recordType == CKRecord.SystemType.share)
    #expect(share.recordChangeTag == "1av")
    #expect(share.publicPermission == CKShare.ParticipantPermission.none)
    #expect(share.participants.map(\.role) == [.owner, .privateUser])
    #expect(share.owner.userIdentity.nameComponents?.familyName == "Tester")
    #expect(share.participants.last?.userIdentity.lookupInfo?.emailAddress?.isEmpty == false)
    #expect(share.currentUserParticipant?.role == .owner)
  }
}
