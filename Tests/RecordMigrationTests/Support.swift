import Foundation
import RecordModel

@testable import RecordMigration

// Every file of these tests uses it.
@_exported import TestSupport

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
