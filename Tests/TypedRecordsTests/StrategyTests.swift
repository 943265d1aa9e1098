import Foundation
import RecordCoding
import RecordModel
import Testing
import TypedRecords

struct StrategyTests {
  struct Image: Codable {
    var myURLText = 1
    var ABC = 2
    var X = 3
  }

  struct Photo: Codable, Equatable {
    var sentAt: Int
    var photoURL: String
    var page2Title: String?
    var _plain: Int?
  }

  @Test("keys in snake case")
  func snakeCase() throws {
    var (encoder, decoder) = (RecordEncoder(), RecordDecoder())
    encoder.keyStrategy = .convertToSnakeCase
    decoder.keyStrategy = .convertToSnakeCase
    let photo = Photo(sentAt: 1, photoURL: "a", page2Title: "b", _plain: 3)
    let draft = try DraftRecord(encoding: photo, recordType: "Photo", using: encoder)
    #expect(draft.allKeys() == ["_plain", "page2_title", "photo_url", "sent_at"])
    #expect(try draft.decode(Photo.self, using: decoder) == photo)
    let keys = try draft.decode([String: RecordValue].self, using: decoder).keys.sorted()
    let image = try DraftRecord(encoding: Image(), recordType: "Image", using: encoder)
    #expect(image.allKeys() == ["abc", "my_url_text", "x"])
    #expect(try image.decode(Image.self, using: decoder).ABC == 2)
    #expect(keys == ["_plain", "page2Title", "photoUrl", "sentAt"])
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

  @Test("fields without a property are ignored, or refused")
  func unknownFields() throws {
    let record = record([
      Field(name: "sentAt", value: .int64(1)), Field(name: "photoURL", value: .string("a")),
      Field(name: "more", value: .string("s3cret"), isEncrypted: true),
      Field(name: "other", value: .int64(1)),
    ])
    #expect(try record.decode(Photo.self).sentAt == 1)
    var decoder = RecordDecoder()
    decoder.unknownFieldStrategy = .throw
    let error = try failure { try record.decode(Photo.self, using: decoder) }
    #expect(error.code == .unknownFields && error.found.contains("'more', 'other'"))
    let known = ResultRecord(
      systemFields: record.systemFields, fields: Array(record.fields.suffix(2)))
    #expect(try known.decode(Photo.self, using: decoder).photoURL == "a")
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
