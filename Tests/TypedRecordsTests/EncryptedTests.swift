import Foundation
import RecordCoding
import RecordModel
import Testing
import TypedRecords

struct EncryptedTests {
  struct Marked: Codable {
    @Encrypted var value: String?
  }

  @Test("marked properties are encrypted fields")
  func marked() throws {
    let draft = try DraftRecord(encoding: Marked(value: "s"), recordType: "Message")
    #expect(draft.field(named: "value")?.isEncrypted == true)
    #expect(try draft.decode(Marked.self).value == "s")
    #expect(try record([]).decode(Marked.self).value == nil)
  }

  @Test("an encrypted field is not decoded into an unmarked property, nor the other way round")
  func decodingMismatch() throws {
    let secret = record("value", .string("s3cret"), isEncrypted: true)
    for error in [
      try failure { try secret.decode(Box<String>.self) },
      try failure { try secret.decode(Maybe<String>.self) },
    ] {
      #expect(error.code == .encryption && error.expected.contains("@Encrypted"))
      #expect(!"\(error)".contains("s3cret"))
    }
    let plain = record("value", .string("s"))
    #expect(try failure { try plain.decode(Marked.self) }.code == .encryption)
  }

  @Test("encoding never changes whether a field is encrypted")
  func encodingMismatch() throws {
    let secret = record("value", .string("s3cret"), isEncrypted: true)
    var draft = DraftRecord(secret)
    for value in ["other", "s3cret", nil] {
      let error = try failure { try draft.encode(Maybe(value: value)) }
      #expect(error.code == .encryption && !"\(error)".contains("s3cret"))
    }
    draft.encryptedValues["value"] = nil as String?
    #expect(try failure { try draft.encode(Maybe(value: "x")) }.code == .encryption)
    var plain = DraftRecord(record("value", .string("s")))
    #expect(try failure { try plain.encode(Marked(value: "s")) }.code == .encryption)
    #expect(plain.changedKeys().isEmpty)
  }

  @Test("references and assets cannot be encrypted")
  func notEncryptable() throws {
    let reference = Reference(recordID: RecordID(recordName: "c"))
    let value = Box(value: Encrypted(wrappedValue: reference))
    #expect(
      try failure { try DraftRecord(encoding: value, recordType: "Message") }.code == .encryption)
    let asset = Box(value: Encrypted(wrappedValue: [Asset(data: Data([1]))]))
    #expect(
      try failure { try DraftRecord(encoding: asset, recordType: "Message") }.code == .encryption)
  }

  @Test("errors do not contain encrypted values")
  func secrets() throws {
    enum Mood: String, Codable { case calm }
    struct Picky: Codable {
      @Encrypted var value: String
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        _value = try container.decode(Encrypted<String>.self, forKey: .value)
        throw DecodingError.dataCorrupted(
          .init(codingPath: [], debugDescription: "cannot use \(value)"))
      }
    }
    struct Number: Codable { @Encrypted var value: UInt8 }
    struct Enum: Codable { @Encrypted var value: Mood }
    struct Identified: Codable { @Encrypted var value: UUID }
    struct Listed: Codable { @Encrypted var value: [UUID] }
    struct Nested: Codable { @Encrypted @JSONString var value: [Mood] }
    func message<T: Decodable>(_ value: RecordValue, _ type: T.Type) throws -> String {
      let error = try failure { try record("value", value, isEncrypted: true).decode(type) }
      return "\(error) \(String(reflecting: error))"
    }
    for text in [
      try message(.string("s3cret"), Picky.self), try message(.string("s3cret"), Enum.self),
      try message(.string("s3cret"), Identified.self),
      try message(.stringList(["s3cret"]), Listed.self),
      try message(.string("s3cret"), Nested.self),
      try message(.string("[\"s3cret\"]"), Nested.self),
    ] {
      #expect(!text.contains("s3cret"), "\(text)")
    }
    #expect(!(try message(.int64(98765), Number.self)).contains("98765"))
    let many = Box(value: Encrypted(wrappedValue: UInt64.max))
    let error = try failure { try DraftRecord(encoding: many, recordType: "Message") }
    #expect(error.code == .outOfRange && !"\(error)".contains("\(UInt64.max)"))
  }

  @Test("errors of a type's own encoding do not contain encrypted values")
  func secretsOfEncoding() throws {
    struct Refusing: Encodable {
      func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
          "s3cret", .init(codingPath: encoder.codingPath, debugDescription: "cannot use s3cret"))
      }
    }
    struct Sealed: Encodable { @Encrypted var value = Refusing() }
    let error = try failure { try DraftRecord(encoding: Sealed(), recordType: "T") }
    #expect(error.code == .invalidValue && error.key == "value")
    #expect(!"\(error) \(String(reflecting: error))".contains("s3cret"))
  }

  @Test("nested JSON of an unencrypted field has no encrypted properties")
  func nested() throws {
    struct Inner: Codable {
      @Encrypted var pin: String?
    }
    struct Plain: Codable { @JSONBytes var inner: Inner }
    struct Sealed: Codable { @Encrypted @JSONBytes var inner: Inner }
    struct Sealed2: Codable { @JSONBytes @Encrypted var inner: Inner }
    struct Deep: Codable { @JSONString var all: [String: [Inner]] }
    let inner = Inner(pin: "1234")
    func code(_ value: some Encodable) throws -> TypedRecordError {
      try failure { try DraftRecord(encoding: value, recordType: "T") }
    }
    #expect(try code(Plain(inner: inner)).code == .encryption)
    #expect(try code(Deep(all: ["a": [inner]])).code == .encryption)
    let sealed = try DraftRecord(encoding: Sealed(inner: inner), recordType: "T")
    #expect(sealed.field(named: "inner")?.isEncrypted == true)
    #expect(try sealed.decode(Sealed.self).inner.pin == "1234")
    let second = try DraftRecord(encoding: Sealed2(inner: inner), recordType: "T")
    #expect(second.field(named: "inner") == sealed.field(named: "inner"))
    #expect(try second.decode(Sealed2.self).inner.pin == "1234")
  }
}
