import Foundation
import RecordPack

/// The code of RecordPack's first page, compiled but not run: it takes a bundle of your own.
func library() async throws {
  // A container in memory, filled from a bundle.
  let container = try MockContainer.inMemory()
  try Archiver().importBundle(BundleReader(path: "Tact.recordpack"), into: container)

  // Records are read as with CloudKit.
  let database = container.privateCloudDatabase
  let zone = ZoneID(zoneName: "Chats")
  let chat = try await database.record(for: RecordID(recordName: "chat-1", zoneID: zone))
  print(chat["title"] as? String ?? "untitled", chat.recordChangeTag ?? "")

  // A draft knows what changed; saving it is judged as on the server, and gives a new result.
  var message = DraftRecord(recordType: "Message", zoneID: zone)
  message["sentAt"] = Date.now
  message["relatedRecords"] = [Reference(record: chat)]
  message.encryptedValues["text"] = "Only for your eyes"
  message["photo"] = Asset(fileURL: URL(filePath: "photo.heic"))
  message.parent = Reference(record: chat)
  let saved = try await database.save(message)

  // What another device fetches.
  let changes = try await database.recordZoneChanges(inZoneWith: zone, since: nil)
  print(changes.modificationResultsByID.count, changes.changeToken.data.count)

  // And out again.
  try Archiver().export(container, to: "Changed.recordpack")
  _ = saved
}
