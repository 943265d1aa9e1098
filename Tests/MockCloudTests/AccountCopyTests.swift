import Dispatch
import RecordModel
import Testing

@testable import MockCloud
@testable import RecordStore

@Suite("The contents that a user sees")
struct AccountCopyTests {
  private static let schema = """
    DEFINE SCHEMA
    RECORD TYPE Note (text STRING, GRANT READ TO "_world");
    RECORD TYPE Secret (text STRING, GRANT READ TO "_creator");
    """

  private func container(schema: String? = nil) throws -> MockContainer {
    var info = ContainerInfo(schema: schema, currentUserRecordName: "_anna")
    info.accounts = [ContainerAccount(userRecordName: "_ben")]
    return try MockContainer.inMemory(info: info)
  }

  private func save(
    _ type: String, in zoneID: ZoneID, _ container: MockContainer,
    of scope: DatabaseScope = .private
  ) throws -> RecordID {
    let recordID = RecordID(recordName: "\(type) in \(zoneID.ownerName)", zoneID: zoneID)
    try container.store.transaction { transaction in
      if scope == .private { try transaction.save(RecordZone(zoneID: zoneID), in: scope) }
      _ = try transaction.save([DraftRecord(recordType: type, recordID: recordID)], in: scope)
    }
    return recordID
  }

  @Test func `are read again where reading them failed`() throws {
    let container = try container()
    let copy = AccountCopy(of: "_ben")
    let closed = try self.container()
    try closed.store.close()
    #expect(throws: ContainerStoreError.self) { try copy.update(from: closed) }
    #expect(copy.hasFailed && !copy.isMade)
    #expect(try copy.readsAll(of: container))
    try copy.update(from: container)
    #expect(try !copy.hasFailed && copy.isMade && !copy.readsAll(of: container))
    let other = try self.container()
    #expect(try copy.readsAll(of: other))
  }

  @Test func `are not copied as long as no other user has any`() throws {
    let container = try container()
    let copy = AccountCopy(of: "_anna")
    let own = try save("Note", in: ZoneID(zoneName: "Plans"), container)
    try copy.update(from: container)
    #expect(copy.store == nil && copy.isPart)
    let others = ZoneID(zoneName: "Plans", ownerName: "_ben")
    let hidden = try save("Note", in: others, container)
    try copy.update(from: container)
    let store = try #require(copy.store)
    #expect(try store.snapshot { try $0.record(for: own, in: .private) } != nil)
    #expect(try store.snapshot { try $0.zones(in: .private) }.allSatisfy { $0.zoneID != others })
    #expect(try copy.sees(RecordLocation(.private, own)))
    #expect(try !copy.sees(RecordLocation(.private, hidden)))
    // The deletion of a zone that the user did not see is nothing that the user sees.
    try container.store.transaction { try $0.deleteZone(others, in: .private) }
    try copy.update(from: container)
    #expect(copy.store != nil)
  }

  @Test func `are copied where a public record may be hidden`() throws {
    let container = try container(schema: Self.schema)
    let copy = AccountCopy(of: "_anna")
    try copy.update(from: container)
    #expect(copy.store == nil)
    _ = try save("Secret", in: .default, container, of: .public)
    try copy.update(from: container)
    #expect(copy.store != nil)
  }

  @Test func `lose a subscription that was removed`() throws {
    let container = try container()
    _ = try save("Note", in: ZoneID(zoneName: "Plans", ownerName: "_ben"), container)
    let subscription = CloudSubscription(subscriptionID: "all", kind: .database(recordType: nil))
    try container.store.transaction { try $0.save(subscription, in: .private) }
    let copy = AccountCopy(of: "_anna")
    try copy.update(from: container)
    let store = try #require(copy.store)
    #expect(try store.snapshot { try $0.subscriptions(in: .private) } == [subscription])
    try container.store.transaction { try $0.deleteSubscription("all", in: .private) }
    try copy.update(from: container)
    #expect(try store.snapshot { try $0.subscriptions(in: .private) }.isEmpty)
  }

  private func records(_ copy: AccountCopy, of scope: DatabaseScope = .private) throws -> [String] {
    try #require(copy.store).snapshot { snapshot in
      var names: [String] = []
      try snapshot.forEachRecord(in: scope, filter: .all) { names.append($0.recordID.recordName) }
      try snapshot.forEachTombstone(in: scope) { names.append("no \($0.recordID.recordName)") }
      return names
    }
  }

  @Test func `have nothing of a zone that was deleted and created again`() throws {
    let container = try container()
    for owner in [ZoneID.currentUserOwnerName, "_ben"] {
      let zoneID = ZoneID(zoneName: "Plans", ownerName: owner)
      _ = try save("Note", in: zoneID, container)
      let gone = try save("Gone", in: zoneID, container)
      _ = try container.store.transaction { try $0.delete(gone, in: .private) }
    }
    let copies = ["_anna", "_ben"].map(AccountCopy.init)
    for copy in copies {
      try copy.update(from: container)
      #expect(try records(copy).count == 2)
    }
    for owner in [ZoneID.currentUserOwnerName, "_ben"] {
      let zoneID = ZoneID(zoneName: "Plans", ownerName: owner)
      _ = try container.store.transaction { try $0.deleteZone(zoneID, in: .private) }
      _ = try save("New", in: zoneID, container)
    }
    for copy in copies {
      try copy.update(from: container)
      #expect(try records(copy) == ["New in \(copy === copies[0] ? "__defaultOwner__" : "_ben")"])
    }
  }

  @Test func `have nothing of what a reset has removed`() throws {
    let container = try container()
    for owner in [ZoneID.currentUserOwnerName, "_ben"] {
      _ = try save("Note", in: ZoneID(zoneName: "Plans", ownerName: owner), container)
    }
    let seed = try container.fork()
    let copies = ["_anna", "_ben"].map(AccountCopy.init)
    for reset in 1...3 {
      for owner in [ZoneID.currentUserOwnerName, "_ben"] {
        let zoneID = ZoneID(zoneName: "Plans", ownerName: owner)
        _ = try save("New\(reset)", in: zoneID, container)
      }
      for copy in copies {
        try copy.update(from: container)
        #expect(try records(copy).count == 2)
      }
      try container.reset(to: seed)
    }
    for copy in copies {
      try copy.update(from: container)
      #expect(try records(copy).count == 1)
    }
  }

  @Test func `have another version when a record is gone without a trace`() throws {
    let container = try container(schema: Self.schema)
    let note = try save("Note", in: .default, container, of: .public)
    let copy = AccountCopy(of: "_ben")
    try copy.update(from: container)
    func version() throws -> ContentVersion {
      try #require(copy.store).snapshot { try $0.version() }
    }
    let before = try version()
    try copy.update(from: container)
    #expect(try version() == before)
    _ = try container.store.transaction { try $0.delete(note, in: .public) }
    try copy.update(from: container)
    #expect(try records(copy, of: .public) == [])
    #expect(try version() != before)
    let fork = try container.store.fork()
    let versions = try [container.store, fork].map { try $0.snapshot { try $0.version() } }
    #expect(versions[0] != versions[1])
  }

  @Test func `are complete after an update that follows one that failed`() throws {
    let container = try container()
    let copy = AccountCopy(of: "_ben")
    try copy.update(from: container)
    let note = try save("Note", in: .default, container, of: .public)
    let store = try #require(copy.store)
    func rename(_ table: String, to name: String) throws {
      try store.transaction { try $0.db.execute("ALTER TABLE \(table) RENAME TO \(name)") }
    }
    try rename("subscription", to: "missing")
    #expect(throws: ContainerStoreError.self) { try copy.update(from: container) }
    #expect(try records(copy, of: .public) == [])
    try rename("missing", to: "subscription")
    try copy.update(from: container)
    #expect(try records(copy, of: .public) == [note.recordName])
  }

  @Test func `tell a reader about a place while an update waits for its end`() throws {
    let container = try container()
    let zoneID = ZoneID(zoneName: "Plans", ownerName: "_ben")
    let record = try save("Note", in: zoneID, container)
    let copy = AccountCopy(of: "_ben")
    try copy.update(from: container)
    let (updated, told) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    try #require(copy.store).snapshot { _ in
      _ = try save("New", in: zoneID, container)
      DispatchQueue.global().async {
        try? copy.update(from: container)
        updated.signal()
      }
      #expect(updated.wait(timeout: .now() + 0.3) == .timedOut)
      DispatchQueue.global().async {
        let seen = RecordID(recordName: record.recordName, zoneID: ZoneID(zoneName: "Plans"))
        #expect(copy.location(of: RecordLocation(.private, seen))?.recordID == record)
        told.signal()
      }
      #expect(told.wait(timeout: .now() + 10) == .success)
    }
    updated.wait()
    #expect(try records(copy).count == 2)
  }

  @Test func `are copied for other users, and for nobody`() throws {
    let container = try container()
    _ = try save("Note", in: ZoneID(zoneName: "Plans"), container)
    for user in ["_ben", nil] {
      let copy = AccountCopy(of: user)
      try copy.update(from: container)
      #expect(try copy.store?.snapshot { try $0.recordTypes(in: .private).isEmpty } == true)
    }
  }
}
