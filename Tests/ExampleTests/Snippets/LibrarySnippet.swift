import Foundation
import RecordPack

/// The code of RecordPack's first page, compiled but not run: it takes a bundle of your own.
func library() async throws {
  // A container in memory, filled from a bundle.
  let container = try MockContainer.inMemory()
  try Archiver().importBundle(BundleReader(path: "Tact.recordpack"), into: container)

  // Fetch a record as with CloudKit.
  let database = container.privateCloudDatabase
  let zone = ZoneID(zoneName: "Chats")
  let chat = try await database.record(for: RecordID(recordName: "chat-1", zoneID: zone))
  print(chat["title"] as? String ?? "untitled", chat.recordChangeTag ?? "")

  // A draft knows its changed keys. The container checks a save as the server does.
  var message = DraftRecord(recordType: "Message", zoneID: zone)
  message["sentAt"] = Date.now
  message["relatedRecords"] = [Reference(record: chat)]
  message.encryptedValues["text"] = "Only for your eyes"
  message["photo"] = Asset(fileURL: URL(filePath: "photo.heic"))
  message.parent = Reference(record: chat)
  let saved = try await database.save(message)

  // Fetch the changes, as another device does.
  let changes = try await database.recordZoneChanges(inZoneWith: zone, since: nil)
  print(changes.modificationResultsByID.count, changes.changeToken.data.count)

  // Export the container.
  try Archiver().export(container, to: "Changed.recordpack")
  _ = saved
}
