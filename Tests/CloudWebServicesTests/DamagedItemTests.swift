import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

@testable import CloudWebServices
@testable import RecordStore

@Suite("A damaged item, for a client")
struct DamagedItemTests {
  @Test(
    "a zone or subscription whose row is lost is not said to be missing",
    arguments: [
      "DELETE FROM zone WHERE name = 'Notes'",
      "UPDATE zone SET name = 'Notez' WHERE name = 'Notes'",
      "DELETE FROM subscription WHERE id = 's'",
      "UPDATE subscription SET id = 't' WHERE id = 's'",
    ])
  func lostRows(damage: String) async throws {
    let client = try WebClient()
    try await client.makeZone()
    _ = try await client.post(
      "subscriptions/modify",
      #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"s","subscriptionType":"zone","zoneID":{"zoneName":"Notes"}}}]}"#
    )
    let isOfZone = damage.contains("zone")
    let (list, lookup, body) =
      isOfZone
      ? ("zones", "zones/lookup", #"{"zones":[{"zoneName":"Notes"}]}"#)
      : ("subscriptions", "subscriptions/lookup", #"{"subscriptions":[{"subscriptionID":"s"}]}"#)
    try client.container.store.damage(damage)
    let listed = try await client.post(list + "/list").json[list].elements
    #expect(listed.last?["serverErrorCode"].string == "INTERNAL_ERROR", "\(listed)")
    let found = try await client.post(lookup, body)
    #expect(found.json[list][0]["serverErrorCode"] == "INTERNAL_ERROR", "\(found.text)")
  }

  /// Returns a client of a container in a file, and its folder.
  private func fileClient() throws -> (WebClient, URL) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "secret-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let container = try MockContainer.open(
      path: folder.appending(path: "c.sqlite").path, mode: .create,
      info: ContainerInfo(currentUserRecordName: "_anna"), rules: .webServices)
    var client = try WebClient()
    client.handler = WebServicesHandler([try WebContainer(container)])
    return (client, folder)
  }

  @Test("that is the file itself is said to be one, without its path")
  func truncatedFile() async throws {
    let (client, folder) = try fileClient()
    defer { try? FileManager.default.removeItem(at: folder) }
    let handle = try FileHandle(forWritingTo: folder.appending(path: "c.sqlite"))
    try handle.truncate(atOffset: 0)
    try handle.close()
    let answer = try await client.post(
      "records/modify",
      #"{"operations":[{"operationType":"create","record":{"recordType":"Note"}}]}"#)
    #expect(answer.status == 500)
    #expect(answer.json["reason"].string?.contains("the container") == true, "\(answer.text)")
    #expect(!answer.text.contains("secret-"), "\(answer.text)")
  }

  @Test("an error of a damaged item does not have the path of the container")
  func noPath() async throws {
    let (client, folder) = try fileClient()
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = client.handler.containers[0].container
    let zone = ZoneID(zoneName: "Notes")
    let database = container.privateCloudDatabase
    try await database.save(RecordZone(zoneID: zone))
    try await database.save(
      DraftRecord(recordType: "Note", recordID: RecordID(recordName: "a", zoneID: zone)))
    try await database.modifySubscriptions(
      saving: [CloudSubscription(subscriptionID: "s", kind: .database(recordType: nil))],
      deleting: [])
    for table in ["record", "zone", "subscription"] {
      try container.store.damage("UPDATE \(table) SET json = CAST('x' AS BLOB)")
    }
    for (path, body) in [
      ("records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"a"}]}"#),
      ("zones/lookup", #"{"zones":[{"zoneName":"Notes"}]}"#), ("zones/list", "{}"),
      ("subscriptions/list", "{}"), ("records/changes", #"{"zoneID":{"zoneName":"Notes"}}"#),
      ("subscriptions/lookup", #"{"subscriptions":[{"subscriptionID":"s"}]}"#),
    ] {
      let answer = try await client.post(path, body)
      #expect(answer.text.contains("INTERNAL_ERROR"), "\(answer.text)")
      #expect(!answer.text.contains("secret-"), "\(answer.text)")
    }
  }
}

extension ContainerStore {
  fileprivate func damage(_ sql: String) throws {
    try transaction { try $0.db.execute(sql) }
  }
}
