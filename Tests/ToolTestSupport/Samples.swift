import Foundation
import RecordPack
import StoreTestSupport
import Testing

/// Small containers and files for the tool.
package enum Samples {
  package static let zone = ZoneID(zoneName: "Chats")
  /// What stands in encrypted fields, and must not show.
  package static let secret = "the-hidden-word"

  /// What the sample's records were saved under.
  package static let schema = """
    DEFINE SCHEMA

        RECORD TYPE Chat (
            photo ASSET,
            title STRING QUERYABLE,
            GRANT WRITE TO "_creator",
            GRANT CREATE TO "_icloud",
            GRANT READ TO "_world"
        );

        RECORD TYPE Message (
            chat   REFERENCE QUERYABLE,
            number INT64 QUERYABLE SORTABLE,
            secret ENCRYPTED STRING,
            text   STRING,
            GRANT WRITE TO "_creator",
            GRANT CREATE TO "_icloud",
            GRANT READ TO "_world"
        );

    """

  /// Copies the schemas, plans and bundles of Tact's versions to `Plans` in a folder.
  package static func copyPlans(to folder: String) throws {
    try FileManager.default.copyItem(
      at: Place.package.appending(path: "Schemas/Tact"),
      to: URL(fileURLWithPath: folder + "/Plans"))
  }

  /// `Tact.sqlite` in a folder: chats, messages, an encrypted field, an asset (`test`), a tombstone,
  /// a subscription, a schema.
  package static func makeContainer(
    in folder: String, name: String = "Tact.sqlite", text: String = "Hello", messages: Int = 3
  ) throws {
    let container = try ContainerStore.open(
      path: folder + "/" + name, mode: .create,
      info: ContainerInfo(
        identifier: "iCloud.com.example.tact", environment: .development,
        schema: schema, schemaVersion: "2"),
      now: { Date(timeIntervalSince1970: 1_760_000_000.5) })
    let database = container.database(.private)
    try database.save([RecordZone(zoneID: zone)])
    var chat = DraftRecord(
      recordType: "Chat", recordID: RecordID(recordName: "chat-1", zoneID: zone))
    chat["title"] = "A chat"
    chat["photo"] = Asset(data: Data("test".utf8))
    var drafts = [chat]
    for number in 0..<messages {
      var message = DraftRecord(
        recordType: "Message", recordID: RecordID(recordName: "message-\(number)", zoneID: zone))
      message["text"] = "\(text) \(number)"
      message["number"] = number
      message["chat"] = Reference(record: chat, action: .deleteSelf)
      message.encryptedValues["secret"] = "\(secret) \(number)"
      drafts.append(message)
    }
    _ = try database.save(drafts)
    try database.save([CloudSubscription(subscriptionID: "all", kind: .database(recordType: nil))])
    _ = try database.deleteRecords([RecordID(recordName: "message-0", zoneID: zone)])
    try container.close()
  }

  /// `Tact.sqlite` and `Tact.recordpack`.
  package static func makeBundle(in folder: String) async throws {
    try makeContainer(in: folder)
    let result = try await ToolProcess.run(
      "export", "Tact.sqlite", "-o", "Tact.recordpack", in: folder)
    try #require(result.code == 0, "\(result.errors)")
  }

  /// A response with records of the default zone.
  package static func response(records: Int, text: String = "x") -> Data {
    let list = (0..<records).map { number in
      """
      {"recordName":"r\(number)","recordType":"Note","recordChangeTag":"\(number)",\
      "fields":{"text":{"type":"STRING","value":"\(text)"},\
      "file":{"type":"ASSETID","value":{"fileChecksum":"Ab==","size":4,"wrappingKey":"\(secret)"}}}}
      """
    }
    return Data("{\"records\":[\(list.joined(separator: ","))]}".utf8)
  }

  /// A recording of one call, which failed, with a value in an encrypted field.
  package static let recording = Data(
    """
    {"kind":"recording","version":1,"container":"iCloud.com.example.tact","includesAssets":true}
    {"kind":"call","number":1,"begin":1,"database":"private","operation":"modifyRecords",\
    "request":{"saving":[{"zoneID":{"zoneName":"Chats","ownerRecordName":"__defaultOwner__"},\
    "recordType":"Chat","recordName":"chat-1","fields":{"secret":{"value":"\(secret)",\
    "type":"STRING","isEncrypted":true}},"changedKeys":["secret"]}],"deleting":[],\
    "savePolicy":"changedKeys","atomically":true},\
    "error":{"ckErrorCode":4,"reason":"The network connection was lost."}}

    """.utf8)

  package static func write(_ data: Data, _ name: String, in folder: String) throws {
    try data.write(to: URL(fileURLWithPath: folder + "/" + name))
  }

  package static func read(_ name: String, in folder: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
  }

  package static func exists(_ name: String, in folder: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + "/" + name)
  }

  package static func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }
}
