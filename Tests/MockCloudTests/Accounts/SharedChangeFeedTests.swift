import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

private func shared(_ name: String) -> RecordID { id(name, in: SharedNotes.zone) }

@Suite("Changes of the shared database")
struct SharedChangeFeedTests {
  @Test("tell what came and went with the shares")
  func changes() async throws {
    let notes = try await SharedNotes()
    let database = notes.kenji.sharedCloudDatabase
    let start = try await database.databaseChanges(since: nil)
    #expect(start.modifications.isEmpty)
    try await notes.accept(notes.kenji)
    var zones = try await database.databaseChanges(since: start.changeToken)
    #expect(zones.modifications.map(\.zoneID) == [SharedNotes.zone])
    let first = try await database.recordZoneChanges(inZoneWith: SharedNotes.zone, since: nil)
    #expect(
      Set(first.modificationResultsByID.keys) == Set(["root", "child", "share"].map(shared)))
    // What is not shared is no change.
    try await notes.mira.save(note("secret"))
    zones = try await database.databaseChanges(since: zones.changeToken)
    #expect(zones.modifications.isEmpty)
    var page = try await database.recordZoneChanges(
      inZoneWith: SharedNotes.zone, since: first.changeToken)
    #expect(page.modificationResultsByID.isEmpty && page.deletions.isEmpty)
    // A second hierarchy of the same zone comes when it is accepted.
    var other = note("other")
    let kenji = ShareParticipant(
      permission: .readOnly, userIdentity: UserIdentity(userRecordName: "_kenji"))
    let share = DraftRecord(sharing: &other, participants: [kenji], recordName: "share2")
    try await notes.mira.modifyRecords(
      saving: [other, share, note("below", below: "other")], deleting: [])
    page = try await database.recordZoneChanges(
      inZoneWith: SharedNotes.zone, since: page.changeToken)
    #expect(page.modificationResultsByID.isEmpty)
    try await notes.accept(notes.kenji, "share2")
    page = try await database.recordZoneChanges(
      inZoneWith: SharedNotes.zone, since: page.changeToken)
    #expect(
      Set(page.modificationResultsByID.keys) == Set(["other", "below", "share2"].map(shared)))
    // A record that is moved out of the hierarchy is gone, one that is moved in comes.
    var moved = DraftRecord(try await notes.mira.record(for: id("child")))
    moved.parent = Reference(recordID: id("private"))
    var came = DraftRecord(try await notes.mira.record(for: id("secret")))
    came.parent = Reference(recordID: id("root"))
    try await notes.mira.modifyRecords(saving: [moved, came], deleting: [])
    page = try await database.recordZoneChanges(
      inZoneWith: SharedNotes.zone, since: page.changeToken)
    #expect(page.deletions.map(\.recordID) == [shared("child")])
    #expect(page.modificationResultsByID[shared("secret")] != nil)
    // Leaving one of two shares takes its records, and not the zone.
    try await database.deleteRecord(withID: shared("share2"))
    page = try await database.recordZoneChanges(
      inZoneWith: SharedNotes.zone, since: page.changeToken)
    #expect(Set(page.deletions.map(\.recordID)) == Set(["other", "below", "share2"].map(shared)))
    zones = try await database.databaseChanges(since: zones.changeToken)
    #expect(zones.modifications.map(\.zoneID) == [SharedNotes.zone] && zones.deletions.isEmpty)
    // Leaving the last one takes the zone; its tokens are worth nothing after that.
    try await database.deleteRecord(withID: shared("share"))
    zones = try await database.databaseChanges(since: zones.changeToken)
    #expect(zones.deletions.map(\.zoneID) == [SharedNotes.zone])
    try await notes.changeShare { $0.participants.append(kenji) }
    try await notes.accept(notes.kenji)
    zones = try await database.databaseChanges(since: zones.changeToken)
    #expect(zones.modifications.map(\.zoneID) == [SharedNotes.zone] && zones.deletions.isEmpty)
    let expired = await cloudError {
      try await database.recordZoneChanges(inZoneWith: SharedNotes.zone, since: page.changeToken)
    }
    #expect(expired?.code == .changeTokenExpired)
    try await notes.mira.deleteRecordZone(withID: MockCloudTests.notes)
    zones = try await database.databaseChanges(since: zones.changeToken)
    #expect(zones.deletions.map(\.zoneID) == [SharedNotes.zone])
    try notes.verify()
  }

  @Test("do not go on in a zone that comes again with participants who have accepted")
  func zoneThatComesAgain() async throws {
    for kind in 0..<3 {
      let users = try await NoteUsers()
      let database = users.kenji.sharedCloudDatabase
      try await users.mira.save(note("before"))
      try await users.share("root", "share", [participant("_kenji")])
      let first = try await database.recordZoneChanges(
        inZoneWith: NoteUsers.zone, since: nil, desiredKeys: nil, resultsLimit: nil)
      let token = try await database.databaseChanges(since: nil, resultsLimit: nil).changeToken
      try await users.mira.modifyRecords(
        saving: [], deleting: [id("root"), id("share")])
      #expect(try await database.allRecordZones().isEmpty)
      switch kind {
      case 0: try await users.share("root2", "share2", [participant("_kenji")])  // new root
      case 1: try await users.share("before", "share2", [participant("_kenji")])  // stored root
      default:
        try await users.mira.save(
          DraftRecord(sharingZone: notes, participants: [participant("_kenji")]))
      }
      #expect(try await database.allRecordZones().count == 1)
      let error = await cloudError {
        try await database.recordZoneChanges(
          inZoneWith: NoteUsers.zone, since: first.changeToken, desiredKeys: nil,
          resultsLimit: nil)
      }
      #expect(error?.code == .changeTokenExpired, "kind \(kind)")
      let page = try await database.databaseChanges(since: token, resultsLimit: nil)
      #expect(page.modifications.count == 1)
      #expect(page.deletions.isEmpty, "kind \(kind): zone both changed and deleted")
    }
  }

  @Test("have each zone in one page, whatever else has changed in it")
  func pagesOfZones() async throws {
    let users = try await NoteUsers()
    try await users.mira.save(note("invisible"))
    try await users.share("a", "sa", [participant("_kenji")])
    try await users.share("b", "sb", [participant("_kenji")], zone: NoteUsers.work)
    var draft = DraftRecord(try await users.mira.record(for: id("invisible")))
    draft["text"] = "new"
    try await users.mira.save(draft)
    var token: ServerChangeToken?
    var zones: [ZoneID] = []
    var more = true
    while more {
      let page = try await users.kenji.sharedCloudDatabase.databaseChanges(
        since: token, resultsLimit: 1)
      zones += page.modifications.map(\.zoneID)
      (token, more) = (page.changeToken, page.moreComing)
    }
    #expect(Set(zones) == [NoteUsers.zone, seen("", "Work").zoneID], "\(zones)")
    #expect(zones.count == 2)
  }
}
