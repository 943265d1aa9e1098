import Foundation
import RecordModel

@testable import RecordMigration

/// Numbers that are the same in every run (splitmix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int(next() >> 1) % bound }
  mutating func chance(_ part: Int) -> Bool { below(part) == 0 }
  mutating func pick<T>(_ list: [T]) -> T { list[below(list.count)] }
}

enum Sample {
  static let zone = ZoneID(zoneName: "Chats")
  static let other = ZoneID(zoneName: "Other")

  static func record(
    _ type: String = "Note", _ name: String = "n1", zone: ZoneID = zone, parent: Reference? = nil,
    _ fields: [String: RecordValue] = [:], encrypted: [String: RecordValue] = [:]
  ) -> ResultRecord {
    ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: zone), recordType: type,
        recordChangeTag: "1a", parent: parent),
      fields: fields.map { Field(name: $0.key, value: $0.value) }
        + encrypted.map { Field(name: $0.key, value: $0.value, isEncrypted: true) })
  }

  static func record(
    _ fields: [String: RecordValue], encrypted: [String: RecordValue] = [:]
  ) -> ResultRecord {
    record("Note", "n1", fields, encrypted: encrypted)
  }

  static func reference(_ name: String, zone: ZoneID = zone) -> RecordValue {
    .reference(Reference(recordID: RecordID(recordName: name, zoneID: zone)))
  }
}
