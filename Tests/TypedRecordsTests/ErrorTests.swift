import Foundation
import RecordCoding
import RecordModel
import Testing
import TypedRecords

struct ErrorTests {
  struct Message: Codable {
    var text: String
    var count: UInt8
  }

  @Test("an error says type, record, field, found and expected")
  func place() throws {
    let stored = record([
      Field(name: "text", value: .string("a")), Field(name: "count", value: .int64(300)),
    ])
    let error = try failure { try stored.decode(Message.self) }
    #expect(error.code == .outOfRange && error.key == "count" && error.typeName == "Message")
    #expect(error.recordType == "Message" && error.recordID == stored.recordID)
    #expect(
      "\(error)"
        == "Message, record Message Chats:m1, field 'count': found INT64 300, expected an integer from 0 to 255"
    )
    let missing = try failure { try record([]).decode(Message.self) }
    #expect(
      "\(missing)"
        == "Message, record Message Chats:m1, field 'text': found no such field, expected a value, or an optional property"
    )
    let wrong = try failure { try record("text", .int64(1)).decode(Message.self) }
    #expect(wrong.found == "INT64" && wrong.expected == "STRING for String")
  }

  @Test("an error of encoding says the record, if it is known")
  func encodingPlace() throws {
    var draft = DraftRecord(record([]))
    let error = try failure { try draft.encode(Box(value: UInt64.max)) }
    #expect(error.recordID == draft.recordID && error.recordType == "Message")
    #expect(error.key == "value" && error.typeName == "Box<UInt64>")
    let new = try failure { try DraftRecord(encoding: Box(value: UInt64.max), recordType: "T") }
    #expect(new.recordID == nil && new.recordType == "T")
    #expect("\(new)".hasPrefix("Box<UInt64>, record T, field 'value': found 18446744073709551615"))
  }

  @Test("errors of a type's own initializer have their place")
  func ownErrors() throws {
    struct Even: Codable {
      var number: Int
      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        number = try container.decode(Int.self)
        guard number.isMultiple(of: 2) else {
          throw DecodingError.dataCorruptedError(in: container, debugDescription: "an odd number")
        }
      }
    }
    let error = try failure { try decoded(.int64(3), as: Even.self) }
    #expect(error.code == .invalidValue && error.key == "value" && error.found == "an odd number")
    let element = try failure { try decoded(.int64List([2, 3]), as: [Even].self) }
    #expect(element.key == "value" && element.found == "an odd number (at .1)")
    struct Own: Error {}
    struct Throwing: Codable {
      init(from decoder: any Decoder) throws { throw Own() }
      func encode(to encoder: any Encoder) throws { throw Own() }
    }
    #expect(throws: Own.self) { try record([]).decode(Throwing.self) }
    #expect(throws: Own.self) { try decoded(.int64(3), as: Throwing.self) }
  }

  @Test("errors of a type's own encoding have their place, and no values")
  func ownEncodingErrors() throws {
    struct Refusing: Encodable {
      func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
          "s3cret", .init(codingPath: encoder.codingPath, debugDescription: "cannot"))
      }
    }
    let error = try failure { try encoded(Refusing()) }
    #expect(error.code == .invalidValue && error.key == "value" && error.found == "cannot")
    #expect(!"\(error)".contains("s3cret"))
  }
}
