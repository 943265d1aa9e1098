import Foundation
import RecordModel
import Testing

@testable import RecordCoding

@Suite struct CodableTests {
  /// Unknown members that an encoder can keep: sorted names, numbers in their shortest form.
  private func model(seed: UInt64) -> RandomModel {
    var model = RandomModel(seed: seed)
    model.hasExtremeDates = false
    model.raw = { random in
      let number = JSONValue.integer(Int.random(in: -5...5, using: &random))
      let text = JSONValue.string(RandomJSON.string(using: &random))
      let list = JSONValue.array([.bool(true), .null, number, .number(text: "0.5")])
      return [number, text, list, .object([.init("a", list), .init("b", text)])]
        .randomElement(using: &random) ?? .null
    }
    return model
  }

  private func throughJSON<T: Codable>(_ value: T) throws -> T {
    let data = try JSONEncoder().encode(value)
    return try JSONDecoder().decode(T.self, from: data)
  }

  private func throughPropertyList<T: Codable>(
    _ value: T, _ format: PropertyListSerialization.PropertyListFormat
  ) throws -> T {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = format
    return try PropertyListDecoder().decode(T.self, from: encoder.encode(value))
  }

  @Test func `random records come back equal through JSON`() throws {
    var model = model(seed: 21)
    for _ in 0..<150 {
      let record = model.record()
      #expect(try throughJSON(record) == record)
    }
  }

  @Test func `the text that is null in property lists stays a text in JSON`() throws {
    var draft = DraftRecord(recordType: "T", recordID: RecordID(recordName: "r"))
    for (number, text) in ["$null", "$$null", "$"].enumerated() { draft["f\(number)"] = text }
    #expect(try throughJSON(draft) == draft)
    draft["f0"] = nil as String?
    #expect(try throughPropertyList(draft, .binary) == draft)
    #expect(try throughPropertyList(draft, .xml) == draft)
  }

  @Test func `canonically equivalent names are refused by every encoder`() throws {
    let record = ResultRecord(
      systemFields: SystemFields(recordID: RecordID(recordName: "r"), recordType: "T"),
      fields: [
        Field(name: "\u{e9}", value: .int64(1)), Field(name: "e\u{301}", value: .int64(2)),
      ])
    #expect(throws: RecordCodingError.self) { try JSONEncoder().encode(record) }
    #expect(throws: EncodingError.self) { try PropertyListEncoder().encode(record) }
  }

  @Test func `random records come back equal through property lists`() throws {
    var model = model(seed: 22)
    for _ in 0..<100 {
      let record = model.record()
      #expect(try throughPropertyList(record, .binary) == record)
    }
  }

  @Test func `what an encoder writes is the canonical JSON but for its order`() throws {
    var model = model(seed: 23)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for _ in 0..<100 {
      let record = model.record()
      let encoded = try JSONParser.parse(
        String(decoding: encoder.encode(record), as: UTF8.self))
      #expect(try ResultRecord(json: encoded) == record)
      #expect(try JSONParser.parse(record.jsonValue().compactText).sorted == encoded.sorted)
    }
  }

  @Test func `strategies of the encoder change neither names nor dates`() throws {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .iso8601
    encoder.dataEncodingStrategy = .deferredToData
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    struct Note: Codable, Equatable {
      var theRecord: ResultRecord
    }
    var model = model(seed: 24)
    for _ in 0..<30 {
      let note = Note(theRecord: model.record())
      let data = try encoder.encode(note)
      #expect(String(decoding: data, as: UTF8.self).contains("\"the_record\""))
      #expect(try decoder.decode(Note.self, from: data) == note)
    }
  }

  @Test func `every public type comes back equal`() throws {
    var model = model(seed: 25)
    func check<T: Codable & Equatable>(_ value: T) throws {
      #expect(try throughJSON(value) == value)
      #expect(try throughPropertyList(value, .binary) == value)
    }
    for _ in 0..<30 {
      try check(model.value())
      try check(model.field("f"))
      try check(model.reference())
      try check(model.location())
      try check(model.asset())
      try check(model.recordID())
      try check(model.zoneID())
      try check(model.stamp())
      var fields = model.systemFields()
      fields.archive = model.maybe { $0.data() }
      try check(fields)
      var draft = DraftRecord(model.record())
      draft["new"] = "value"
      try check(draft)
      let zoneID = model.zoneID()
      try check(RecordZone(zoneID: zoneID, otherMembers: model.others()))
      try check(
        DeletedRecord(recordID: model.recordID(), recordType: "T", deletionDate: model.date()))
      let filter = QueryFilter("f", .equals, model.value(), distance: model.double())
      let sort = QuerySort("f", ascending: false, relativeLocation: model.location())
      try check(filter)
      try check(sort)
      let query = RecordQuery(recordType: "T", filters: [filter], sort: [sort])
      try check(query)
      var info = NotificationInfo(alertBody: "x", shouldBadge: true)
      info.titleLocalizationArgs = ["a"]
      try check(info)
      let kinds: [CloudSubscription.Kind] = [
        .query(query, zoneID: zoneID, firesOn: [.update], firesOnce: true),
        .query(query, zoneID: nil, firesOn: [], firesOnce: false),
        .zone(zoneID, recordType: nil), .database(recordType: "T"),
      ]
      for kind in kinds {
        try check(CloudSubscription(subscriptionID: "s", kind: kind, notificationInfo: info))
      }
      let user = UserIdentity(
        userRecordName: "_u", nameComponents: .init(givenName: "G"),
        lookupInfo: .init(emailAddress: "e"), otherMembers: model.others())
      let participant = ShareParticipant(
        participantID: "p", role: .owner, permission: .none, acceptanceStatus: .removed,
        userIdentity: user, otherMembers: model.others())
      try check(user)
      try check(participant)
      try check(
        Share(
          publicPermission: .readOnly, participants: [participant], owner: participant,
          shortGUID: "g", link: "u"))
    }
  }

  @Test func `dates keep their last bit through decimals of more than seventeen digits`() throws {
    var model = model(seed: 26)
    for _ in 0..<1000 {
      let date = Date(
        timeIntervalSinceReferenceDate: Double.random(in: 0...1e9, using: &model.random))
      let value = RecordValue.timestamp(date)
      #expect(try throughJSON(value) == value)
    }
    for seconds in [0, 1e-12, 1.2345678901234567e-12, -1e16, 1e300, -1e300] {
      let value = RecordValue.timestamp(Date(timeIntervalSinceReferenceDate: seconds))
      #expect(try throughJSON(value) == value)
    }
    let late = RecordValue.timestamp(Date(timeIntervalSinceReferenceDate: 784_999_923.456_789_1))
    let text = String(decoding: try JSONEncoder().encode(late), as: UTF8.self)
    #expect(text.contains("1763307123456.7891"))
  }

  @Test(arguments: [
    "0", "-0", "1", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
    "18446744073709551615", "0.1", "1e21", "5e-324", "1.7976931348623157e308",
    "1763307123456.78912345678901234", "0.30000000000000004", "123456789012345678901234567890",
    "-12345678901234567890.12345678901234567",
  ])
  func `numbers keep their value to the last digit`(_ text: String) throws {
    let json = try JSONParser.parse("[\(text)]")
    for again in [try throughJSON(json), try throughPropertyList(json, .binary)] {
      let number = try #require(again.elements?.first?.numberText)
      #expect(Double(number)?.bitPattern == Double(text)?.bitPattern)
      #expect(Decimal(string: number) == Decimal(string: text))
    }
  }

  @Test func `what no encoder can hold is refused`() throws {
    let json = try JSONParser.parse("[1e999]")
    #expect(throws: RecordCodingError.self) { try JSONEncoder().encode(json) }
  }

  @Test func `mistakes are told as a decoder tells them`() throws {
    let text =
      #"{"a":{"recordName":"r","recordType":"T","fields":{"f":{"type":"INT64","value":"x"}}}}"#
    do {
      _ = try JSONDecoder().decode([String: ResultRecord].self, from: Data(text.utf8))
      Issue.record("no error")
    } catch DecodingError.dataCorrupted(let context) {
      #expect(context.codingPath.map(\.stringValue) == ["a"])
      #expect(
        context.debugDescription
          == "at fields.f.value: found the string \"x\", expected a 64-bit integer")
      #expect(context.underlyingError is RecordCodingError)
    }
  }

  @Test func `nesting is bounded`() {
    let text = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }
  }
}

extension JSONValue {
  /// The value with the members of every object in order of their names.
  fileprivate var sorted: JSONValue {
    switch content {
    case .object(let members):
      .object(
        members.map { Member($0.name, $0.value.sorted) }.sorted {
          compareUTF8($0.name, $1.name) < 0
        })
    case .array(let elements): .array(elements.map(\.sorted))
    case .number(let text):
      .number(
        text: CanonicalNumber.double(from: text).flatMap { CanonicalNumber.text(of: $0) } ?? text)
    default: self
    }
  }
}
