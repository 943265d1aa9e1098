import Foundation
import RecordModel
import Testing

@testable import RecordStore

@Suite("Names in a container")
struct NameTests {
  @Test("with a NUL character are kept whole by an import, everywhere")
  func nul() throws {
    let container = try ContainerStore.inMemory()
    let zones = ["a\0b", "a\0c", "a"].map { ZoneID(zoneName: $0, ownerName: "o\0\($0)") }
    let info = ContainerInfo(
      identifier: "i\0d", schema: "DEFINE SCHEMA\0", schemaVersion: "1\02",
      currentUserRecordName: "_u\0x")
    try container.importTransaction { writer in
      try writer.setInfo(info)
      for zone in zones {
        try writer.add(RecordZone(zoneID: zone), to: .private)
        for type in ["T\0a", "T\0b", "T"] {
          try writer.add(serverRecord("r\0\(type)", in: zone, type: type), to: .private)
        }
        try writer.add(
          DeletedRecord(recordID: RecordID(recordName: "t\0", zoneID: zone), recordType: "T\0a"),
          to: .private)
        try writer.add(
          DeletedRecord(recordID: RecordID(recordName: "t", zoneID: zone)), to: .private)
      }
      for id in ["s\01", "s\02", "s"] {
        try writer.add(
          CloudSubscription(subscriptionID: id, kind: .database(recordType: nil)), to: .private)
      }
      for zone in ["z\01", "z\02"] {
        try writer.add(DeletedZone(zoneID: ZoneID(zoneName: zone)), to: .private)
      }
    }
    #expect(try container.info() == info)
    let database = container.database(.private)
    let names = try database.zones().map(\.zoneID)
    #expect(Set(names) == Set(zones + [.default]))
    #expect(try database.recordTypes().count == 9)
    for zone in zones {
      for type in ["T\0a", "T\0b", "T"] {
        let record = try database.record(for: RecordID(recordName: "r\0\(type)", zoneID: zone))
        #expect(record.recordType == type)
      }
    }
    #expect(try database.tombstones().count == 6)
    #expect(try database.subscriptions().map(\.subscriptionID).sorted() == ["s", "s\01", "s\02"])
    #expect(try database.zoneTombstones().count == 2)
    #expect(try container.verify { Issue.record("\($0)") }.records == 9)
    try database.deleteSubscriptions(["s\01"])
    #expect(try database.subscriptions().count == 2)
  }

  @Test(
    "that CloudKit does not take are refused when a zone or subscription is saved",
    arguments: ["", "_x", "ü", "a\0b", "line\n", String(repeating: "z", count: 256)])
  func refused(name: String) throws {
    let container = try ContainerStore.inMemory()
    let database = container.database(.private)
    let error = #expect(throws: CloudError.self) {
      try database.save([RecordZone(zoneID: ZoneID(zoneName: name))])
    }
    #expect(error?.code == .invalidArguments)
    #expect(try database.zones().count == 1)
    guard name != "_x" else { return }
    let second = #expect(throws: CloudError.self) {
      try database.save([CloudSubscription(subscriptionID: name, kind: .database(recordType: nil))])
    }
    #expect(second?.code == .invalidArguments)
  }

  @Test("that CloudKit takes are saved, the default zone's too")
  func accepted() throws {
    let database = try ContainerStore.inMemory().database(.private)
    let names = ["a", "with blanks", String(repeating: "z", count: 255)]
    try database.save(names.map { RecordZone(zoneID: ZoneID(zoneName: $0)) })
    try database.save([RecordZone(zoneID: .default)])
    #expect(try database.zones().count == 4)
  }
}
