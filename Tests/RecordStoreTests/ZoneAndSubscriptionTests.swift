import Foundation
import RecordModel
import Testing

@testable import RecordStore

@Suite("Zones and subscriptions")
struct ZoneAndSubscriptionTests {
  @Test("of zones, capabilities and share come back as they were saved")
  func zones() throws {
    let container = try ContainerStore.test()
    let database = container.database(.private)
    let shared = RecordZone(
      zoneID: ZoneID(zoneName: "Shared", ownerName: "_ada"), capabilities: [.atomic, .sharing],
      share: Reference(
        recordID: RecordID(
          recordName: Share.zoneWideRecordName,
          zoneID: ZoneID(zoneName: "Shared", ownerName: "_ada"))))
    try database.save([shared, RecordZone(zoneName: "Plain")])
    #expect(try container.snapshot { try $0.zone(shared.zoneID, in: .private) } == shared)
    #expect(
      try database.zones().map(\.zoneID.zoneName) == ["Notes", "Plain", "_defaultZone", "Shared"])
  }

  @Test("keep zones of one name and two owners apart")
  func owners() throws {
    let database = try ContainerStore.test().database(.shared)
    let zones = ["_ada", "_bob"].map { ZoneID(zoneName: "Z", ownerName: $0) }
    try database.save(zones.map { RecordZone(zoneID: $0) })
    try database.save([note("one", in: zones[0], "ada's"), note("one", in: zones[1], "bob's")])
    try database.deleteZone(zones[0])
    #expect(try database.zones().map(\.zoneID) == [zones[1]])
    #expect(try database.record(for: note("one", in: zones[1]).recordID)["text"] == "bob's")
  }

  @Test("keep the records of a zone that is saved again")
  func savedAgain() throws {
    let container = try ContainerStore.test()
    let database = container.database(.private)
    try database.save([note("one")])
    try database.save([RecordZone(zoneID: notes, capabilities: [.atomic])])
    let zone = try container.snapshot { try $0.zone(notes, in: .private) }
    #expect(zone?.capabilities == [.atomic])
    #expect(try recordNames(database) == ["one"])
  }

  @Test("are deleted and created again within one transaction, without their records")
  func deletedAndCreated() throws {
    let container = try ContainerStore.test()
    try container.transaction { transaction in
      _ = try transaction.save([note("one")], in: .private)
      try transaction.deleteZone(notes, in: .private)
      let error = #expect(throws: CloudError.self) {
        try transaction.save([note("two")], in: .private)
      }
      #expect(error?.code == .zoneNotFound)
      try transaction.save(RecordZone(zoneID: notes), in: .private)
      _ = try transaction.save([note("three")], in: .private)
    }
    #expect(try recordNames(container.database(.private)) == ["three"])
  }

  @Test("refuse to delete a default zone, and a zone that is not there")
  func undeletable() throws {
    let database = try ContainerStore.test().database(.private)
    let first = #expect(throws: CloudError.self) { try database.deleteZone(.default) }
    #expect(first?.code == .invalidArguments)
    let nowhere = ZoneID(zoneName: "Nowhere")
    let second = #expect(throws: CloudError.self) { try database.deleteZone(nowhere) }
    #expect(second?.code == .zoneNotFound)
  }

  @Test("of subscriptions every kind comes back, is replaced by identity, and can be deleted")
  func subscriptions() throws {
    let container = try ContainerStore.test()
    let database = container.database(.private)
    let query = RecordQuery(
      recordType: "Note", filters: [QueryFilter("text", .equals, .string("x"))],
      sort: [QuerySort("text", ascending: false)])
    let all = [
      CloudSubscription(
        subscriptionID: "a",
        kind: .query(query, zoneID: notes, firesOn: [.create], firesOnce: true),
        notificationInfo: NotificationInfo(alertBody: "new", shouldBadge: true)),
      CloudSubscription(subscriptionID: "b", kind: .zone(notes, recordType: "Note")),
      CloudSubscription(subscriptionID: "c", kind: .database(recordType: nil)),
    ]
    try database.save(Array(all.reversed()))
    #expect(try database.subscriptions() == all)
    #expect(try container.database(.public).subscriptions().isEmpty)
    let changed = CloudSubscription(subscriptionID: "b", kind: .database(recordType: "Note"))
    try database.save([changed])
    try database.deleteSubscriptions(["a", "unknown"])
    #expect(try database.subscriptions() == [changed, all[2]])
    #expect(try container.snapshot { try $0.subscription("b", in: .private) } == changed)
  }

  @Test("go with the zone that they watch")
  func subscriptionsOfZone() throws {
    let container = try ContainerStore.test()
    let database = container.database(.private)
    let other = ZoneID(zoneName: "Other")
    try database.save([RecordZone(zoneID: other)])
    func subscriptions(to zoneID: ZoneID) -> [CloudSubscription] {
      let query = RecordQuery(recordType: "Note")
      return [
        .init(
          subscriptionID: "q-\(zoneID.zoneName)",
          kind: .query(query, zoneID: zoneID, firesOn: [.create], firesOnce: false)),
        .init(subscriptionID: "z-\(zoneID.zoneName)", kind: .zone(zoneID, recordType: nil)),
      ]
    }
    let all = CloudSubscription(subscriptionID: "a", kind: .database(recordType: nil))
    try database.save([all] + subscriptions(to: notes) + subscriptions(to: other))
    try database.deleteZone(notes)
    #expect(try database.subscriptions() == [all] + subscriptions(to: other))
    _ = try container.verify { Issue.record("\($0)") }
    // What another program leaves is found.
    try database.save(subscriptions(to: notes))
    var found: [String] = []
    _ = try container.verify { found.append($0.description) }
    #expect(found.count == 2)
    #expect(found.allSatisfy { $0.hasSuffix("its zone 'Notes' is missing") }, "\(found)")
  }

  @Test("and other changes take the next number; private and shared databases have one counter")
  func counter() throws {
    let container = try ContainerStore.test()
    let database = container.database(.private)
    func last() throws -> Int64 { try container.snapshot { try $0.lastChange(in: .private) } }
    let start = try last()
    try database.save([RecordZone(zoneName: "Z")])
    try database.save([note("one"), note("two")])
    try database.deleteRecords([note("one").recordID, note("nobody").recordID])
    try database.save([CloudSubscription(subscriptionID: "s", kind: .database(recordType: nil))])
    try database.deleteZone(ZoneID(zoneName: "Z"))
    #expect(try last() == start + 6)
    try container.database(.shared).save([RecordZone(zoneName: "Z")])
    #expect(try last() == start + 7)
    #expect(try container.snapshot { try $0.lastChange(in: .shared) } == start + 7)
  }
}
