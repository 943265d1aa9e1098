import CloudKit
import Foundation
import RecordCoding
import RecordModel
import RecordPackCloudKit
import TestSupport
import Testing

@Suite("A record, as one of CloudKit and back")
struct RecordConversionTests {
  private let zoneID = ZoneID(zoneName: "Notes", ownerName: "_mira")
  private let folder: TestFolder
  private let files: AssetFiles

  init() throws {
    folder = try TestFolder()
    files = AssetFiles(folder: URL(filePath: folder.path))
  }

  @Test("has the same fields, encrypted or not", arguments: SeededGenerator.seeds(100))
  func fields(seed: UInt64) throws {
    var records = RandomRecords(seed: seed)
    let draft = records.draft(named: "n", in: zoneID)
    let record = try ResultRecord(try draft.ckRecord(files: files), keepingFilesIn: files)
    #expect(record.asCloudKitTells.allFields == draft.fields.map(\.asCloudKitTells))
    #expect(record.recordID == draft.recordID && record.recordType == "Note")
    #expect(record.recordChangeTag == nil)
  }

  @Test("keeps encrypted values apart")
  func encrypted() throws {
    var draft = DraftRecord(recordType: "Note", zoneID: zoneID)
    draft["title"] = "Trip"
    draft.encryptedValues["body"] = "secret"
    let record = try draft.ckRecord()
    #expect(record.object(forKey: "title") as? NSString == "Trip")
    #expect(record.object(forKey: "body") == nil)
    #expect(record.encryptedValues.object(forKey: "body") as? NSString == "secret")
    #expect(record.encryptedValues.object(forKey: "title") == nil)
  }

  @Test("keeps its parent")
  func parent() throws {
    var draft = DraftRecord(recordType: "Note", zoneID: zoneID)
    let parent = Reference(recordID: RecordID(recordName: "folder", zoneID: zoneID))
    draft.parent = parent
    let record = try draft.ckRecord()
    #expect(try ResultRecord(record).parent == parent)
    var again = DraftRecord(try ResultRecord(record))
    again.parent = nil
    #expect(try again.ckRecord().parent == nil)
  }

  @Test("is made from the keyed archive of its system fields")
  func systemFields() throws {
    let record = try stored()
    let known = try ResultRecord(record)
    #expect(known.recordChangeTag == "1a")
    #expect(known.creatorUserRecordID?.recordName == "_mira")
    #expect(known.modificationDate == Date(timeIntervalSinceReferenceDate: 785_000_100))
    // The archive is CloudKit's own: what only CloudKit knows goes with the draft.
    let draft = DraftRecord(known)
    let archive = try #require(draft.systemFields.archive)
    #expect(try SystemFields(decoding: archive).recordChangeTag == "1a")
    #expect(try draft.ckRecord().recordChangeTag == "1a")
    let withoutArchive = DraftRecord(
      ResultRecord(systemFields: known.systemFields, fields: known.allFields))
    #expect(withoutArchive.systemFields.archive == nil)
    #expect(try withoutArchive.ckRecord().recordChangeTag == "1a")
  }

  @Test("has only changed fields, unless all are asked for")
  func changedFields() throws {
    var fields = try ResultRecord(try stored()).systemFields
    fields.archive = nil
    let known = ResultRecord(
      systemFields: fields,
      fields: [
        Field(name: "a", value: .string("1")), Field(name: "b", value: .string("2")),
        Field(name: "c", value: .string("3"), isEncrypted: true),
      ])
    var draft = DraftRecord(known)
    draft["a"] = "changed"
    draft["b"] = nil as String?
    draft.encryptedValues["c"] = nil as String?
    let record = try draft.ckRecord()
    #expect(record.allKeys() == ["a"])
    #expect(Set(record.changedKeys()).isSuperset(of: ["a", "b"]))
    #expect(record.encryptedValues.changedKeys() == ["c"])
    var other = DraftRecord(known)
    other["a"] = "changed"
    let all = try other.ckRecord(includingAllFields: true)
    #expect(all.allKeys().sorted() == ["a", "b"])
    #expect(all.encryptedValues.allKeys() == ["c"])
  }

  @Test("is equal to the same record without an archive")
  func equality() throws {
    let known = try ResultRecord(try stored())
    #expect(known == ResultRecord(systemFields: known.systemFields, fields: known.allFields))
    #expect(known.systemFields.archive != nil)
  }

  @Test("keeps the values of Core Location that are nil as what Core Location has for them")
  func location() throws {
    var draft = DraftRecord(recordType: "Note", zoneID: zoneID)
    draft["place"] = Location(latitude: 47.5, longitude: 8.25)
    let place: Location? = try ResultRecord(try draft.ckRecord())["place"]
    #expect(
      place
        == Location(
          latitude: 47.5, longitude: 8.25, altitude: 0, horizontalAccuracy: 0,
          verticalAccuracy: -1, course: -1, speed: -1, timestamp: Date(timeIntervalSince1970: 0)))
  }

  @Test(
    "refuses values that CloudKit cannot have, and does not show them",
    arguments: [
      (RecordValue.unknown(type: "SECRET", json: .null), "a value of the type SECRET"),
      (.asset(Asset(sha256: "00")), "an asset without content"),
      (.assetList([Asset(data: Data([1])), Asset(sha256: "00")]), "an asset without content"),
    ])
  func refused(value: RecordValue, found: String) throws {
    var draft = DraftRecord(recordType: "Note", recordID: RecordID(recordName: "n"))
    draft.setField("f", to: value)
    let error = #expect(throws: CloudError.self) { try draft.ckRecord(files: files) }
    #expect(error?.code == .invalidArguments)
    #expect(error?.message.hasPrefix("record n, field 'f': found \(found), expected") == true)
  }

  /// CloudKit raises an exception for each of these, which ends the process.
  @Test("refuses names and values that CloudKit does not take")
  func exceptions() throws {
    func refused(_ id: RecordID, _ type: String = "Note", _ change: (inout DraftRecord) -> Void) {
      var draft = DraftRecord(recordType: type, recordID: id)
      change(&draft)
      let changed = draft
      #expect(throws: (any Error).self) { try changed.ckRecord(files: files) }
    }
    let id = RecordID(recordName: "n", zoneID: zoneID)
    refused(RecordID(recordName: "", zoneID: zoneID)) { _ in }
    refused(RecordID(recordName: "ä", zoneID: zoneID)) { _ in }
    refused(RecordID(recordName: String(repeating: "n", count: 256))) { _ in }
    refused(RecordID(recordName: "n", zoneID: ZoneID(zoneName: ""))) { _ in }
    refused(id, "") { _ in }
    refused(id) { $0["1"] = "digit first" }
    refused(id) { $0["a b"] = "space" }
    refused(id) { $0["ref"] = Reference(recordID: RecordID(recordName: "")) }
    refused(id) { $0["refs"] = [Reference(recordID: RecordID(recordName: "ü"))] }
    refused(id) { $0.parent = Reference(recordID: RecordID(recordName: "")) }
    refused(id) { $0.setField("ref", to: .reference(Reference(recordID: id)), isEncrypted: true) }
    refused(id) { $0.setField("a", to: .asset(Asset(data: Data([1]))), isEncrypted: true) }
    var draft = DraftRecord(recordType: "Note", recordID: id)
    draft.parent = Reference(recordID: id, action: .deleteSelf)
    #expect(try draft.ckRecord().parent?.action == CKRecord.ReferenceAction.none)
  }

  @Test("refuses the archive of another record, and bytes that are none")
  func wrongArchive() throws {
    var fields = try ResultRecord(try stored()).systemFields
    fields.recordID = RecordID(recordName: "other", zoneID: zoneID)
    let other = DraftRecord(systemFields: fields)
    let error = #expect(throws: CloudError.self) { try other.ckRecord() }
    #expect(error?.message.contains("found the system fields of the record Notes/_mira:n,") == true)
    fields.archive = Data("no archive".utf8)
    let broken = DraftRecord(systemFields: fields)
    #expect(throws: (any Error).self) { try broken.ckRecord() }
  }

  @Test("refuses a new share, which is made of its root")
  func newShare() throws {
    var root = DraftRecord(recordType: "Note", zoneID: zoneID)
    let share = DraftRecord(sharing: &root, recordName: "share")
    let error = #expect(throws: CloudError.self) { try share.ckRecord() }
    #expect(error?.message.contains("found a new share,") == true)
  }

  /// A record with the system fields of one that the server has.
  private func stored() throws -> CKRecord {
    let fields = SystemFields(
      recordID: RecordID(recordName: "n", zoneID: zoneID), recordType: "Note",
      recordChangeTag: "1a",
      created: RecordStamp(
        date: Date(timeIntervalSinceReferenceDate: 785_000_000), userRecordName: "_mira"),
      modified: RecordStamp(
        date: Date(timeIntervalSinceReferenceDate: 785_000_100), userRecordName: "_kenji"))
    return try DraftRecord(systemFields: fields).ckRecord()
  }
}
