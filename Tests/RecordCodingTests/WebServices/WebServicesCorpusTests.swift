import Foundation
import RecordModel
import Testing

@testable import RecordCoding

/// Reading and writing what real servers sent, checked against Foundation's reading of it.
@Suite(.enabled(if: Corpus.isThere, "the corpus of real responses is not on this machine"))
struct WebServicesCorpusTests {
  @Test func `every record of every file arrives`() throws {
    var counts: [String: Int] = [:]
    for file in Corpus.files {
      let response = try ResponseContents(Data(contentsOf: file))
      counts[file.lastPathComponent] = response.records.count
      #expect(response.errors.isEmpty && response.tombstones.isEmpty)
    }
    #expect(counts.count == 11)
    #expect(counts.values.reduce(0, +) == 607)
    #expect(counts["008-records-query.json"] == 200)
  }

  @Test func `zones come from lists and from records, with their type`() throws {
    let owner = "_bfc6dbbcc77b03e6cebefd28a28f7e2f"
    let listed = try ResponseContents(
      Data(contentsOf: Corpus.folder.appending(path: "002-zones-list.json")))
    #expect(listed.zones.map(\.zoneID) == [ZoneID(zoneName: "PrimarySync", ownerName: owner)])
    #expect(listed.zones.first?.otherMembers["zoneType"]?.text == "\"REGULAR_CUSTOM_ZONE\"")
    let named = try ResponseContents(
      Data(contentsOf: Corpus.folder.appending(path: "009-records-query.json")))
    #expect(
      named.summary.recordZones.map(\.zoneID.zoneName).sorted() == [
        "SharedSync-00000000-1111-2222-3333-444444444444",
        "SharedSync-982E4DAF-74E1-4191-9D51-EBA245AD9932",
      ])
    #expect(named.allZones.allSatisfy { $0.otherMembers["zoneType"] != nil })
  }

  @Test func `tokens and markers arrive`() throws {
    let response = try ResponseContents(
      Data(contentsOf: Corpus.folder.appending(path: "008-records-query.json")))
    #expect(response.summary.pages.count == 1)
    #expect(response.summary.pages[0].continuationMarker?.isEmpty == false)
    #expect(response.summary.pages[0].syncToken == "AQAAAAAAAwmVf//////////Kd+LphRdKGbpJMSeRX5Td")
    #expect(response.isIncomplete)
  }

  @Test(arguments: Corpus.files)
  func `every field has the value that Foundation reads`(_ file: URL) throws {
    let records = try ResponseContents(Data(contentsOf: file)).records
    let dictionaries = try Corpus.dictionaries(file)
    try #require(records.count == dictionaries.count)
    for (record, json) in zip(records, dictionaries) {
      #expect(record.recordID.recordName == json["recordName"] as? String)
      #expect(record.recordType == json["recordType"] as? String)
      #expect(record.recordChangeTag == json["recordChangeTag"] as? String)
      #expect(record.systemFields.otherMembers.map(\.name) == ["pluginFields"])
      #expect(zone(record.recordID.zoneID, is: json["zoneID"]))
      #expect(stamp(record.systemFields.created, is: json["created"]))
      #expect(stamp(record.systemFields.modified, is: json["modified"]))
      let fields = json["fields"] as? [String: [String: Any]] ?? [:]
      #expect(record.allKeys() == fields.keys.sorted())
      for field in record.fields {
        let json = fields[field.name] ?? [:]
        #expect(value(field, is: json), "\(record) \(field.name)")
        #expect(field.otherMembers.isEmpty)
      }
    }
  }

  private func zone(_ zoneID: ZoneID, is json: Any?) -> Bool {
    let json = json as? [String: Any]
    return zoneID.zoneName == json?["zoneName"] as? String
      && zoneID.ownerName == json?["ownerRecordName"] as? String
  }

  private func stamp(_ stamp: RecordStamp?, is json: Any?) -> Bool {
    let json = json as? [String: Any]
    return stamp?.date == date(json?["timestamp"]) && stamp?.otherMembers == []
      && stamp?.userRecordName == json?["userRecordName"] as? String
      && stamp?.deviceID == json?["deviceID"] as? String
  }

  private func date(_ json: Any?) -> Date? {
    // The difference is exact, so the date is rounded once.
    (json as? NSNumber).map {
      Date(timeIntervalSinceReferenceDate: Double($0.int64Value - 978_307_200_000) / 1000)
    }
  }

  private func reference(_ reference: Reference, is json: Any) -> Bool {
    let json = json as? [String: Any] ?? [:]
    return reference.recordID.recordName == json["recordName"] as? String
      && reference.action.rawValue == json["action"] as? String
      && zone(reference.recordID.zoneID, is: json["zoneID"])
  }

  private func value(_ field: Field, is json: [String: Any]) -> Bool {
    guard let type = json["type"] as? String, let value = json["value"] else { return false }
    guard field.isEncrypted == type.hasPrefix("ENCRYPTED_") else { return false }
    switch (type, field.value) {
    case ("STRING", .string(let text)): return text == value as? String
    case ("INT64", .int64(let number)): return NSNumber(value: number) == value as? NSNumber
    case ("TIMESTAMP", .timestamp(let date)): return date == self.date(value)
    case ("ENCRYPTED_BYTES", .bytes(let bytes)):
      return bytes.base64EncodedString() == value as? String
    case ("REFERENCE", .reference(let reference)): return self.reference(reference, is: value)
    case ("REFERENCE_LIST", .referenceList(let references)):
      let values = value as? [Any] ?? []
      return references.count == values.count
        && zip(references, values).allSatisfy(reference(_:is:))
    case ("ASSETID", .asset(let asset)):
      let members = value as? [String: Any] ?? [:]
      return members.count == 5 && asset.size == (members["size"] as? NSNumber)?.int64Value
        && asset.fileChecksum == members["fileChecksum"] as? String
        && asset.referenceChecksum == members["referenceChecksum"] as? String
        && asset.wrappingKey == members["wrappingKey"] as? String
        && asset.downloadURL == members["downloadURL"] as? String
    default: return false
    }
  }

  /// Nothing has to be left out here: all the corpus holds is written back as it came.
  @Test(arguments: Corpus.files)
  func `what is written back is the same JSON for every record`(_ file: URL) throws {
    let response = try ResponseContents(Data(contentsOf: file))
    let writer = WebServicesWriter(zones: response.allZones)
    let page = try writer.page(records: response.records)
    let written = try Corpus.dictionaries(in: JSONSerialization.jsonObject(with: page))
    let original = try Corpus.dictionaries(file)
    try #require(written.count == original.count)
    for (written, original) in zip(written, original) {
      #expect(NSDictionary(dictionary: written) == NSDictionary(dictionary: original))
    }
    #expect(try ResponseContents(page).records == response.records)
  }

  @Test func `records of the corpus are the same from canonical JSON`() throws {
    let writer = RecordJSONWriter()
    let reader = RecordJSONReader()
    let buffer = ByteBuffer()
    for file in Corpus.files {
      for record in try ResponseContents(Data(contentsOf: file)).records {
        buffer.reset()
        try writer.write(record, to: buffer)
        #expect(reader.readCanonical(buffer.bytes) == record)
        let tree = try record.jsonValue()
        #expect(tree.compactData.elementsEqual(buffer.bytes))
        #expect(try ResultRecord(json: JSONParser.parse(buffer.bytes)) == record)
      }
    }
  }

  @Test func `a response cut anywhere, or with a byte changed, is refused or read, never fatal`()
    throws
  {
    let file = try Data(contentsOf: Corpus.folder.appending(path: "009-records-query.json"))
    let end = try #require(file.lastIndex(of: UInt8(ascii: "}")))
    let bytes = Array(file[...end])
    for length in stride(from: 0, to: bytes.count, by: 5) {
      let error = #expect(throws: RecordCodingError.self) {
        try ResponseContents(Data(bytes[..<length]))
      }
      #expect(error?.offset != nil)
    }
    var random = SeededGenerator(5)
    for place in stride(from: 0, to: bytes.count, by: 11) {
      var changed = bytes
      changed[place] = UInt8.random(in: 0...255, using: &random)
      _ = try? ResponseContents(Data(changed))
    }
  }
}
