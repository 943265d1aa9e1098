import Foundation
import RecordModel
import Testing

@testable import RecordStore

@Suite("A row that is gone, or is no longer found")
struct MissingRowTests {
  private func makeContainer() throws -> ContainerStore {
    let container = try ContainerStore.test()
    let database = container.database(.private)
    let other = ZoneID(zoneName: "Other")
    let doomed = ZoneID(zoneName: "Doomed")
    try database.save([other, doomed].map { RecordZone(zoneID: $0) })
    try database.save([
      note("one"), note("two"), note("three", type: "Chat"), note("four", in: other),
      note("five", in: doomed), note("six"),
    ])
    try database.deleteRecords([note("two").recordID])
    try database.deleteZone(doomed)
    for id in ["a", "b"] {
      try database.save([CloudSubscription(subscriptionID: id, kind: .database(recordType: nil))])
    }
    var info = try container.info()
    info.identifier = "iCloud.com.example"
    try container.importTransaction { try $0.setInfo(info) }
    return container
  }

  /// Reads everything, as an export does.
  private func read(_ container: ContainerStore) throws -> String {
    if let error = try container.snapshot({ try $0.damagedMetadata() }).first { throw error }
    return try "\(container.info())\n" + contents(of: container)
  }

  @Test("stops whoever reads, and is told by verify")
  func missing() throws {
    let container = try makeContainer()
    let original = try read(container)
    for sql in [
      "DELETE FROM record WHERE name = 'one'", "UPDATE record SET id = 99 WHERE name = 'one'",
      "UPDATE record SET zone = 99 WHERE name = 'one'", "DELETE FROM record",
      "UPDATE record SET type = 99 WHERE name = 'six'", "DELETE FROM section",
      "DELETE FROM section WHERE type = 2", "UPDATE section SET zone = 99 WHERE type = 2",
      "UPDATE section SET type = 99 WHERE type = 2", "UPDATE section SET records = 0",
      "UPDATE zone SET id = 99 WHERE name = 'Other'",
      "UPDATE zone SET scope = 7 WHERE name = 'Other'",
      "UPDATE zone SET scope = 2 WHERE name = 'Other'", "DELETE FROM zone WHERE name = 'Other'",
      "UPDATE recordType SET id = 99 WHERE id = 2", "DELETE FROM recordType WHERE id = 2",
      "DELETE FROM tombstone", "UPDATE tombstone SET zone = 99",
      "DELETE FROM subscription WHERE id = 'b'", "UPDATE subscription SET scope = 7",
      "DELETE FROM zoneTombstone", "UPDATE zoneTombstone SET scope = 0",
      "DELETE FROM setting WHERE name = 'container'", "DELETE FROM setting WHERE name = 'settings'",
      "DELETE FROM database WHERE scope = 1", "UPDATE database SET records = 3",
    ] {
      struct Undone: Error {}
      #expect(throws: Undone.self) {
        try container.transaction { writer in
          try writer.db.execute(sql)
          // What is read nevertheless is whole: an index leads to a row whose `id` changed.
          let found = try? read(container)
          #expect(found == nil || found == original, "\(sql)")
          let check = try container.verify { _ in }
          #expect(!check.isIntact, "\(sql)")
          throw Undone()
        }
      }
      #expect(try read(container) == original)
    }
    #expect(try container.verify { Issue.record("\($0)") }.isIntact)
  }

  @Test("is missed whatever was saved, deleted and imported before")
  func counts() throws {
    var generator = SeededGenerator(5)
    let container = try ContainerStore.test()
    let database = container.database(.private)
    let zones = [notes] + ["A", "B"].map { ZoneID(zoneName: $0) }
    for step in 0..<150 {
      let zone = zones.randomElement(using: &generator) ?? notes
      let names = (0..<4).map { _ in "r\(Int.random(in: 0..<12, using: &generator))" }
      switch Int.random(in: 0..<7, using: &generator) {
      case 0: try database.save([RecordZone(zoneID: zone)])
      case 1: try? database.deleteZone(zone)
      case 2, 3:
        let type = step % 2 == 0 ? "Note" : "Chat"
        for name in names { _ = try? database.save([note(name, in: zone, type: type)]) }
      case 4: _ = try? database.deleteRecords(names.map { note($0, in: zone).recordID })
      case 5:
        let id = "s\(step % 3)"
        if step % 2 == 0 {
          try? database.deleteSubscriptions([id])
        } else {
          try database.save([
            CloudSubscription(subscriptionID: id, kind: .database(recordType: nil))
          ])
        }
      default:
        try container.importTransaction(onConflict: { _ in .replace }) { writer in
          try writer.add(RecordZone(zoneID: zone), to: .private)
          for name in names { try writer.add(serverRecord(name, in: zone), to: .private) }
          let gone = DeletedRecord(
            recordID: note("r\(step)", in: zone).recordID, recordType: "Note", deletionDate: nil)
          try writer.add(gone, to: .private)
        }
      }
      _ = try read(container)
      // A wrong count stays wrong.
      guard step % 5 == 4 else { continue }
      #expect(try container.verify { Issue.record("\(step): \($0)") }.isIntact)
    }
  }
}
