import Foundation
import Testing

@testable import RecordModel

@Suite("Names that differ only in Unicode normalization are different names")
struct ExactNameTests {
  private let composed = "caf\u{E9}"
  private let decomposed = "cafe\u{301}"

  @Test("Strings are equal, names are not")
  func names() {
    #expect(composed == decomposed)
    #expect(ExactString(composed) != ExactString(decomposed))
    #expect(CompactName(composed) != CompactName(decomposed))
    #expect(RecordID(recordName: composed) != RecordID(recordName: decomposed))
    #expect(ZoneID(zoneName: composed) != ZoneID(zoneName: decomposed))
    #expect(FieldName.interned(composed) != FieldName.interned(decomposed))
    #expect(
      Set([ExactString(composed), ExactString(decomposed), ExactString(composed)]).count == 2)
    #expect(
      Set([composed, decomposed].map { RecordID(recordName: $0) }).count == 2)
    #expect(ExactString(decomposed) < ExactString(composed))
  }

  @Test("A record with fields of both names has two fields")
  func fields() {
    var draft = DraftRecord(recordType: "T")
    draft[composed] = 1
    draft[decomposed] = 2
    #expect(draft.fields.count == 2)
    #expect(draft.changedKeys() == [decomposed, composed])
    #expect(draft[composed] as? Int == 1)
    draft[composed] = nil as Int?
    #expect(draft.fields.map { Array($0.name.utf8) } == [Array(decomposed.utf8)])
    let record = ResultRecord(
      systemFields: draft.systemFields,
      fields: [Field(name: composed, value: .int64(1)), Field(name: decomposed, value: .int64(2))])
    #expect(record[decomposed] as? Int == 2)
    #expect(record[composed] as? Int == 1)
  }

  @Test("Equality sees the difference in every text of a record")
  func equality() {
    func differ<T: Hashable>(_ make: (String) -> T) {
      #expect(make(composed) != make(decomposed))
      #expect(make(composed) == make("caf\u{E9}"))
      #expect(make(composed).hashValue == make("caf\u{E9}").hashValue)
    }
    let id = RecordID(recordName: "x")
    differ { SystemFields(recordID: id, recordType: $0) }
    differ { SystemFields(recordID: id, recordType: "T", recordChangeTag: $0) }
    differ { RecordStamp(userRecordName: $0) }
    differ { RecordStamp(deviceID: $0) }
    differ { DeletedRecord(recordID: id, recordType: $0) }
    differ { OtherMember(name: $0, value: .null) }
    differ { RawJSON(compact: "\"\($0)\"") }
    differ { Asset(receipt: $0) }
    differ { CloudSubscription(subscriptionID: $0, kind: .database(recordType: nil)) }
    differ { CloudSubscription(subscriptionID: "s", kind: .database(recordType: $0)) }
    differ { CloudSubscription(subscriptionID: "s", kind: .zone(.default, recordType: $0)) }
    differ { RecordQuery(recordType: $0) }
    differ { QueryFilter("f", .equals, .string($0)) }
    differ { QuerySort($0) }
    differ { NotificationInfo(desiredKeys: [$0]) }
    differ { UserIdentity(nameComponents: .init(givenName: $0)) }
    differ { ContainerInfo(schema: $0) }
    differ { RecordValue.unknown(type: $0, json: .null) }
    differ { RecordValue.stringList([$0]) }
  }

  @Test("A filter by type, and members by name, take the one that is meant")
  func lookups() {
    let filter = RecordFilter(recordTypes: [composed])
    #expect(filter.contains(database: .private, zoneID: .default, recordType: composed))
    #expect(!filter.contains(database: .private, zoneID: .default, recordType: decomposed))
    let both = RecordFilter(recordTypes: [composed, decomposed])
    let passing = [composed, decomposed, "cafe"].filter {
      both.contains(database: .private, zoneID: .default, recordType: $0)
    }
    #expect(passing.map { Array($0.utf8) } == [composed, decomposed].map { Array($0.utf8) })
    #expect(both.recordTypes?.names.map(\.utf8.count) == [6, 5])
    var members: OtherMembers = []
    members.set(composed, to: RawJSON(compact: "1"))
    members.set(decomposed, to: RawJSON(compact: "2"))
    #expect(members.map(\.value.text) == ["2", "1"])
    #expect(members[composed]?.text == "1")
  }

  @Test("Values show as the texts they hold")
  func reflection() {
    let stamp = RecordStamp(userRecordName: "_a")
    #expect("\(stamp)".contains("Optional(\"_a\")"))
    #expect(!"\(stamp)".contains("ExactText"))
  }
}

@Suite("The names of a link of Core Data")
struct LinkNameTests {
  @Test(
    "are separated by the first scalar, also before a combining one", arguments: ["x", "\u{301}x"])
  func halves(name: String) throws {
    let halves = try #require(CoreDataNames.halves(of: "Note:" + name))
    #expect(halves.first == "Note" && Array(halves.second.utf8) == Array(name.utf8))
  }
}
