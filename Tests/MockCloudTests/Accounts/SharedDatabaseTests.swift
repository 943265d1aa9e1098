import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

private func shared(_ name: String) -> RecordID { id(name, in: SharedNotes.zone) }

@Suite("The shared database")
struct SharedDatabaseTests {
  @Test("has what a user has accepted, and nothing else")
  func accepting() async throws {
    let notes = try await SharedNotes()
    let database = notes.kenji.sharedCloudDatabase
    #expect(try await database.allRecordZones().isEmpty)
    let before = await cloudError { try await database.record(for: shared("root")) }
    #expect(before?.code == .zoneNotFound)
    let metadata = try await notes.kenji.shareMetadata(for: notes.url())
    #expect(metadata.containerIdentifier == "iCloud.notes")
    #expect(metadata.hierarchicalRootRecordID == shared("root"))
    #expect(metadata.participantStatus == .pending && metadata.participantPermission == .readWrite)
    #expect(metadata.ownerIdentity.userRecordName == "_mira")
    let share = try await notes.kenji.accept(metadata)
    #expect(share.recordID == shared("share"))
    #expect(share.shareInfo?.currentUserParticipant?.acceptanceStatus == .accepted)

    #expect(try await database.allRecordZones().map(\.zoneID) == [SharedNotes.zone])
    let results = try await database.records(
      for: ["root", "child", "share", "private", "nothing"].map(shared))
    #expect(try results[shared("root")]?.get().share?.recordID == shared("share"))
    #expect(try results[shared("child")]?.get().parent?.recordID == shared("root"))
    #expect(try results[shared("share")]?.get()["cloudkit.title"] == "Notes")
    #expect(results[shared("private")]?.cloudError?.code == .unknownItem)
    #expect(results[shared("nothing")]?.cloudError?.code == .unknownItem)
    #expect(
      try await database.records(ofType: "Note").map(\.recordID) == ["child", "root"].map(shared))
    let query = RecordQuery(recordType: "Note")
    let found = try await database.records(matching: query, inZoneWith: SharedNotes.zone)
    #expect(found.matchResults.map(\.0) == ["child", "root"].map(shared))
    // The owner sees the participant with the record name; others see nothing.
    let own = try await notes.mira.record(for: id("share")).shareInfo
    #expect(own?.currentUserParticipant?.userIdentity.userRecordName == "_mira")
    let guest = try results[shared("share")]?.get().shareInfo?.currentUserParticipant
    #expect(guest?.userIdentity.userRecordName == "_kenji")
    let seen = own?.participants
    #expect(seen?.map(\.userIdentity.userRecordName) == ["_mira", "_kenji"])
    #expect(seen?.map(\.acceptanceStatus) == [.accepted, .accepted])
    #expect(try await notes.ada.sharedCloudDatabase.allRecordZones().isEmpty)
    #expect(try await notes.container.sharedCloudDatabase.allRecordZones().isEmpty)
    try notes.verify()
  }

  @Test(
    "gives metadata and access to those only who are invited, or have the link of a public share")
  func invitations() async throws {
    let notes = try await SharedNotes()
    let refused = await cloudError { try await notes.ada.shareMetadata(for: notes.url()) }
    #expect(refused?.code == .participantMayNeedVerification)
    let stolen = try await notes.kenji.shareMetadata(for: notes.url())
    let error = await cloudError { try await notes.ada.accept(stolen) }
    #expect(error?.code == .participantMayNeedVerification)
    let link = try #require(URL(string: "https://www.icloud.com/share/nothing"))
    let unknown = await cloudError { try await notes.ada.shareMetadata(for: link) }
    #expect(unknown?.code == .unknownItem)
    let own = try await notes.container.shareMetadata(for: notes.url())
    #expect(own.participantRole == .owner && own.hierarchicalRootRecordID == id("root"))

    try await notes.changeShare { $0.publicPermission = .readOnly }
    try await notes.accept(notes.ada)
    let participant = try await notes.mira.record(for: id("share")).shareInfo?.participants.last
    #expect(participant?.role == .publicUser && participant?.acceptanceStatus == .accepted)
    #expect(try await notes.ada.sharedCloudDatabase.record(for: shared("child"))["text"] == "text")
    let write = await cloudError {
      try await notes.ada.sharedCloudDatabase.save(note("new", below: "root", in: SharedNotes.zone))
    }
    #expect(write?.code == .permissionFailure)
    try await notes.changeShare { $0.publicPermission = .readWrite }
    try await notes.ada.sharedCloudDatabase.save(note("new", below: "root", in: SharedNotes.zone))
    // Going back to none removes everyone but the owner.
    try await notes.changeShare { $0.publicPermission = .none }
    #expect(try await notes.ada.sharedCloudDatabase.allRecordZones().isEmpty)
    #expect(try await notes.mira.record(for: id("share")).shareInfo?.participants.count == 1)
    try notes.verify()
  }

  @Test("is written by participants with that permission, within the share")
  func writing() async throws {
    let notes = try await SharedNotes()
    try await notes.accept(notes.kenji)
    let database = notes.kenji.sharedCloudDatabase
    var draft = DraftRecord(try await database.record(for: shared("child")))
    draft["text"] = "by kenji"
    try await database.save(draft)
    try await database.save(note("new", below: "child", in: SharedNotes.zone))
    let seen = try await notes.mira.record(for: id("child"))
    #expect(seen["text"] == "by kenji" && seen.lastModifiedUserRecordID?.recordName == "_kenji")
    #expect(try await notes.mira.record(for: id("new")).parent?.recordID == id("child"))
    for record in [
      note("outside", in: SharedNotes.zone), note("below", below: "private", in: SharedNotes.zone),
      note("private", in: SharedNotes.zone),
    ] {
      let error = await cloudError { try await database.save(record) }
      #expect(error?.code == .permissionFailure)
      #expect(error?.conflict?.serverRecord == nil)
    }
    let deleting = await cloudError { try await database.deleteRecord(withID: shared("private")) }
    #expect(deleting?.code == .permissionFailure)
    #expect(try await notes.mira.record(for: id("private"))["text"] == "text")
    // A stale tag is a conflict, as in other databases.
    draft["text"] = "again"
    let conflict = await cloudError { try await database.save(draft) }
    #expect(conflict?.code == .serverRecordChanged)
    #expect(conflict?.conflict?.serverRecord?.recordID == shared("child"))
    // A record cannot be moved out of the share.
    var moved = DraftRecord(try await database.record(for: shared("new")))
    moved.parent = nil
    let moving = await cloudError { try await database.save(moved) }
    #expect(moving?.code == .permissionFailure)
    try await database.deleteRecord(withID: shared("new"))
    let zone = await cloudError { try await database.save(RecordZone(zoneName: "Mine")) }
    #expect(zone?.code == .invalidArguments)
    try notes.verify()
  }

  @Test("is only read by participants who may read")
  func readOnly() async throws {
    let notes = try await SharedNotes(.readOnly)
    try await notes.accept(notes.kenji)
    let database = notes.kenji.sharedCloudDatabase
    var draft = DraftRecord(try await database.record(for: shared("child")))
    draft["text"] = "by kenji"
    for (saving, deleting) in [
      ([draft], []), ([note("new", below: "root", in: SharedNotes.zone)], []),
      ([], [shared("child")]),
    ] {
      let results = try await database.modifyRecords(saving: saving, deleting: deleting)
      let errors =
        results.saveResults.values.compactMap(\.cloudError)
        + results.deleteResults.values.compactMap(\.cloudError)
      #expect(errors.map(\.code) == [.permissionFailure])
    }
  }

  @Test("has a share whose participants only its owner and administrators change")
  func administration() async throws {
    let notes = try await SharedNotes()
    try await notes.accept(notes.kenji)
    let database = notes.kenji.sharedCloudDatabase
    func add(_ name: String) async throws {
      let record = try await database.record(for: shared("share"))
      var draft = DraftRecord(record)
      var share = try #require(record.shareInfo)
      share.participants.append(
        ShareParticipant(userIdentity: UserIdentity(userRecordName: name)))
      draft.shareInfo = share
      try await database.save(draft)
    }
    let refused = await cloudError { try await add("_ada") }
    #expect(refused?.code == .permissionFailure)
    var title = DraftRecord(try await database.record(for: shared("share")))
    title["cloudkit.title"] = "Ours"
    try await database.save(title)
    try await notes.changeShare { share in
      share.participants[1].role = .administrator
      share.participants.append(
        ShareParticipant(userIdentity: UserIdentity(userRecordName: "_hidden")))
    }
    // A pending participant is seen by the owner alone, and not removed by others.
    let seen = try await database.record(for: shared("share")).shareInfo?.participants
    #expect(seen?.compactMap(\.userIdentity.userRecordName) == ["_mira", "_kenji"])
    try await add("_ada")
    let all = try await notes.mira.record(for: id("share")).shareInfo?.participants
    #expect(
      Set(all?.compactMap(\.userIdentity.userRecordName) ?? [])
        == ["_mira", "_kenji", "_ada", "_hidden"])
    try await notes.accept(notes.ada)
    var root = note("second", below: "root", in: SharedNotes.zone)
    let share = DraftRecord(sharing: &root)
    let own = await cloudError {
      try await database.modifyRecords(saving: [root, share], deleting: []).saveResults
        .values.first { $0.cloudError?.code == .permissionFailure }?.get()
    }
    #expect(own?.code == .permissionFailure)
  }

  @Test("loses what a user leaves, is removed from, or is no longer shared")
  func leaving() async throws {
    let notes = try await SharedNotes()
    let database = notes.kenji.sharedCloudDatabase
    try await notes.accept(notes.kenji)
    try await database.deleteRecord(withID: shared("share"))
    #expect(try await database.allRecordZones().isEmpty)
    // The share and its records are the owner's.
    let left = try await notes.mira.record(for: id("share")).shareInfo?.participants
    #expect(left?.map(\.role) == [.owner])
    #expect(try await notes.mira.record(for: id("child"))["text"] == "text")
    let again = await cloudError { try await notes.accept(notes.kenji) }
    #expect(again?.code == .participantMayNeedVerification)
    func invite() async throws {
      try await notes.changeShare { share in
        share.participants.append(
          ShareParticipant(userIdentity: UserIdentity(userRecordName: "_kenji")))
      }
      try await notes.accept(notes.kenji)
    }
    try await invite()
    #expect(try await database.record(for: shared("root"))["text"] == "text")
    try await notes.changeShare { $0.participants.removeLast() }
    let removed = await cloudError { try await database.record(for: shared("root")) }
    #expect(removed?.code == .zoneNotFound)
    try await invite()
    try await database.deleteRecordZone(withID: SharedNotes.zone)
    #expect(try await database.allRecordZones().isEmpty)
    #expect(try await notes.mira.record(for: id("root"))["text"] == "text")
    try await invite()
    try await notes.mira.deleteRecord(withID: id("share"))
    #expect(try await database.allRecordZones().isEmpty)
    #expect(try await notes.mira.record(for: id("root")).share == nil)
    try notes.verify()
  }

  @Test("has the zone that is shared as a whole")
  func zoneWide() async throws {
    let notes = try await SharedNotes()
    let albums = ZoneID(zoneName: "Albums")
    let seen = ZoneID(zoneName: "Albums", ownerName: "_mira")
    try await notes.mira.save(RecordZone(zoneID: albums))
    try await notes.mira.save(note("photo", in: albums))
    let kenji = ShareParticipant(
      permission: .readWrite, userIdentity: UserIdentity(userRecordName: "_kenji"))
    let share = DraftRecord(sharingZone: albums, participants: [kenji])
    let saved = try await notes.mira.save(share)
    let url = try #require(saved.shareInfo?.url)
    let metadata = try await notes.kenji.shareMetadata(for: url)
    #expect(metadata.hierarchicalRootRecordID == nil)
    try await notes.kenji.accept(metadata)
    let database = notes.kenji.sharedCloudDatabase
    #expect(try await database.recordZone(for: seen).share?.recordID.zoneID == seen)
    #expect(try await database.record(for: id("photo", in: seen))["text"] == "text")
    try await database.save(note("more", in: seen))
    let changes = try await database.recordZoneChanges(inZoneWith: seen, since: nil)
    #expect(changes.modificationResultsByID.count == 3)
    try await notes.mira.deleteRecord(withID: id("photo", in: albums))
    let next = try await database.recordZoneChanges(
      inZoneWith: seen, since: changes.changeToken)
    #expect(next.deletions.map(\.recordID) == [id("photo", in: seen)])
    #expect(next.deletions.map(\.recordType) == ["Note"])
    try notes.verify()
  }

  @Test("of the signed-in user has what other users of the container share")
  func ofSignedInUser() async throws {
    let notes = try await SharedNotes()
    let database = notes.kenji.privateCloudDatabase
    try await database.save(RecordZone(zoneName: "Plans"))
    let zoneID = ZoneID(zoneName: "Plans")
    let seen = ZoneID(zoneName: "Plans", ownerName: "_kenji")
    var plan = note("plan", in: zoneID)
    let mira = ShareParticipant(
      permission: .readWrite, userIdentity: UserIdentity(userRecordName: "_mira"))
    let share = DraftRecord(sharing: &plan, participants: [mira], recordName: "s")
    try await database.modifyRecords(saving: [plan, share], deleting: [])
    let saved = try await database.record(for: share.recordID)
    let url = try #require(saved.shareInfo?.url)
    try await notes.container.accept(notes.container.shareMetadata(for: url))
    let shared = notes.container.sharedCloudDatabase
    #expect(try await shared.allRecordZones().map(\.zoneID) == [seen])
    var draft = DraftRecord(try await shared.record(for: id("plan", in: seen)))
    draft["text"] = "by mira"
    try await shared.save(draft)
    #expect(try await database.record(for: id("plan", in: zoneID))["text"] == "by mira")
    let changes = try await shared.databaseChanges(since: nil)
    #expect(changes.modifications.map(\.zoneID) == [seen])
    let ofMira = try await notes.mira.allRecordZones().map(\.zoneID)
    #expect(!ofMira.contains(seen))
    try notes.verify()
  }

  @Test("of an import is written as far as its shares let the user")
  func imported() async throws {
    let container = try MockContainer.inMemory(info: ContainerInfo(currentUserRecordName: "_mira"))
    let zoneID = ZoneID(zoneName: "Trips", ownerName: "_owner")
    var root = note("root", in: zoneID)
    let share = DraftRecord(
      sharing: &root, participants: [participant("_mira", .readOnly)], recordName: "share")
    let drafts = [
      root, share, note("child", below: "root", in: zoneID), note("alone", in: zoneID),
    ]
    try container.store.transaction { transaction in
      try transaction.save(RecordZone(zoneID: zoneID), in: .shared)
      try transaction.save(drafts, in: .shared)
    }
    let database = container.sharedCloudDatabase
    for name in ["root", "child"] {
      var draft = DraftRecord(try await database.record(for: id(name, in: zoneID)))
      draft["text"] = "changed"
      let error = await cloudError { try await database.save(draft) }
      #expect(error?.code == .permissionFailure, "\(name)")
    }
    let new = await cloudError {
      try await database.save(note("new", below: "child", in: zoneID))
    }
    #expect(new?.code == .permissionFailure)
    // Nothing is known about a record whose share was not imported.
    var draft = DraftRecord(try await database.record(for: id("alone", in: zoneID)))
    draft["text"] = "changed"
    try await database.save(draft)
  }
}
