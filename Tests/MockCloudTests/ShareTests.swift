import CloudInterface
import MockCloud
import RecordCoding
import RecordModel
import Testing

@Suite("A share")
struct ShareTests {
  private func participant(
    _ name: String, _ status: ShareParticipant.AcceptanceStatus = .pending
  ) -> ShareParticipant {
    ShareParticipant(acceptanceStatus: status, userIdentity: UserIdentity(userRecordName: name))
  }

  /// A database of "_mira" with a shared note "root".
  private func shared(
    _ participants: [ShareParticipant] = [], _ permission: ShareParticipant.Permission = .none,
    rules: ServerRules = .native
  ) async throws -> (database: MockDatabase, share: ResultRecord) {
    let database = try await makeDatabase(rules: rules, user: "_mira")
    var root = note("root")
    let share = DraftRecord(
      sharing: &root, participants: participants, publicPermission: permission, title: "Notes",
      recordName: "share")
    try await database.modifyRecords(saving: [share, root], deleting: [])
    return (database, try await database.record(for: id("share")))
  }

  private func change(
    _ share: ResultRecord, in database: MockDatabase, _ body: (inout Share) -> Void
  ) async throws -> Share {
    var draft = DraftRecord(share)
    var info = try #require(share.shareInfo)
    body(&info)
    draft.shareInfo = info
    return try #require(try await database.save(draft).shareInfo)
  }

  @Test("gets its owner, a link and identifiers from the server, and shares its root")
  func saved() async throws {
    let (database, share) = try await shared([participant("_kenji")])
    let info = try #require(share.shareInfo)
    #expect(info.participants.map(\.role) == [.owner, .privateUser])
    #expect(info.participants.map(\.userIdentity.userRecordName) == ["_mira", "_kenji"])
    #expect(info.participants.map(\.acceptanceStatus) == [.accepted, .pending])
    #expect(info.participants.allSatisfy { $0.participantID != nil })
    #expect(info.currentUserParticipant == info.participants.first)
    #expect(info.url?.absoluteString.hasPrefix("https://www.icloud.com/share/") == true)
    #expect(share["cloudkit.title"] == "Notes")
    #expect(try await database.record(for: id("root")).share?.recordID == id("share"))
    // The same share again keeps all of that.
    let again = try await change(share, in: database) { _ in }
    #expect(again.url == info.url && again.participants == info.participants)
    // The current user is who it is, whatever the client sends.
    let current = try await database.record(for: id("share"))
    let other = try await change(current, in: database) {
      $0.currentUserParticipant = participant("_kenji")
    }
    #expect(other.currentUserParticipant == info.currentUserParticipant)
  }

  @Test("is saved together with its root")
  func withoutRoot() async throws {
    let database = try await makeDatabase()
    var root = note("root")
    let share = DraftRecord(sharing: &root, recordName: "share")
    let error = await cloudError { try await database.save(share) }
    #expect(error?.code == .invalidArguments)
    let missing = await cloudError { try await database.save(root) }
    #expect(missing?.code == .referenceViolation)
    try await database.modifyRecords(saving: [root, share], deleting: [])
  }

  @Test("keeps its owner, whatever the client sends")
  func owner() async throws {
    let (database, share) = try await shared([participant("_kenji")])
    let info = try await change(share, in: database) { $0.participants.removeFirst() }
    #expect(info.participants.map(\.userIdentity.userRecordName) == ["_mira", "_kenji"])
  }

  @Test("that becomes public keeps those who have accepted, and nobody can be added")
  func becomesPublic() async throws {
    let (database, share) = try await shared([
      participant("_kenji", .accepted), participant("_anna"),
    ])
    let info = try await change(share, in: database) { $0.publicPermission = .readOnly }
    #expect(info.participants.map(\.userIdentity.userRecordName) == ["_mira", "_kenji"])
    let current = try await database.record(for: id("share"))
    let error = await cloudError {
      try await change(current, in: database) { $0.participants.append(participant("_anna")) }
    }
    #expect(error?.code == .invalidArguments)
    let fewer = try await change(current, in: database) { $0.participants.removeLast() }
    #expect(fewer.participants.map(\.role) == [.owner])
  }

  @Test("that is no longer public has its owner alone")
  func becomesPrivate() async throws {
    let (database, share) = try await shared([participant("_kenji", .accepted)], .readWrite)
    #expect(share.shareInfo?.participants.count == 2)
    let info = try await change(share, in: database) { $0.publicPermission = .none }
    #expect(info.participants.map(\.role) == [.owner])
  }

  @Test("has at most as many participants as the rule says")
  func tooMany() async throws {
    var rules = ServerRules.native
    rules.maxParticipants = 3
    let (database, share) = try await shared([participant("_a"), participant("_b")], rules: rules)
    let error = await cloudError {
      try await change(share, in: database) { $0.participants.append(participant("_c")) }
    }
    #expect(error?.code == .tooManyParticipants)
  }

  @Test(
    "is judged as ifServerRecordUnchanged under every policy", arguments: RecordSavePolicy.allCases)
  func policy(policy: RecordSavePolicy) async throws {
    let (database, share) = try await shared()
    _ = try await change(share, in: database) { _ in }
    let answer = try await database.modifyRecords(
      saving: [DraftRecord(share)], deleting: [], savePolicy: policy)
    #expect(answer.saveResults[id("share")]?.cloudError?.code == .serverRecordChanged)
  }

  @Test("is not in the default zone or the public database")
  func places() async throws {
    let container = try await makeDatabase().container
    for database in [container.privateCloudDatabase, container.publicCloudDatabase] {
      var root = note("root", in: .default)
      let share = DraftRecord(sharing: &root, recordName: "share")
      let results = try await database.modifyRecords(saving: [root, share], deleting: [])
        .saveResults
      #expect(results[share.recordID]?.cloudError?.code == .invalidArguments)
    }
  }

  @Test("is the only one of a record, and of those above and below it")
  func oneShare() async throws {
    let (database, _) = try await shared()
    try await database.modifyRecords(
      saving: [note("child", below: "root"), note("other")], deleting: [])
    var child = DraftRecord(try await database.record(for: id("child")))
    let second = DraftRecord(sharing: &child, recordName: "second")
    let below = try await database.modifyRecords(saving: [child, second], deleting: [])
    #expect(below.saveResults[id("child")]?.cloudError?.code == .alreadyShared)
    #expect(below.saveResults[id("second")]?.cloudError?.code == .batchRequestFailed)

    var root = DraftRecord(try await database.record(for: id("root")))
    root.parent = Reference(recordID: id("other"))
    try await database.save(root)
    var other = DraftRecord(try await database.record(for: id("other")))
    let third = DraftRecord(sharing: &other, recordName: "third")
    let above = try await database.modifyRecords(saving: [other, third], deleting: [])
    #expect(above.saveResults[id("other")]?.cloudError?.code == .alreadyShared)
  }

  @Test("has one root, and is a share")
  func oneRoot() async throws {
    let (database, _) = try await shared()
    try await database.save(note("plain"))
    for name in ["share", "plain"] {
      var other = note("other")
      other.share = Reference(recordID: id(name), action: .none)
      let error = await cloudError { try await database.save(other) }
      #expect(error?.code == .invalidArguments, "\(name)")
    }
    var (one, two) = (note("one"), note("two"))
    let share = DraftRecord(sharing: &one, recordName: "new")
    two.share = one.share
    let results = try await database.modifyRecords(
      saving: [one, two, share], deleting: [], atomically: false
    ).saveResults
    #expect(results[id("one")]?.cloudError == nil)
    #expect(results[id("two")]?.cloudError?.code == .invalidArguments)
  }

  @Test("that is deleted leaves its records, which are not shared any more")
  func deleted() async throws {
    let (database, _) = try await shared()
    try await database.save(note("child", below: "root"))
    let tag = try await database.tag("root")
    try await database.deleteRecord(withID: id("share"))
    let root = try await database.record(for: id("root"))
    #expect(root.share == nil && root.recordChangeTag != tag)
    #expect(try database.names() == ["child", "root"])
    #expect(try database.container.store.verify { Issue.record("\($0)") }.isIntact)
  }

  @Test("that was imported and is deleted leaves its records, which are not shared any more")
  func imported() async throws {
    let container = try await makeDatabase().container
    try container.store.importTransaction { writer in
      for (name, type) in [("root", "Note"), ("share", Share.recordType)] {
        var system = SystemFields(recordID: id(name), recordType: type, recordChangeTag: "1")
        if name == "root" { system.share = Reference(recordID: id("share")) }
        try writer.add(ResultRecord(systemFields: system, fields: []), to: .private)
      }
    }
    let database = container.privateCloudDatabase
    try await database.deleteRecord(withID: id("share"))
    #expect(try await database.record(for: id("root")).share == nil)
    #expect(try container.store.verify { Issue.record("\($0)") }.isIntact)
  }

  @Test("of a zone is the zone's only one")
  func zoneWide() async throws {
    let database = try await makeDatabase(user: "_mira")
    let share = DraftRecord(sharingZone: notes, participants: [participant("_kenji")])
    let saved = try await database.save(share)
    #expect(saved.shareInfo?.participants.count == 2)
    #expect(try await database.recordZone(for: notes).share?.recordID == saved.recordID)
    var root = note("root")
    let other = DraftRecord(sharing: &root, recordName: "other")
    let results = try await database.modifyRecords(saving: [root, other], deleting: []).saveResults
    #expect(results[id("other")]?.cloudError?.code == .alreadyShared)
    try await database.deleteRecord(withID: saved.recordID)
    #expect(try await database.recordZone(for: notes).share == nil)
    try await database.modifyRecords(saving: [root, other], deleting: [])
    let error = await cloudError {
      try await database.save(DraftRecord(sharingZone: notes))
    }
    #expect(error?.code == .alreadyShared)
    let wrong = DraftRecord(recordType: "Note", recordID: id(Share.zoneWideRecordName))
    #expect(await cloudError { try await database.save(wrong) }?.code == .invalidArguments)
  }
}
