import RecordModel
import RecordStore
import Testing

@testable import MockCloud

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
