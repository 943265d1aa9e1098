import Foundation
import RecordPack
import TestSupport
import Testing

@Suite("A generated container")
struct GeneratedContainerTests {
  private let folder: TestFolder
  private let container: MockContainer

  init() throws {
    folder = try TestFolder()
    let schema = try SchemaDocument(
      parsing: """
        DEFINE SCHEMA
          RECORD TYPE Chat (title ENCRYPTED STRING);
          RECORD TYPE Message (chat REFERENCE QUERYABLE, text STRING);
        """
    ).validSchema()
    let recipe = try FixtureRecipe(
      yaml: """
        recordpack-recipe: 1
        environment: production
        users: 3
        zones: {Chats: {owners: 2}}
        types:
          Chat: {zone: Chats, count: 6, shared: 1}
          Message: {parent: Chat, count: 3}
        """)
    let path = folder.path("chats.recordpack")
    try Generation(schema: schema, recipe: recipe, seed: 5).write(to: path)
    container = try MockContainer.fixture(at: URL(fileURLWithPath: path))
  }

  @Test("has what the change feed tells, and takes saves of what it has")
  func changes() async throws {
    let database = container.privateCloudDatabase
    let zoneID = ZoneID(zoneName: "Chats")
    var records: [ResultRecord] = []
    var page = try await database.recordZoneChanges(inZoneWith: zoneID, since: nil)
    records += page.modificationResultsByID.values.compactMap { try? $0.get().record }
    while page.moreComing {
      page = try await database.recordZoneChanges(inZoneWith: zoneID, since: page.changeToken)
      records += page.modificationResultsByID.values.compactMap { try? $0.get().record }
    }
    #expect(records.count == 6 + 18 + 6)
    let message = try #require(records.first { $0.recordType == "Message" })
    var draft = DraftRecord(message)
    draft["text"] = "new"
    let saved = try await database.save(draft)
    let tag = try #require(saved.recordChangeTag.flatMap { Int($0, radix: 36) })
    #expect(tag > (message.recordChangeTag.flatMap { Int($0, radix: 36) } ?? .max))
  }

  @Test("shows its users what is shared with them")
  func shares() async throws {
    var zones = 0
    let names = try BundleReader(path: folder.path("chats.recordpack")).container.accounts
    #expect(names.count == 3)
    for account in names {
      let user = try container.account(account.userRecordName)
      for zone in try await user.sharedCloudDatabase.allRecordZones() {
        zones += 1
        let page = try await user.sharedCloudDatabase.recordZoneChanges(
          inZoneWith: zone.zoneID, since: nil)
        #expect(!page.modificationResultsByID.isEmpty)
      }
    }
    #expect(zones >= 2)
  }
}
