import Foundation
import RecordCoding
import RecordModel
import Testing
import TypedRecords

struct WrapperTests {
  struct Point: Codable, Hashable { var x = 1 }

  struct Message: Codable, Hashable {
    @RecordName var id: String
    @RecordChangeTag var tag: String?
    @CreationDate var date: Date?
    @Parent var chat: RecordID?
    @Encrypted var text: String?
    @Encrypted var mood = "calm"
    @JSONBytes var point: Point?
    @Encrypted @JSONString var sealed: Point?
  }

  @Test("other coders write the values alone, and leave nils out")
  func json() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    var message = Message(
      id: "m", tag: nil, date: nil, chat: nil, text: nil, point: nil, sealed: nil)
    let plain = try encoder.encode(message)
    #expect(String(decoding: plain, as: UTF8.self) == #"{"id":"m","mood":"calm"}"#)
    #expect(try JSONDecoder().decode(Message.self, from: plain) == message)
    (message.tag, message.text, message.point) = ("a", "b", Point())
    message.sealed = Point(x: 2)
    message.date = Date(timeIntervalSinceReferenceDate: 1)
    let full = try encoder.encode(message)
    let text =
      #"{"date":1,"id":"m","mood":"calm","point":{"x":1},"sealed":{"x":2},"tag":"a","text":"b"}"#
    #expect(String(decoding: full, as: UTF8.self) == text)
    #expect(try JSONDecoder().decode(Message.self, from: full) == message)
    message.chat = RecordID(recordName: "c")
    #expect(try JSONDecoder().decode(Message.self, from: encoder.encode(message)) == message)
  }

  @Test("nulls of other coders are nils")
  func nulls() throws {
    let text = #"{"id":"m","mood":"calm","text":null,"point":null,"tag":null,"sealed":null}"#
    let message = try JSONDecoder().decode(Message.self, from: Data(text.utf8))
    #expect(message.text == nil && message.point == nil && message.sealed == nil)
  }

  @Test("a missing value that is not optional is an error of other coders")
  func missing() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Message.self, from: Data(#"{"id":"m"}"#.utf8))
    }
  }

  @Test("wrappers are equal if their values are")
  func equality() {
    func isSendable<T: Sendable>(_ value: T) -> Bool { true }
    #expect(Encrypted(wrappedValue: 1) == Encrypted(wrappedValue: 1))
    #expect(Set([Parent(wrappedValue: 1), Parent(wrappedValue: 1)]).count == 1)
    #expect(isSendable(RecordName(wrappedValue: "a")))
  }
}
