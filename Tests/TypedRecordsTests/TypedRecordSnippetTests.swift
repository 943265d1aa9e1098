import Foundation
import RecordCoding
import RecordModel
import Testing
import TypedRecords

/// The code of the articles and doc comments of TypedRecords, run.
struct TypedRecordSnippetTests {
  struct Message: Codable {
    @RecordName var id: UUID
    @Parent var chat: Reference?
    @Encrypted var text: String?
    var sentAt: Date
    var isRead: Bool
    var tags: [String]
  }

  private func message(_ id: UUID = UUID()) -> Message {
    Message(
      id: id, chat: nil, text: "Hello", sentAt: Date(timeIntervalSince1970: 1), isRead: false,
      tags: [])
  }

  private func saved() throws -> ResultRecord {
    try DraftRecord(encoding: message(), recordType: "Message").resultRecord()
  }

  @Test("changing a record")
  func changing() throws {
    let record = try saved()
    var message = try record.decode(Message.self)
    message.isRead = true
    var draft = DraftRecord(record)
    try draft.encode(message)
    print(draft.changedKeys())  // ["isRead"]
    #expect(draft.changedKeys() == ["isRead"])
  }

  @Test("decoders and encoders")
  func coders() throws {
    let record = try saved()
    do {
      struct Message: Codable { var text: String }
      var record = DraftRecord(recordType: "CD_Message")
      record["CD_text"] = "Hello"
      var decoder = RecordDecoder()
      decoder.keyStrategy = .custom { "CD_" + $0.stringValue }
      let message = try decoder.decode(Message.self, from: record)
      #expect(message.text == "Hello")
    }
    let message = try record.decode(Message.self)
    var draft = DraftRecord(record)
    try RecordEncoder().encode(message, into: &draft)
    #expect(draft.changedKeys().isEmpty)
  }

  @Test("creating a draft")
  func creating() throws {
    let message = message()
    let messageID = RecordID(recordName: message.id.uuidString)
    let draft = try DraftRecord(encoding: message, recordType: "Message", recordID: messageID)
    #expect(draft.allKeys() == ["isRead", "sentAt", "tags", "text"])
  }

  @Test("wrappers")
  func wrappers() throws {
    struct Stroke: Codable {
      var points: [Int]
      var colour: String
    }

    struct Drawing: Codable {
      var title: String
      @JSONBytes var strokes: [Stroke]
    }
    let drawing = Drawing(title: "a", strokes: [Stroke(points: [1, 2], colour: "red")])
    let draft = try DraftRecord(encoding: drawing, recordType: "Drawing")
    #expect(try draft.decode(Drawing.self).strokes[0].points == [1, 2])
  }

  @Test("wrappers of single properties")
  func singleWrappers() throws {
    enum Sealed {
      struct Message: Codable {
        @Encrypted var text: String?
        var sentAt: Date?
      }
    }
    enum Named {
      struct Message: Codable {
        @RecordName var id: UUID
        var text: String?
      }
    }
    enum Linked {
      struct Message: Codable {
        @Parent var chat: Reference?
      }
    }
    struct Stroke: Codable {}
    struct Drawing: Codable {
      @JSONBytes var strokes: [Stroke] = []
    }
    let id = UUID()
    let named = try DraftRecord(encoding: Named.Message(id: id), recordType: "Message")
    #expect(named.recordID.recordName == id.uuidString)
    let sealed = try DraftRecord(encoding: Sealed.Message(text: "a"), recordType: "Message")
    #expect(sealed.encryptedValues["text"] == "a")
    #expect(try sealed.decode(Linked.Message.self).chat == nil)
    #expect(try DraftRecord(encoding: Drawing(), recordType: "T").allKeys() == ["strokes"])
  }

  @Test("system fields")
  func systemFields() throws {
    struct Chat: Codable {
      @RecordName var id: String
      @Parent var folder: Reference?
      @ModificationDate var modifiedAt: Date?
      var title: String?
    }
    let zoneID = ZoneID(zoneName: "Chats")
    let chat = Chat(id: "hiking", folder: nil, modifiedAt: nil, title: "Hiking club")
    let draft = try DraftRecord(encoding: chat, recordType: "Chat", zoneID: zoneID)
    print(draft.recordID.recordName)  // hiking
    #expect(draft.recordID == RecordID(recordName: "hiking", zoneID: zoneID))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = String(decoding: try encoder.encode(chat), as: UTF8.self)
    #expect(json == #"{"id":"hiking","title":"Hiking club"}"#)
  }
}
