import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// Shares and references between records that are shared, and others.
@Suite("Shared hierarchies")
struct SharedHierarchyTests {
  @Test("A reference to be validated does not tell what else exists")
  func validation() async throws {
    let users = try await NoteUsers()
    try await users.share("root", "share", [participant("_kenji")])
    try await users.mira.save(note("secret"))
    try await users.mira.save(note("other", in: NoteUsers.work))
    let database = users.kenji.sharedCloudDatabase
    func attempt(_ target: RecordID, _ name: String) async -> CloudError.Code? {
      var draft = note(name, below: "root", in: NoteUsers.zone)
      draft["ref"] = Reference(recordID: target, action: .validate)
      return await cloudError { try await database.save(draft) }?.code
    }
    let refused = await attempt(seen("nothing"), "x1")
    #expect(refused == .referenceViolation)
    #expect(await attempt(seen("secret"), "x2") == refused, "record of a visible zone")
    for name in ["other", "nothing"] {
      #expect(await attempt(seen(name, "Work"), "x3") == .invalidArguments, "in another zone")
    }
    // What the owner has set is no obstacle: neither such a reference nor the parent of the root.
    var root = DraftRecord(try await users.mira.record(for: id("root")))
    root["ref"] = Reference(recordID: id("secret"), action: .validate)
    root.parent = Reference(recordID: id("secret"))
    try await users.mira.save(root)
    root = DraftRecord(try await database.record(for: seen("root")))
    root["text"] = "by kenji"
    try await database.save(root)
  }

  @Test("A participant does not move the root of a share")
  func root() async throws {
    let users = try await NoteUsers()
    try await users.share("root", "share", [participant("_kenji")])
    try await users.mira.save(note("secret"))
    let tag = try await users.mira.record(for: id("secret")).recordChangeTag
    let database = users.kenji.sharedCloudDatabase
    func attempt(_ parent: String) async throws -> CloudError.Code? {
      var draft = DraftRecord(try await database.record(for: seen("root")))
      draft.parent = Reference(recordID: seen(parent))
      return await cloudError { try await database.save(draft) }?.code
    }
    let absent = try await attempt("nothing")
    let invisible = try await attempt("secret")
    #expect(invisible != nil, "the root is now below a record that kenji does not see")
    #expect(absent == invisible, "tells whether 'secret' exists")
    #expect(try await users.mira.record(for: id("secret")).recordChangeTag == tag)
    #expect(await cloudError { try await users.mira.deleteRecord(withID: id("secret")) } == nil)
  }

  @Test("A record with a share below it is not moved below another share")
  func nestedShares() async throws {
    let users = try await NoteUsers()
    try await users.mira.modifyRecords(saving: [note("a"), note("b", below: "a")], deleting: [])
    try await users.share("b", "shareB", [participant("_kenji")])
    try await users.share("root", "shareR", [participant("_kenji")])
    var draft = DraftRecord(try await users.mira.record(for: id("a")))
    draft.parent = Reference(recordID: id("root"))
    let error = await cloudError { try await users.mira.save(draft) }
    #expect(error?.code == .alreadyShared)
  }

  @Test("The root that is saved while its share is deleted comes back without it")
  func savedRoot() async throws {
    let users = try await NoteUsers()
    try await users.share("root", "share", [participant("_kenji")])
    var draft = DraftRecord(try await users.mira.record(for: id("root")))
    draft["text"] = "new"
    let results = try await users.mira.modifyRecords(saving: [draft], deleting: [id("share")])
    let saved = try #require(try results.saveResults[id("root")]?.get())
    let stored = try await users.mira.record(for: id("root"))
    #expect(saved.recordChangeTag == stored.recordChangeTag)
    #expect(saved.share == stored.share)
  }

  @Test("A parent in another zone is refused")
  func parentInOtherZone() async throws {
    let users = try await NoteUsers()
    try await users.share("root", "share", [participant("_kenji")])
    var draft = note("y", in: NoteUsers.work)
    draft.parent = Reference(recordID: id("root"))
    let error = await cloudError { try await users.mira.save(draft) }
    #expect(error != nil, "a parent in another zone")
    try await users.share("w", "shareW", [participant("_kenji")], zone: NoteUsers.work)
    let results = try await users.kenji.sharedCloudDatabase.records(for: [seen("y", "Work")])
    #expect(!(results.values.first?.isSuccess ?? false))
  }

  @Test("Deleting what a share refers to does not end the share for the others")
  func cascadeToShare() async throws {
    let users = try await NoteUsers()
    try await users.share("root", "share", [participant("_kenji"), participant("_ada")])
    let database = users.kenji.sharedCloudDatabase
    let zoneID = seen("root").zoneID
    try await database.save(note("target", below: "root", in: zoneID))
    var record = DraftRecord(try await database.record(for: seen("share")))
    record["owner"] = Reference(recordID: seen("target"), action: .deleteSelf)
    try await database.save(record)
    try await database.deleteRecord(withID: seen("target"))
    #expect(try await users.mira.record(for: id("share")).isShare)
  }
}
