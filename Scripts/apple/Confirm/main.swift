import CloudKit
import CoreLocation
import Foundation

// Compares MockCloudKit's assumptions with Apple's framework, on a Mac and without an account:
//
//     swift Scripts/apple/Confirm/main.swift
//
// A wrong signature is an error of the compiler. Each behaviour is printed with what was found.
// Scripts/check-apple type-checks the file against MockCloudKit.

nonisolated(unsafe) var differences = 0

func confirm(_ assumption: String, _ holds: Bool) {
  if !holds { differences += 1 }
  print(holds ? "as assumed:" : "DIFFERS:   ", assumption)
}

// MARK: Signatures, compiled and never run

func signatures(_ database: CKDatabase, _ container: CKContainer, _ record: CKRecord) async throws {
  let _: CKRecord = try await database.save(record)
  let _: CKRecordZone = try await database.save(CKRecordZone(zoneName: "Z"))
  let _: CKRecord = try await database.record(for: record.recordID)
  let _: CKRecordZone = try await database.recordZone(for: record.recordID.zoneID)
  let _: CKSubscription = try await database.subscription(for: "S")
  let _: CKShare.Participant = try await container.shareParticipant(
    forEmailAddress: "a@example.com")
  let _: Int = CKQueryOperation.maximumResults
  let _: String = CKError.errorDomain
  let _: CKError.Code = CKError.zoneBusy
  let _: [String] = record.allKeys()
  do { _ = try await database.record(for: record.recordID) } catch CKError.zoneBusy {}
}

// MARK: Behaviour

let record = CKRecord(recordType: "Note")
record["b"] = "plain" as NSString
record["a"] = "plain" as NSString
record.encryptedValues["secret"] = "encrypted" as NSString
confirm("CKRecord.allKeys(): plain keys only", Set(record.allKeys()) == ["a", "b"])
confirm("CKRecord.changedKeys(): plain keys only", Set(record.changedKeys()) == ["a", "b"])
confirm("CKRecord: keys in the order of the alphabet", record.allKeys() == ["a", "b"])

let both = CKRecord(recordType: "Note")
both["x"] = "plain" as NSString
both.encryptedValues["x"] = "encrypted" as NSString
confirm(
  "a plain and an encrypted value of one key exist side by side",
  both["x"] as? NSString == "plain" && both.encryptedValues["x"] as? NSString == "encrypted")

let twin = CKRecord(recordType: "Note", recordID: record.recordID)
confirm("CKRecord: equality is identity", !record.isEqual(twin))
let place = CLLocation(latitude: 1, longitude: 2)
confirm("CLLocation: equality is identity", !place.isEqual(CLLocation(latitude: 1, longitude: 2)))
confirm(
  "CLLocation.init(latitude:longitude:): accuracy 0 and -1, course and speed -1",
  place.horizontalAccuracy == 0 && place.verticalAccuracy == -1 && place.course == -1
    && place.speed == -1 && place.altitude == 0)

let zone = CKRecordZone(zoneName: "Z")
confirm("CKRecordZone that was never saved: no share", zone.share == nil)
confirm("CKRecordZone that was never saved: no capabilities", zone.capabilities == [])

let share = CKShare(rootRecord: CKRecord(recordType: "Note"))
confirm(
  "CKShare that was never saved: its owner is the only participant", share.participants.count == 1)
confirm(
  "CKShare that was never saved: its owner is __defaultOwner__",
  share.owner.userIdentity.userRecordID?.recordName == CKCurrentUserDefaultName)

confirm("CKErrorRetryAfterKey", CKErrorRetryAfterKey == "CKRetryAfter")
confirm("CKPartialErrorsByItemIDKey", CKPartialErrorsByItemIDKey == "CKPartialErrors")

let formed = NSPredicate(format: "a = 1 AND b = 2 AND c = 3", argumentArray: nil)
confirm(
  "a AND b AND c: one compound predicate of three",
  formed.predicateFormat == "a == 1 AND b == 2 AND c == 3")

let coder = NSKeyedArchiver(requiringSecureCoding: true)
record.encodeSystemFields(with: coder)
coder.finishEncoding()
let decoder = try NSKeyedUnarchiver(forReadingFrom: coder.encodedData)
confirm(
  "encodeSystemFields(with:): read again, without values",
  CKRecord(coder: decoder).map { $0.recordID == record.recordID && $0.allKeys().isEmpty } == true)

print(differences == 0 ? "All as assumed." : "\(differences) differ.")
exit(differences == 0 ? 0 : 1)
