import CloudInterface
import MockCloud
import RecordModel
import Testing

/// Parents, references and what is deleted with what. Sources: Apple's documentation of
/// `CKRecord.Reference`, `CKError.h`, sqlite-data's `MockCloudDatabase`.
struct ReferenceTests {
  @Test("a parent that is neither stored nor saved is a referenceViolation")
  func missingParent() async throws {
    let database = try await makeDatabase()
    let error = await cloudError { try await database.save(note("c", below: "p")) }
    #expect(error?.code == .referenceViolation)
    #expect(try database.names() == [])
  }

  @Test("parents and children are saved together in any order")
  func anyOrder() async throws {
    let database = try await makeDatabase()
    let drafts = [note("c", below: "b"), note("a"), note("b", below: "a")]
    let answer = try await database.modifyRecords(saving: drafts, deleting: [])
    #expect(answer.saveResults.values.filter(\.isSuccess).count == 3)
  }

  @Test("a share that is not there, and a reference to be validated, are violations")
  func shareAndValidation() async throws {
    let database = try await makeDatabase()
    var shared = note("a")
    shared.share = Reference(recordID: id("s"))
    #expect(await cloudError { try await database.save(shared) }?.code == .referenceViolation)
    var validated = note("a")
    validated["to"] = Reference(recordID: id("b"), action: .validate)
    #expect(await cloudError { try await database.save(validated) }?.code == .referenceViolation)
    try await database.modifyRecords(saving: [note("b"), validated], deleting: [])
    #expect(try database.names() == ["a", "b"])
  }

  @Test("a reference without an action may lead nowhere")
  func dangling() async throws {
    let database = try await makeDatabase()
    var draft = note("a")
    draft["to"] = Reference(recordID: id("b"))
    #expect(try await database.save(draft).recordChangeTag != nil)
  }

  @Test(
    "the target of a new deleteSelf reference exists; a setting accepts that it does not",
    arguments: [false, true])
  func missingOwner(isInList: Bool) async throws {
    func owned(by owner: String) -> DraftRecord {
      var draft = note("a")
      let reference = Reference(recordID: id(owner), action: .deleteSelf)
      draft["to"] = isInList ? nil : reference
      draft["list"] = isInList ? [Reference(recordID: id("c")), reference] : nil
      return draft
    }
    let database = try await makeDatabase()
    let error = await cloudError { try await database.save(owned(by: "b")) }
    #expect(error?.code == .referenceViolation)
    #expect(error?.message.contains("'Notes:b'") == true || error?.message.contains("b") == true)
    try await database.modifyRecords(saving: [owned(by: "b"), note("b")], deleting: [])
    #expect(try database.names() == ["a", "b"])

    var rules = ServerRules.native
    rules.missingOwner = .accepted
    let other = try await makeDatabase(rules: rules)
    try await other.save(owned(by: "b"))
    #expect(try other.names() == ["a"])
  }

  @Test("a record whose owner has gone is saved again, and gets no other missing owner")
  func ownerGone() async throws {
    let zone = ZoneID.default
    let database = try await makeDatabase()
    try await database.modifyRecords(
      saving: [note("a", in: zone), note("b", ownedBy: "a", in: zone)], deleting: [])
    try await database.deleteRecord(withID: id("a", in: zone))
    var again = DraftRecord(try await database.record(for: id("b", in: zone)))
    again["text"] = "new"
    try await database.save(again)
    again = DraftRecord(try await database.record(for: id("b", in: zone)))
    again["owner"] = Reference(recordID: id("c", in: zone), action: .deleteSelf)
    #expect(await cloudError { try await database.save(again) }?.code == .referenceViolation)
  }

  @Test("a child's save gives its parent a new tag, unless the request saves the parent")
  func touching() async throws {
    let database = try await makeDatabase()
    let parent = try await database.save(note("p"))
    try await database.save(note("c", below: "p"))
    let touched = try await database.record(for: id("p"))
    #expect(touched.recordChangeTag != parent.recordChangeTag)
    #expect(touched.modificationDate == parent.modificationDate)
    #expect(touched["text"] == "text")

    let answer = try await database.modifyRecords(
      saving: [DraftRecord(touched), note("d", below: "p")], deleting: [])
    let saved = try #require(answer.saveResults[id("p")]).get()
    #expect(try await database.tag("p") == saved.recordChangeTag)
  }

  @Test("touching parents is a setting")
  func notTouching() async throws {
    var rules = ServerRules.native
    rules.parentOfSavedChild = .stays
    let database = try await makeDatabase(rules: rules)
    let parent = try await database.save(note("p"))
    try await database.save(note("c", below: "p"))
    #expect(try await database.tag("p") == parent.recordChangeTag)
  }

  @Test("a record with surviving children is not deleted; with its children it is")
  func children() async throws {
    let database = try await makeDatabase()
    try await database.modifyRecords(
      saving: [note("a"), note("b", below: "a"), note("c", below: "b")], deleting: [])
    let error = await cloudError { try await database.deleteRecord(withID: id("a")) }
    #expect(error?.code == .referenceViolation)
    #expect(try database.names() == ["a", "b", "c"])
    let answer = try await database.modifyRecords(
      saving: [], deleting: [id("a"), id("c"), id("b")])
    #expect(answer.deleteResults.values.filter(\.isSuccess).count == 3)
    #expect(try database.names() == [])
  }

  @Test(
    "saves come before deletions: a child that leaves frees its parent, one that comes holds it")
  func savesFirst() async throws {
    let database = try await makeDatabase()
    try await database.modifyRecords(saving: [note("a"), note("b", below: "a")], deleting: [])
    var leaving = DraftRecord(try await database.record(for: id("b")))
    leaving.parent = nil
    try await database.modifyRecords(saving: [leaving], deleting: [id("a")])
    #expect(try database.names() == ["b"])

    let answer = try await database.modifyRecords(
      saving: [note("c", below: "b")], deleting: [id("b")])
    #expect(answer.deleteResults[id("b")]?.cloudError?.code == .referenceViolation)
    #expect(answer.saveResults[id("c")]?.cloudError?.code == .batchRequestFailed)
  }

  @Test("deleteSelf deletes at once in a custom zone, down to the last record")
  func cascade() async throws {
    let database = try await makeDatabase()
    var listed = note("l")
    listed["owners"] = ["d", "a"].map { Reference(recordID: id($0), action: .deleteSelf) }
    try await database.modifyRecords(
      saving: [
        note("a"), note("b", ownedBy: "a"), note("c", ownedBy: "b"), note("d"), listed,
      ], deleting: [])
    let answer = try await database.modifyRecords(saving: [], deleting: [id("a")])
    #expect(Array(answer.deleteResults.keys) == [id("a")])
    #expect(try database.names() == ["d"])
    let gone = try database.tombstones()
    #expect(gone.map(\.recordID.recordName) == ["a", "b", "c", "l"])
  }

  @Test("records that own each other are deleted together")
  func circle() async throws {
    let database = try await makeDatabase()
    try await database.modifyRecords(
      saving: [note("a", ownedBy: "b"), note("b", ownedBy: "a")], deleting: [])
    try await database.deleteRecord(withID: id("b"))
    #expect(try database.names() == [])
  }

  @Test("a cascade that would leave a child without its parent is refused")
  func cascadeWithChild() async throws {
    let database = try await makeDatabase()
    try await database.modifyRecords(
      saving: [note("a"), note("b", ownedBy: "a"), note("c", below: "b")], deleting: [])
    let error = await cloudError { try await database.deleteRecord(withID: id("a")) }
    #expect(error?.code == .referenceViolation)
    #expect(try database.names() == ["a", "b", "c"])
  }

  @Test("deleteSelf deletes later in the default zone")
  func deferredCascade() async throws {
    let zone = ZoneID.default
    let database = try await makeDatabase()
    try await database.modifyRecords(
      saving: [
        note("a", in: zone), note("b", ownedBy: "a", in: zone), note("c", ownedBy: "b", in: zone),
        note("x", in: zone), note("y", ownedBy: "x", in: zone),
      ], deleting: [])
    try await database.modifyRecords(
      saving: [], deleting: [id("a", in: zone), id("x", in: zone)])
    #expect(try database.names() == ["b", "c", "y"])
    try await database.save(note("x", in: zone))
    let deleted = try await database.container.finishDeferredDeletions()
    #expect(deleted.map(\.recordName) == ["b", "c"])
    #expect(try database.names() == ["x", "y"])
    #expect(try await database.container.finishDeferredDeletions() == [])
  }

  @Test("the default zone can be told to delete at once")
  func immediateCascade() async throws {
    var rules = ServerRules.native
    rules.defaultZoneCascade = .atOnce
    let zone = ZoneID.default
    let database = try await makeDatabase(rules: rules)
    try await database.modifyRecords(
      saving: [note("a", in: zone), note("b", ownedBy: "a", in: zone)], deleting: [])
    try await database.deleteRecord(withID: id("a", in: zone))
    #expect(try database.names() == [])
  }

  @Test("at most 750 records refer to one with deleteSelf, those that stay and those that come")
  func owningReferences() async throws {
    var rules = ServerRules.native
    rules.maxOwningReferences = 5
    let database = try await makeDatabase(rules: rules)
    try await database.save(note("a"))
    let five = (0..<5).map { note("c\($0)", ownedBy: "a") }
    let answer = try await database.modifyRecords(saving: five, deleting: [])
    #expect(answer.saveResults.values.filter(\.isSuccess).count == 5)
    let error = await cloudError { try await database.save(note("d", ownedBy: "a")) }
    #expect(error?.code == .limitExceeded)
    #expect(error?.message == "Limit exceeded for number of owning references to single record")
    // One that refers already is no more.
    var again = DraftRecord(try await database.record(for: id("c0")))
    again["text"] = "again"
    try await database.save(again)
    // One that leaves makes room for another.
    again = DraftRecord(try await database.record(for: id("c0")))
    again["owner"] = nil
    try await database.modifyRecords(saving: [note("d", ownedBy: "a"), again], deleting: [])
    #expect(ServerRules.native.maxOwningReferences == 750)
  }

  @Test("references are known that another connection or an import has added")
  func foreignChanges() async throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path("c.sqlite")
    let container = try MockContainer.open(path: path, mode: .create)
    let database = container.privateCloudDatabase
    try await database.save(RecordZone(zoneID: notes))
    try await database.modifyRecords(saving: [note("a"), note("b")], deleting: [])
    try await database.deleteRecord(withID: id("b"))

    let other = try MockContainer.open(path: path)
    try await other.privateCloudDatabase.save(note("c", below: "a"))
    let error = await cloudError { try await database.deleteRecord(withID: id("a")) }
    #expect(error?.code == .referenceViolation)

    let child = try note("d", below: "a").resultRecord()
    try container.store.importTransaction { try $0.add(child, to: .private) }
    try await database.deleteRecord(withID: id("c"))
    #expect(
      await cloudError { try await database.deleteRecord(withID: id("a")) }?.code
        == .referenceViolation)
    try await database.modifyRecords(saving: [], deleting: [id("a"), id("d")])
    #expect(try database.names() == [])
  }

  @Test("A reference to another zone is refused, in a list and with any action; a stored one stays")
  func otherZone() async throws {
    let database = try await makeDatabase()
    let target = Reference(recordID: id("x", in: .default))
    for value in [
      RecordValue.reference(target), .referenceList([target]),
      .reference(Reference(recordID: target.recordID, action: .deleteSelf)),
    ] {
      var draft = note("a")
      draft["link"] = value
      #expect(await cloudError { try await database.save(draft) }?.code == .invalidArguments)
    }
    var stored = note("a")
    stored["link"] = target
    let record = try stored.resultRecord()
    try database.container.store.importTransaction { try $0.add(record, to: .private) }
    var draft = DraftRecord(try await database.record(for: id("a")))
    draft["text"] = "new"
    try await database.modifyRecords(
      saving: [draft], deleting: [], savePolicy: .allKeys, atomically: true)
    #expect(try await database.record(for: id("a"))["text"] == "new")
  }
}
