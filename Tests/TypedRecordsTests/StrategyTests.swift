import Foundation
import RecordCoding
import RecordModel
import Testing
import TypedRecords

struct StrategyTests {
  struct Photo: Codable, Equatable {
    var sentAt: Int
    var photoURL: String
    var page2Title: String?
    var _plain: Int?
  }

  @Test("keys by a closure")
  func customKeys() throws {
    var (encoder, decoder) = (RecordEncoder(), RecordDecoder())
    encoder.keyStrategy = .custom { "CD_" + $0.stringValue }
    decoder.keyStrategy = encoder.keyStrategy
    let photo = Photo(sentAt: 1, photoURL: "a")
    let draft = try DraftRecord(encoding: photo, recordType: "Photo", using: encoder)
    #expect(draft.allKeys() == ["CD_photoURL", "CD_sentAt"])
    #expect(try draft.decode(Photo.self, using: decoder) == photo)
    // The closure cannot be asked which key a field has.
    #expect(try draft.decode([String: RecordValue].self, using: decoder).isEmpty)
    let error = try failure { try record([]).decode(Photo.self, using: decoder) }
    #expect(error.key == "CD_sentAt")
  }

  @Test("fields without a property are not read")
  func unknownFields() throws {
    let record = record([
      Field(name: "sentAt", value: .int64(1)), Field(name: "photoURL", value: .string("a")),
      Field(name: "more", value: .string("s3cret"), isEncrypted: true),
    ])
    #expect(try record.decode(Photo.self).sentAt == 1)
  }

  @Test("user info reaches the types, in nested JSON too")
  func userInfo() throws {
    struct Inner: Codable {
      var text: String
      init(from decoder: any Decoder) throws {
        text = decoder.userInfo[StrategyTests.key] as? String ?? "none"
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(encoder.userInfo[StrategyTests.key] as? String ?? "none")
      }
    }
    struct Outer: Codable {
      var plain: Inner
      @JSONString var json: Inner
    }
    var (encoder, decoder) = (RecordEncoder(), RecordDecoder())
    encoder.userInfo[Self.key] = "told"
    decoder.userInfo[Self.key] = "told"
    let stored = record([
      Field(name: "plain", value: .string("")), Field(name: "json", value: .string("1")),
    ])
    let outer = try stored.decode(Outer.self, using: decoder)
    #expect(outer.plain.text == "told" && outer.json.text == "told")
    let draft = try DraftRecord(encoding: outer, recordType: "T", using: encoder)
    #expect(draft["plain"] == "told" && draft["json"] == "\"told\"")
  }

  static let key = CodingUserInfoKey(rawValue: "told")!
}
