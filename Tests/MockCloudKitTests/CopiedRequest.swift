// swift-format-ignore-file
#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import CoreLocation
import Foundation

/// The Swift that the console gives to copy: it compiles.
///
/// `CopiedRequestTests` compares it with the console's.
func copiedRequest() async throws {
  let container = CKContainer(identifier: "iCloud.com.example.notes")
  let database = container.privateCloudDatabase
  let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "it's \"$HOME\" `id` \\(x) end", zoneID: CKRecordZone.ID(zoneName: "Notes", ownerName: CKCurrentUserDefaultName)))
  record["title"] = "One's \"two\"\n\\n \\(three) ${four} \u{202e}\u{7}"
  record["count"] = Int64.min
  record["score"] = 0.0025 as Double
  record["due"] = Date(timeIntervalSince1970: 1782909000250 / 1000)
  record["data"] = Data(base64Encoded: "AAEC")!
  record["place"] = CLLocation(
    coordinate: CLLocationCoordinate2D(latitude: 52.5, longitude: -13.4),
    altitude: 4, horizontalAccuracy: 0,
    verticalAccuracy: -1, course: -1,
    speed: -1,
    timestamp: Date(timeIntervalSince1970: 0 / 1000))
  record["author"] = CKRecord.Reference(recordID: CKRecord.ID(recordName: "ada", zoneID: CKRecordZone.ID(zoneName: "Notes", ownerName: CKCurrentUserDefaultName)), action: .deleteSelf)
  record.encryptedValues["secret"] = "…"
  record["tags"] = ["a"] as [String]
  record["counts"] = [7 as Int64] as [Int64]
  record["scores"] = [0.5 as Double] as [Double]
  record["dates"] = [Date(timeIntervalSince1970: 1767225600000 / 1000)] as [Date]
  record["parts"] = [Data(base64Encoded: "/w==")!] as [Data]
  record["places"] = [CLLocation(latitude: 1, longitude: 2)] as [CLLocation]
  record["authors"] = [CKRecord.Reference(recordID: CKRecord.ID(recordName: "bob", zoneID: CKRecordZone.ID(zoneName: "Notes", ownerName: CKCurrentUserDefaultName)), action: .none)] as [CKRecord.Reference]
  record.parent = CKRecord.Reference(recordID: CKRecord.ID(recordName: "root", zoneID: CKRecordZone.ID(zoneName: "Notes", ownerName: CKCurrentUserDefaultName)), action: .none)
  _ = try await database.save(record)
}

func copiedShare() async throws {
  let container = CKContainer(identifier: "iCloud.com.example.notes")
  let database = container.privateCloudDatabase
  let root = try await database.record(for: CKRecord.ID(recordName: "root", zoneID: CKRecordZone.ID(zoneName: "Notes", ownerName: CKCurrentUserDefaultName)))
  let share = CKShare(rootRecord: root)
  share["cloudkit.title"] = "Plans"
  share.publicPermission = .none
  do {
    let participant = try await container.shareParticipant(forEmailAddress: "kenji@example.com")
    participant.permission = .readWrite
    share.addParticipant(participant)
  }
  _ = try await database.modifyRecords(saving: [root, share], deleting: [])
}

func copiedZone() async throws {
  let container = CKContainer(identifier: "iCloud.com.example.notes")
  let database = container.privateCloudDatabase
  _ = try await database.save(CKRecordZone(zoneID: CKRecordZone.ID(zoneName: "New", ownerName: CKCurrentUserDefaultName)))
  try await database.deleteRecordZone(withID: CKRecordZone.ID(zoneName: "New", ownerName: CKCurrentUserDefaultName))
}

func copiedChanges() async throws {
  let container = CKContainer(identifier: "iCloud.com.example.notes")
  let database = container.privateCloudDatabase
  do {
    let record = try await database.record(for: CKRecord.ID(recordName: "a", zoneID: CKRecordZone.ID.default))
    record["count"] = nil
    record["file"] = CKAsset(fileURL: URL(fileURLWithPath: "FILE"))
    record.parent = nil
    _ = try await database.save(record)
  }
  do {
    let share = try await database.record(for: CKRecord.ID(recordName: "s", zoneID: CKRecordZone.ID.default)) as! CKShare
    for participant in share.participants where participant.role != .owner {
      share.removeParticipant(participant)
    }
    do {
      let participant = try await container.shareParticipant(forUserRecordID: CKRecord.ID(recordName: "_kenji"))
      participant.permission = .readOnly
      share.addParticipant(participant)
    }
    _ = try await database.modifyRecords(saving: [share], deleting: [])
  }
  try await database.deleteRecord(withID: CKRecord.ID(recordName: "a", zoneID: CKRecordZone.ID.default))
}

func copiedAcceptance() async throws {
  let container = CKContainer(identifier: "iCloud.com.example.notes")
  let url = URL(string: "https://www.icloud.com/share/abc")!
  let metadata = try await container.shareMetadata(for: url)
  _ = try await container.accept(metadata)
}
