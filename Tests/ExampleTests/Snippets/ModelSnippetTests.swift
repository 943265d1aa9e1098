import Foundation
import RecordPack
import Testing

/// The code of the articles of RecordModel and RecordCoding, run.
struct ModelSnippetTests {
  private static let chatID = RecordID(
    recordName: "hiking", zoneID: ZoneID(zoneName: "Chats"))

  private func chat() throws -> ResultRecord {
    var draft = DraftRecord(recordType: "Chat", recordID: Self.chatID)
    draft["title"] = "Hiking club"
    draft["count"] = 3
    draft["tags"] = ["outdoors"]
    draft.encryptedValues["text"] = "Tea"
    return try draft.resultRecord()
  }

  @Test("reading a record")
  func reading() throws {
    let record = try chat()
    let title: String? = record["title"]
    let count = record["count"] as? Int
    let isPinned: Bool = record["isPinned"] ?? false
    let tags: [String] = record["tags"] ?? []
    #expect(title == "Hiking club" && count == 3 && !isPinned && tags == ["outdoors"])
    let text: String? = record.encryptedValues["text"]
    #expect(text == "Tea")
  }

  @Test("writing a draft")
  func writing() throws {
    var draft = DraftRecord(recordType: "Chat", zoneID: ZoneID(zoneName: "Chats"))
    draft["title"] = "Hiking club"
    draft["isPinned"] = true
    draft["tags"] = ["outdoors", "weekend"]
    draft.encryptedValues["text"] = "Who brings tea?"
    #expect(draft.allKeys() == ["isPinned", "tags", "text", "title"])
    #expect(draft.field(named: "text")?.isEncrypted == true)

    let record = try chat()
    var changed = DraftRecord(record)
    changed["title"] = "Hiking club 2025"
    changed["count"] = nil as Int?
    print(changed.changedKeys())  // ["count", "title"]
    print(changed.removedKeys())  // ["count"]
    let before = changed.base?.field(named: "title")?.value
    #expect(changed.changedKeys() == ["count", "title"] && changed.removedKeys() == ["count"])
    #expect(before == .string("Hiking club"))
  }

  @Test("a three-way merge")
  func merging() throws {
    let base = try chat()
    var mine = DraftRecord(base)
    mine["title"] = "Mine"
    mine["tags"] = nil as [String]?
    var theirs = DraftRecord(base)
    theirs["count"] = 4
    theirs["tags"] = ["theirs"]
    let merged = try mine.merging(theirs.resultRecord()) { conflict in
      conflict.key == "title" ? conflict.mine : conflict.theirs
    }
    #expect(merged["title"] == "Mine" && merged["count"] == 4)
    #expect(merged["tags"] == ["theirs"])
  }

  @Test("limits")
  func limits() throws {
    var message = ""
    func print(_ error: CloudError) { message = "\(error)" }
    var misnamed = DraftRecord(recordType: "Chat", recordID: RecordID(recordName: "_mine"))
    misnamed["title"] = "A name of the server's"
    do {
      _ = try misnamed.resultRecord()
    } catch let error as CloudError {
      print(error)
    }
    #expect(message.contains("_mine"))
  }

  enum Mood: String, RecordValueConvertible {
    case calm, merry

    var recordValue: RecordValue { .string(rawValue) }

    init?(recordValue: RecordValue) {
      guard case .string(let text) = recordValue else { return nil }
      self.init(rawValue: text)
    }
  }

  @Test("values")
  func values() throws {
    let (chatID, photo) = (Self.chatID, Data([1, 2, 3]))
    var draft = DraftRecord(recordType: "Message", zoneID: ZoneID(zoneName: "Chats"))
    draft["sentAt"] = Date(timeIntervalSince1970: 1_709_283_600)
    draft["place"] = Location(latitude: 60.39, longitude: 5.32, horizontalAccuracy: 5)
    draft["chat"] = Reference(recordID: chatID, action: .deleteSelf)
    draft["photo"] = Asset(data: photo)
    draft["quietHours"] = [22, 7]
    draft["mood"] = Mood.merry
    #expect(draft.field(named: "quietHours")?.value == .int64List([22, 7]))
    #expect(draft["mood"] == Mood.merry)
  }

  @Test("Codable")
  func codable() throws {
    let record = try chat()
    let data = try JSONEncoder().encode(record)
    let same = try JSONDecoder().decode(ResultRecord.self, from: data)
    #expect(same == record)
  }

  @Test("system fields")
  func systemFields() throws {
    let record = try chat()
    let stored: Data = try record.systemFields.encodeSystemFields()
    do {
      let systemFields = try SystemFields(decoding: stored)
      var draft = DraftRecord(systemFields: systemFields)
      draft["title"] = "Hiking club 2025"
      #expect(draft.recordID == Self.chatID && draft.changedKeys() == ["title"])
    }
    var fields = try SystemFields(decoding: stored)
    fields.recordChangeTag = "8"
    let archive = try fields.encodeSystemFields()
    #expect(try SystemFields(decoding: archive).recordChangeTag == "8")
  }

  @Test("Web Services")
  func webServices() throws {
    let data = try WebServicesWriter().page(records: [try chat()])
    let response = try ResponseContents(data)
    for record in response.records { print(record.recordType, record.recordID) }
    for error in response.errors { print(error) }
    let page = try WebServicesWriter(zones: response.allZones).page(records: response.records)
    #expect(page == data)
  }

  @Test("dialects of responses")
  func dialects() throws {
    let records = [try chat()]
    let folder = try TestFolder()
    _ = FileManager.default.createFile(atPath: folder.path("mocks.json"), contents: nil)
    let file = try #require(FileHandle(forWritingAtPath: folder.path("mocks.json")))
    let stream = try ResponseStream(.canopy) { try file.write(contentsOf: $0) }
    for record in records { try stream.append(record) }
    try stream.finish()
    print(stream.losses.clauses)
    try file.close()
    let mocks = try Data(contentsOf: URL(fileURLWithPath: folder.path("mocks.json")))
    let read = try ResponseContents(mocks, dialect: .canopy)
    #expect(read.records.map(\.recordID) == records.map(\.recordID))

    let data = Data(#"{"records":[{"recordName":"a","recordType":"T"},{}]}"#.utf8)
    let printed = try ResponseContents(data, dialect: .cktool)
    for fault in printed.unread { print(fault) }
    #expect(printed.unread.count == 1 && printed.records.count == 1)
  }
}
