import Foundation
import RecordModel
import Testing

@testable import RecordStore

/// Each row fails one check, and no later one with the same error.
@Suite("A container with one damaged row")
struct DamagedRowTests {
  private static let sha256 = "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81"

  /// Returns the error of reading a container after a change.
  private func error(
    after sql: String, _ read: (ContainerStore) throws -> Void
  ) throws -> ContainerStoreError? {
    let container = try ContainerStore.test()
    try container.setInfo(ContainerInfo(identifier: "iCloud.a", environment: .development))
    var draft = note("one")
    draft["file"] = Asset(data: Data([1, 2, 3]))
    try container.database(.private).save([draft, note("two")])
    try read(container)
    try container.transaction { try $0.db.execute(sql) }
    do {
      try read(container)
      return nil
    } catch { return error as? ContainerStoreError }
  }

  @Test("does not return an asset with other bytes or another size")
  func assets() throws {
    func read(_ container: ContainerStore) throws {
      _ = try container.snapshot { try $0.assetData(sha256: Self.sha256) }
    }
    let bytes = try error(after: "UPDATE assetChunk SET data = x'040506'", read)
    #expect(bytes?.description.contains("SHA-256") == true, "\(String(describing: bytes))")
    let size = try error(after: "UPDATE asset SET size = 4", read)
    #expect(size?.description.contains("3 of 4 bytes") == true, "\(String(describing: size))")
    let negative = try error(after: "UPDATE asset SET size = -1", read)
    #expect(negative?.description.contains("has the size -1") == true)
  }

  @Test("does not return records that do not match their checksums, or are out of order")
  func records() throws {
    func read(_ container: ContainerStore) throws {
      try container.database(.private).forEachRecord { _ in }
    }
    let sql = #"""
      UPDATE record SET json = CAST(
        replace(CAST(json AS TEXT), '"value":"text"', '"value":"texx"') AS BLOB)
      """#
    #expect(try error(after: sql, read) != nil)
    #expect(try error(after: "UPDATE section SET inOrder = 0", read) != nil)
  }

  @Test("says which record a record's row has instead of its own")
  func names() throws {
    let error = try error(
      after: #"""
        UPDATE record SET json = CAST(
          replace(CAST(json AS TEXT), '"recordName":"one"', '"recordName":"two"') AS BLOB)
        WHERE name = 'one'
        """#
    ) { try $0.database(.private).forEachRecord { _ in } }
    #expect(error?.description.contains("found the record") == true, "\(String(describing: error))")
  }

  @Test(
    "does not return a zone, subscription, deletion or note that was changed",
    arguments: [
      ("zone", "lastChange = lastChange + 7"), ("subscription", "change = change + 7"),
      ("tombstone", "change = change + 7"),
      ("setting", "value = value || 'x' WHERE name = 'note'"),
    ])
  func rows(table: String, change: String) throws {
    let container = try ContainerStore.test()
    let database = container.database(.private)
    try database.save([note("one")])
    try database.deleteRecords([note("one").recordID])
    try database.save([CloudSubscription(subscriptionID: "s", kind: .database(recordType: nil))])
    try container.mirrorTransaction { try $0.setNote("note", "text") }
    func read() throws {
      switch table {
      case "zone": _ = try container.snapshot { try $0.zones(in: .private) }
      case "subscription": _ = try container.snapshot { try $0.subscriptions(in: .private) }
      case "tombstone":
        try container.snapshot { try $0.forEachTombstone(in: .private) { _ in } }
      default: _ = try container.mirrorTransaction { try $0.notes("note") }
      }
    }
    try read()
    try container.connections.write { try $0.execute("UPDATE \(table) SET \(change)") }
    let error = #expect(throws: ContainerStoreError.self) { try read() }
    #expect(error?.description.contains(ContainerStoreError.otherChecksum) == true)
  }

  @Test(
    "whose counters are unknown has those of its rows, expires all tokens, and heals with a save")
  func counters() throws {
    for change in ["lastChange = lastChange + 7", "historyID = historyID + 1", "hash = 0"] {
      let container = try ContainerStore.test()
      try container.database(.private).save([note("one"), note("two")])
      let before = try container.snapshot { try $0.changes(of: .private) }
      try container.connections.write {
        try $0.execute("UPDATE database SET \(change) WHERE scope = 1")
      }
      let derived = try container.snapshot { try $0.changes(of: .private) }
      #expect(derived.last == before.last)
      #expect(!derived.know(historyID: before.historyID, change: 1), "\(change)")
      try container.database(.private).save([note("three")])
      let after = try container.snapshot { try $0.changes(of: .private) }
      #expect(after.last == before.last + 1)
      #expect(!after.know(historyID: before.historyID, change: 1), "\(change)")
      #expect(try container.verify { Issue.record("\($0)") }.isIntact)
    }
  }

  @Test("of the settings leaves the others, and keeps the damaged one until it gets a value")
  func settings() throws {
    let container = try ContainerStore.test()
    var info = ContainerInfo(identifier: "iCloud.a", environment: .development)
    info.schema = "DEFINE SCHEMA\n"
    try container.setInfo(info)
    try container.connections.write {
      try $0.execute("UPDATE setting SET value = 'x' WHERE name = 'schema'")
    }
    #expect(try container.info().identifier == "iCloud.a" && container.info().schema == nil)
    #expect(throws: ContainerStoreError.self) { try container.snapshot { try $0.checkRules() } }
    info = try container.info()
    info.schemaVersion = "2"
    try container.setInfo(info)
    #expect(try container.info().schemaVersion == "2")
    var found: [String] = []
    _ = try container.verify { found.append("\($0)") }
    #expect(found.count == 1 && found[0].contains("'schema'"), "\(found)")
    info.schema = "DEFINE SCHEMA\n"
    try container.setInfo(info)
    #expect(try container.verify { Issue.record("\($0)") }.isIntact)
  }

  @Test(
    "of a table from which others can be made is made again by the next save or query",
    arguments: [
      "UPDATE recordType SET name = 'x' WHERE name = 'Note'", "UPDATE recordType SET hash = 1",
      "UPDATE recordType SET id = 99 WHERE name = 'Note'", "UPDATE section SET records = 9",
      "UPDATE section SET hash = 0", "UPDATE recordIndex SET kind = 99",
      "UPDATE recordIndex SET hash = 0", "UPDATE indexEntry SET record = 99",
      "UPDATE indexEntry SET name = 'x' WHERE name = 'one'",
    ])
  func derived(change: String) throws {
    let container = try ContainerStore.test()
    try container.database(.private).save([note("one"), note("two")])
    let query = RecordQuery(recordType: "Note", sort: [QuerySort("text")])
    func page() throws -> [String] {
      try container.page(QueryPageRequest(QueryMatch(query), in: .private, limit: 9))
        .records.map(\.recordID.recordName)
    }
    #expect(try page() == ["one", "two"])
    try container.connections.write { try $0.execute(change) }
    #expect(
      try container.snapshot { try $0.record(for: note("one").recordID, in: .private) } != nil)
    try container.database(.private).save([note("one", in: notes, "later"), note("three")])
    try container.database(.private).deleteRecords([note("two").recordID])
    #expect(try page().count == 2)
    #expect(try container.verify { Issue.record("\(change): \($0)") }.isIntact)
  }

  @Test("is left out where a reader asks for it, and named once")
  func leftOut() throws {
    let directory = try TestFolder()
    let path = directory.path("a")
    let container = try ContainerStore.create(path)
    let database = container.database(.private)
    try database.save([RecordZone(zoneID: notes), RecordZone(zoneName: "Doomed")])
    try database.save((0..<6).map { note("\($0)") })
    try database.deleteRecords(["0", "1"].map { note($0).recordID })
    try database.deleteZone(ZoneID(zoneName: "Doomed"))
    try database.save(
      ["s", "t"].map {
        CloudSubscription(subscriptionID: $0, kind: .database(recordType: nil))
      })
    try container.connections.write {
      try $0.execute(
        """
        UPDATE record SET json = CAST('x' AS BLOB) WHERE name = '2';
        UPDATE record SET hash = 1 WHERE name = '3';
        UPDATE tombstone SET json = CAST('x' AS BLOB) WHERE name = '0';
        UPDATE zoneTombstone SET reason = 'x';
        UPDATE subscription SET hash = 1 WHERE id = 's';
        DELETE FROM tombstone WHERE name = '1';
        UPDATE database SET hash = 1 WHERE scope = 0;
        """)
    }
    _ = try container.close()
    let log = DamageLog()
    let damaged = try ContainerStore.open(path: path, mode: .readOnly, leavingOut: log)
    try damaged.snapshot { snapshot in
      for _ in 0..<2 {
        var names: [String] = []
        try snapshot.forEachRecord(in: .private) { names.append($0.recordID.recordName) }
        #expect(names == ["4", "5"])
        try snapshot.forEachTombstone(in: .private) { _ in Issue.record("a deletion") }
        #expect(try snapshot.zoneTombstones(in: .private).isEmpty)
        #expect(try snapshot.subscriptions(in: .private).map(\.subscriptionID) == ["t"])
        _ = try snapshot.zones(in: .public)
      }
    }
    #expect(log.count == 7, "\(log.errors)")
    _ = try damaged.close()
  }
}
