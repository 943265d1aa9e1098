import Foundation
import RecordCoding
import RecordModel
import Testing
import TypedRecords

struct UnchangedFieldTests {
  struct Message: Codable {
    var text: String?
    var count: Int?
    var tags: [String]?
  }

  private let stored = record([
    Field(name: "text", value: .string("Hello")), Field(name: "count", value: .int64(3)),
    Field(name: "tags", value: .stringList(["a"])),
    Field(name: "later", value: .unknown(type: "NEW", json: .null)),
    Field(name: "secret", value: .string("s"), isEncrypted: true),
  ])

  @Test("only what differs becomes a changed key")
  func changes() throws {
    #expect(try recoded(stored, as: Message.self).changedKeys().isEmpty)
    let draft = try recoded(stored, as: Message.self) { $0.count = 4 }
    #expect(draft.changedKeys() == ["count"])
    #expect(draft.field(named: "count")?.value == .int64(4))
    for name in ["text", "tags", "later", "secret"] {
      #expect(draft.field(named: name) == stored.field(named: name))
    }
  }

  @Test("a property that is nil removes its field, and no other")
  func removal() throws {
    let draft = try recoded(stored, as: Message.self) { $0.text = nil }
    #expect(draft.removedKeys() == ["text"] && draft.changedKeys() == ["text"])
    let absent = try recoded(record([]), as: Message.self)
    #expect(absent.changedKeys().isEmpty)
  }

  @Test("all properties are changes of a draft whose fields are not known")
  func unknownFields() throws {
    var draft = DraftRecord(systemFields: stored.systemFields)
    try draft.encode(Message(text: "Hello", count: nil, tags: []))
    #expect(draft.changedKeys() == ["count", "tags", "text"])
    #expect(draft.removedKeys() == ["count"])
  }

  @Test("a field that holds the value in another form stays as it is")
  func otherForms() throws {
    func expectKept<T: Codable>(_ value: RecordValue, _ type: T.Type) throws {
      let draft = try recoded(record("value", value), as: Box<T>.self)
      #expect(draft.changedKeys().isEmpty && draft.field(named: "value")?.value == value)
    }
    try expectKept(.int64(5), Bool.self)
    try expectKept(.double(0.1), Float.self)
    try expectKept(.doubleList([0.1]), [Float].self)
    try expectKept(.int64(3), Double.self)
    try expectKept(.double(3), Int.self)
    try expectKept(.double(-0.0), Double.self)
    try expectKept(.double(-0.0), Int.self)
    try expectKept(.double(.nan), Double.self)
    try expectKept(.string("6f9619ff-8b86-d011-b42d-00cf4fc964ff"), UUID.self)
    try expectKept(.string("e\u{301}"), String.self)
    try expectKept(.timestamp(Date(timeIntervalSinceReferenceDate: 0.1)), Date.self)
  }

  @Test("values are compared by their bits and scalars")
  func comparison() throws {
    func changed<T: Codable>(_ stored: RecordValue, to value: T) throws -> RecordValue? {
      let draft = try recoded(record("value", stored), as: Box<T>.self) { $0.value = value }
      return draft.changedKeys().isEmpty ? nil : draft.field(named: "value")?.value
    }
    #expect(try changed(.double(0), to: -0.0) == .double(-0.0))
    #expect(try changed(.string("\u{e9}"), to: "e\u{301}") == .string("e\u{301}"))
    #expect(try changed(.int64(5), to: false) == .int64(0))
    #expect(try changed(.double(0.1), to: Float(0.5)) == .double(0.5))
  }

  @Test("a new value has the field's type if that can hold it")
  func presentType() throws {
    func value<T: Codable>(_ stored: RecordValue, _ value: T) throws -> RecordValue? {
      try recoded(record("value", stored), as: Box<T>.self) { $0.value = value }
        .field(named: "value")?.value
    }
    #expect(try value(.int64(3), 4.0) == .int64(4))
    #expect(try value(.int64(3), 4.5) == .double(4.5))
    #expect(try value(.double(3), 4) == .double(4))
    #expect(try value(.double(3), Int.max) == .int64(.max))
    #expect(try value(.int64List([3]), [4.0, 5.0]) == .int64List([4, 5]))
    #expect(try value(.int64List([3]), [4.0, 5.5]) == .doubleList([4, 5.5]))
    #expect(try value(.double(1), false) == .double(0))
  }

  @Test("members that the model does not know are kept")
  func otherMembers() throws {
    let reader = JSONDecoder()
    let text = """
      {"zoneID":{"zoneName":"Chats","ownerRecordName":"__defaultOwner__"},"recordType":"Message",\
      "recordName":"m1","fields":{"chat":{"type":"REFERENCE","value":{"recordName":"c",\
      "zoneID":{"zoneName":"Chats","ownerRecordName":"__defaultOwner__"},"action":"NONE","new":1},\
      "more":2},"count":{"type":"INT64","value":1}}}
      """
    struct Linked: Codable {
      var chat: Reference
      var count: Int
    }
    let record = try reader.decode(ResultRecord.self, from: Data(text.utf8))
    let field = try #require(record.field(named: "chat"))
    #expect(!field.otherMembers.isEmpty)
    let draft = try recoded(record, as: Linked.self) { $0.count = 2 }
    #expect(draft.changedKeys() == ["count"] && draft.field(named: "chat") == field)
  }

  @Test("a draft is as it was after an error")
  func atomicity() throws {
    struct Failing: Codable {
      var count = 7
      var ratio = Double.nan
    }
    var draft = DraftRecord(stored)
    #expect(throws: TypedRecordError.self) { try draft.encode(Failing()) }
    #expect(draft == DraftRecord(stored))
  }
}
