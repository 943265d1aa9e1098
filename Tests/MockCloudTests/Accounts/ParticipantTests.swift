import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// What participants of a share see of it, and may change.
@Suite("Participants")
struct ParticipantTests {
  @Test("A conflict shows a participant the share as the participant sees it")
  func conflict() async throws {
    let users = try await NoteUsers()
    try await users.share(
      "root", "share", [participant("_kenji"), participant("_ada", .readWrite, .pending)])
    let database = users.kenji.sharedCloudDatabase
    let mine = try await database.record(for: seen("share"))
    #expect(mine.shareInfo?.participants.count == 2)
    var draft = DraftRecord(try await users.mira.record(for: id("share")))
    draft[Share.titleKey] = "x"
    try await users.mira.save(draft)
    var old = DraftRecord(mine)
    old[Share.titleKey] = "y"
    let error = await cloudError { try await database.save(old) }
    #expect(error?.code == .serverRecordChanged)
    #expect(error?.conflict?.serverRecord?.shareInfo?.participants.count == 2)
    #expect(
      error?.conflict?.serverRecord?.shareInfo?.currentUserParticipant?.userIdentity.userRecordName
        == "_kenji")
  }

  @Test("A participant does not change the owner and the link of a share")
  func otherMembers() async throws {
    let users = try await NoteUsers()
    try await users.share("root", "share", [participant("_kenji")])
    let before = try await users.mira.record(for: id("share")).shareInfo
    var draft = DraftRecord(try await users.kenji.sharedCloudDatabase.record(for: seen("share")))
    draft.shareInfo?.owner = participant("_kenji", role: .owner)
    draft.shareInfo?.url = URL(string: "https://evil.example.com")
    draft.shareInfo?.shortGUID = "evil"
    draft.shareInfo?.currentUserParticipant = participant("_kenji", role: .owner)
    let error = await cloudError { try await users.kenji.sharedCloudDatabase.save(draft) }
    let after = try await users.mira.record(for: id("share")).shareInfo
    #expect(before == after, "\(String(describing: error))")
  }

  @Test("An administrator who may only read changes who takes part, and nothing else")
  func readingAdministrator() async throws {
    let users = try await NoteUsers()
    try await users.share("root", "share", [participant("_kenji", .readOnly, role: .administrator)])
    let database = users.kenji.sharedCloudDatabase
    let stored = try await database.record(for: seen("share"))
    var draft = DraftRecord(stored)
    var info = try #require(stored.shareInfo)
    info.participants.append(participant("_ada", .readOnly, .pending))
    draft.shareInfo = info
    try await database.save(draft)
    let all = try await users.mira.record(for: id("share")).shareInfo?.participants
    #expect(all?.count == 3)
    var root = DraftRecord(try await database.record(for: seen("root")))
    root["text"] = "changed"
    let error = await cloudError { try await database.save(root) }
    #expect(error?.code == .permissionFailure)
  }

  @Test("An administrator does not exceed the number of participants")
  func tooManyParticipants() async throws {
    var rules = ServerRules.native
    rules.maxParticipants = 3
    let users = try await NoteUsers(rules: rules)
    try await users.share(
      "root", "share",
      [participant("_kenji", role: .administrator), participant("_ada", .readWrite, .pending)])
    let database = users.kenji.sharedCloudDatabase
    var draft = DraftRecord(try await database.record(for: seen("share")))
    draft.shareInfo?.participants.append(participant("_zoe", .readOnly, .pending))
    let error = await cloudError { try await database.save(draft) }
    #expect(error?.code == .tooManyParticipants)
    let count = try await users.mira.record(for: id("share")).shareInfo?.participants.count
    #expect(count == 3)
  }

  @Test("A removed participant joins a public share by its link")
  func joiningAgain() async throws {
    let users = try await NoteUsers()
    var root = note("root")
    let share = DraftRecord(
      sharing: &root, participants: [participant("_kenji", .readWrite, .removed)],
      publicPermission: .readWrite, recordName: "share")
    try await users.mira.modifyRecords(saving: [root, share], deleting: [])
    let url = try #require(
      try await users.mira.record(for: id("share")).shareInfo?.url)
    try await users.kenji.accept(users.kenji.shareMetadata(for: url))
    #expect(try await users.kenji.sharedCloudDatabase.allRecordZones().count == 1)
  }

  @Test("Shares have links of their own, whatever their names")
  func links() async throws {
    let users = try await NoteUsers()
    for name in ["A", "A:B", "A/B", "A:B:_x"] {
      try await users.mira.save(RecordZone(zoneID: ZoneID(zoneName: name)))
    }
    var urls: [URL?] = []
    for (zone, name) in [("A", "B:c"), ("A:B", "c")] {
      let zoneID = ZoneID(zoneName: zone)
      var root = note("r", in: zoneID)
      let share = DraftRecord(sharing: &root, recordName: name)
      try await users.mira.modifyRecords(saving: [root, share], deleting: [])
      urls.append(try await users.mira.record(for: share.recordID).shareInfo?.url)
    }
    #expect(Set(urls).count == urls.count, "\(urls)")
  }

  /// Source: Apple's `CKShare.h` on `URL`.
  @Test(
    "A share that is made again has the link of the earlier share of its root, no other share's")
  func oldLink() async throws {
    let users = try await NoteUsers()
    func url() async throws -> URL {
      let record = try await users.mira.record(for: id("share"))
      return try #require(record.shareInfo?.url)
    }
    try await users.share("root", "share", [participant("_kenji", .readWrite, .pending)])
    let old = try await url()
    try await users.mira.deleteRecord(withID: id("share"))
    try await users.share("root", "share", [participant("_kenji", .readWrite, .pending)])
    #expect(try await url() == old)
    try await users.kenji.accept(users.kenji.shareMetadata(for: old))
    try await users.mira.deleteRecord(withID: id("share"))
    let error = await cloudError { try await users.kenji.shareMetadata(for: old) }
    #expect(error?.code == .unknownItem)
    try await users.share("other", "share", [])
    #expect(try await url() != old)
  }
}
