import CloudInterface
import MockCloud
import RecordModel
import Testing

/// The end of shares by deletions, and the zones that the shared database does not have.
struct EndOfShareTests {
  @Test("the owner's deletion of the root record ends the share")
  func rootByOwner() async throws {
    let notes = try await SharedNotes()
    try await notes.accept(notes.kenji)
    let shared = notes.kenji.sharedCloudDatabase
    let token = try await shared.databaseChanges(since: nil).changeToken
    try await notes.mira.modifyRecords(saving: [], deleting: [id("child"), id("root")])
    let share = await cloudError { try await notes.mira.record(for: id("share")) }
    #expect(share?.code == .unknownItem)
    #expect(try await shared.allRecordZones().isEmpty)
    let changes = try await shared.databaseChanges(since: token)
    #expect(changes.deletions.map(\.zoneID) == [SharedNotes.zone])
    try notes.verify()
  }

  @Test("the share ends with a root that is deleted together with another record")
  func rootOwnedByOther() async throws {
    let users = try await NoteUsers()
    try await users.mira.save(note("album"))
    var root = note("root", ownedBy: "album")
    let share = DraftRecord(
      sharing: &root, participants: [participant("_kenji")], recordName: "share")
    try await users.mira.modifyRecords(saving: [root, share], deleting: [])
    try await users.mira.deleteRecord(withID: id("album"))
    #expect(try users.mira.names() == [])
    #expect(try await users.kenji.sharedCloudDatabase.allRecordZones().isEmpty)
  }

  @Test("a participant who may write cannot delete the root record")
  func rootByParticipant() async throws {
    let notes = try await SharedNotes()
    try await notes.accept(notes.kenji)
    let shared = notes.kenji.sharedCloudDatabase
    try await shared.deleteRecord(withID: seen("child"))
    let error = await cloudError { try await shared.deleteRecord(withID: seen("root")) }
    #expect(error?.code == .permissionFailure)
    #expect(try await notes.mira.record(for: id("root"))["text"] == "text")
  }

  @Test("a participant who leaves a share deletes none of its records in the same request")
  func leavingAndDeleting() async throws {
    let notes = try await SharedNotes()
    try await notes.accept(notes.kenji)
    let shared = notes.kenji.sharedCloudDatabase
    for deletions in [["share", "child"], ["child", "share"]] {
      let answer = try await shared.modifyRecords(
        saving: [], deleting: deletions.map { seen($0) }, atomically: true)
      #expect(answer.deleteResults[seen("child")]?.cloudError?.code == .permissionFailure)
      #expect(answer.deleteResults[seen("share")]?.cloudError?.code == .batchRequestFailed)
    }
    let answer = try await shared.modifyRecords(
      saving: [], deleting: [seen("child"), seen("share")], atomically: false)
    #expect(answer.deleteResults[seen("child")]?.cloudError?.code == .permissionFailure)
    #expect(answer.deleteResults[seen("share")]?.isSuccess == true)
    #expect(try await shared.allRecordZones().isEmpty)
    #expect(try await notes.mira.record(for: id("child"))["text"] == "text")
  }

  @Test("leaving one share does not end the access by another one")
  func leavingOne() async throws {
    let users = try await NoteUsers()
    for (root, share) in [("a", "shareA"), ("b", "shareB")] {
      try await users.share(root, share, [participant("_kenji")])
      try await users.mira.save(note("child of \(root)", below: root))
    }
    let answer = try await users.kenji.sharedCloudDatabase.modifyRecords(
      saving: [], deleting: [seen("shareA"), seen("child of b")])
    #expect(answer.deleteResults.values.allSatisfy { $0.isSuccess })
  }

  @Test("own and default zones are not accessible in the shared database")
  func ownZones() async throws {
    let shared = try await NoteUsers().kenji.sharedCloudDatabase
    let own = CloudError(.invalidArguments, "Only shared zones can be accessed in the shared DB")
    let standard = CloudError(.invalidArguments, "Default zone is not accessible in shared DB")
    for (zoneID, expected) in [
      (notes, own), (ZoneID(zoneName: "Notes", ownerName: "_kenji"), own), (.default, standard),
      (ZoneID(zoneName: ZoneID.defaultZoneName, ownerName: "_mira"), standard),
    ] {
      let query = RecordQuery(recordType: "Note")
      let errors = [
        await cloudError { try await shared.record(for: id("a", in: zoneID)) },
        await cloudError { try await shared.save(note("a", in: zoneID)) },
        await cloudError { try await shared.deleteRecord(withID: id("a", in: zoneID)) },
        await cloudError { try await shared.recordZone(for: zoneID) },
        await cloudError { try await shared.deleteRecordZone(withID: zoneID) },
        await cloudError { try await shared.records(matching: query, inZoneWith: zoneID) },
      ]
      #expect(errors.allSatisfy { $0 == expected }, "\(zoneID): \(errors)")
    }
  }

  // MARK: Permissions

  @Test("a participant who may only read changes neither a record nor the title of the share")
  func readOnly() async throws {
    let notes = try await SharedNotes(.readOnly)
    try await notes.accept(notes.kenji)
    let shared = notes.kenji.sharedCloudDatabase
    var share = DraftRecord(try await shared.record(for: seen("share")))
    share[Share.titleKey] = "Mine"
    let (draft, saved) = (share, DraftRecord(try await shared.record(for: seen("child"))))
    #expect(await cloudError { try await shared.save(draft) }?.code == .permissionFailure)
    #expect(await cloudError { try await shared.save(saved) }?.code == .permissionFailure)
    let created = note("new", below: "child", in: SharedNotes.zone)
    #expect(await cloudError { try await shared.save(created) }?.code == .permissionFailure)
    #expect(try await notes.mira.record(for: id("share"))[Share.titleKey] == "Notes")
  }

  // MARK: For authors of tests

  @Test("a share is accepted in one call, and not by users whom it does not invite")
  func accept() async throws {
    let notes = try await SharedNotes()
    let saved = try await notes.mira.record(for: id("share"))
    let seenShare = try await notes.kenji.accept(saved)
    #expect(seenShare.recordID == seen("share"))
    #expect(try await notes.kenji.sharedCloudDatabase.allRecordZones().count == 1)
    let uninvited = await cloudError { try await notes.ada.accept(saved) }
    #expect(uninvited?.code == .participantMayNeedVerification)
    let root = try await notes.mira.record(for: id("root"))
    let error = await cloudError { try await notes.kenji.accept(root) }
    #expect(error?.code == .invalidArguments)
  }

  @Test("participants are added once and removed; changing a record that is not a share fails")
  func participants() async throws {
    let notes = try await SharedNotes()
    let ada = ShareParticipant(
      permission: .readOnly, userIdentity: UserIdentity(userRecordName: "_ada"))
    var draft = DraftRecord(try await notes.mira.record(for: id("share")))
    try draft.addParticipant(ada)
    var writer = ada
    writer.permission = .readWrite
    try draft.addParticipant(writer)
    let saved = try await notes.mira.save(draft)
    let found = saved.shareInfo?.participants.filter { $0.role != .owner }
    #expect(found?.map(\.permission) == [.readWrite, .readWrite])
    draft = DraftRecord(saved)
    try draft.removeParticipant(ada)
    let rest = try await notes.mira.save(draft).shareInfo?.participants
    #expect(rest?.count == 2)

    var root = DraftRecord(try await notes.mira.record(for: id("root")))
    func cloudCode(_ body: () throws -> Void) -> CloudError.Code? {
      do {
        try body()
        return nil
      } catch {
        return (error as? CloudError)?.code
      }
    }
    #expect(cloudCode { try root.addParticipant(ada) } == .invalidArguments)
    #expect(cloudCode { try root.removeParticipant(ada) } == .invalidArguments)
    #expect(cloudCode { try root.updateShare { _ in } } == .invalidArguments)
  }
}
