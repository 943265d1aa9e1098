import Foundation
import RecordModel
import Testing

@testable import RecordStore

@Suite("A check of a container")
struct VerifyTests {
  /// Creates a container with items of every kind, after saves, deletions and imports.
  private func container() throws -> ContainerStore {
    let container = try ContainerStore.test()
    let database = container.database(.private)
    var draft = note("one")
    draft["file"] = Asset(data: Data([1, 2, 3]))
    draft["empty"] = Asset(data: Data())
    try database.save([draft, note("two"), note("three", type: "Chat"), note("a b", type: "Chat")])
    try database.deleteRecords([note("two").recordID])
    try database.save([RecordZone(zoneID: ZoneID(zoneName: "Gone"))])
    try database.deleteZone(ZoneID(zoneName: "Gone"))
    try database.save([CloudSubscription(subscriptionID: "s", kind: .database(recordType: nil))])
    try container.importTransaction { writer in
      for name in ["d", "b", "c"] {
        try writer.add(serverRecord(name, in: .default, tag: "9z"), to: .public)
      }
    }
    return container
  }

  private func faults(_ container: ContainerStore) throws -> [VerificationIssue] {
    var faults: [VerificationIssue] = []
    let check = try container.verify { faults.append($0) }
    #expect(check.faults == faults.count)
    #expect(check.isIntact == faults.isEmpty)
    return faults
  }

  @Test("finds nothing in one that only RecordPack has changed, and tells what it read")
  func intact() throws {
    let container = try container()
    var last = VerificationReport()
    let check = try container.verify(progress: { last = $0 }) { Issue.record("\($0)") }
    #expect(check.records == 6)
    #expect(check.assets == 2)
    #expect(check == last)
    // It stays so after random saves, deletions and replacements.
    var generator = SeededGenerator(3)
    let database = container.database(.private)
    for _ in 0..<60 {
      let name = "n\(Int.random(in: 0..<20, using: &generator))"
      let type = Bool.random(using: &generator) ? "Note" : "Chat"
      if Int.random(in: 0..<3, using: &generator) == 0 {
        try database.deleteRecords([note(name).recordID])
      } else {
        try database.save([note(name, type: type, String(repeating: "x", count: name.count))])
      }
    }
    #expect(try faults(container) == [])
  }

  @Test("finds an asset that a record names and whose bytes are missing")
  func missingAsset() throws {
    let container = try ContainerStore.test()
    let sha256 = String(repeating: "0a", count: 32)
    let record = ResultRecord(
      systemFields: SystemFields(recordID: note("one").recordID, recordType: "Note"),
      fields: [Field(name: "file", value: .asset(Asset(sha256: sha256, size: 3)))])
    let counts = try container.importTransaction { writer in
      try writer.add(record, to: .private)
      return writer
    }.counts
    #expect(counts.missingAssets == 1)
    #expect(
      try faults(container).map(\.description)
        == ["asset \(sha256): a record refers to it, but its bytes are missing"])
    // Only the import that added the reference counts it.
    let again = try container.importTransaction { writer in
      try writer.add(record, to: .private)
      return writer
    }.counts
    #expect(again.missingAssets == 0)
  }

  @Test("names the record that is broken, and its zone")
  func brokenRecord() throws {
    let container = try container()
    try container.transaction {
      try $0.db.execute("UPDATE record SET json = substr(json, 1, 40) WHERE name = 'one'")
    }
    let found = try faults(container).map(\.description)
    #expect(
      found.contains { $0.hasPrefix("record 'one' of the zone 'Notes' in the private database: ") })
  }

  @Test("finds a change of any column of any table")
  func columns() throws {
    let container = try container()
    try container.makeIndex(.owner)
    try container.transaction { transaction in
      var child = note("child")
      child.parent = Reference(recordID: note("one").recordID)
      child["owner"] = Reference(recordID: note("one").recordID, action: .deleteSelf)
      try transaction.save([child], in: .private)
      try transaction.noteGainedZone(notes, in: .private, account: "_a")
      try transaction.noteLostZone(ZoneID(zoneName: "Lost"), in: .private, account: "_a")
    }
    #expect(try faults(container) == [])
    let columns = try container.transaction { transaction in
      try transaction.db.all(
        """
        SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
        WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid
        """
      ) { (table: $0.string(0), column: $0.string(1)) }
    }
    #expect(columns.count > 70)
    for (table, column) in columns {
      let copy = try container.fork()
      let isChanged = try copy.transaction { transaction in
        let db = try transaction.db
        let order = try db.all("SELECT name FROM pragma_table_info('\(table)') WHERE pk > 0") {
          $0.string(0)
        }.joined(separator: ", ")
        // The last row, so that no number is that of the next row.
        try db.execute(
          """
          UPDATE "\(table)" SET "\(column)" = CASE typeof("\(column)")
            WHEN 'integer' THEN "\(column)" + 1 WHEN 'real' THEN "\(column)" + 1
            WHEN 'text' THEN "\(column)" || 'x' WHEN 'null' THEN 1
            ELSE CAST("\(column)" || x'00' AS BLOB) END
          WHERE (\(order)) = (SELECT \(order) FROM "\(table)"
            ORDER BY \(order.split(separator: ", ").map { "\($0) DESC" }.joined(separator: ", "))
            LIMIT 1)
          """)
        return db.changesCount == 1
      }
      #expect(isChanged, "\(table)")
      #expect(try !faults(copy).isEmpty, "\(table).\(column)")
    }
  }

  @Test(
    "finds every change that somebody else has made",
    arguments: [
      "UPDATE zone SET lastChange = 0",
      "UPDATE zone SET firstChange = 99",
      "UPDATE zone SET firstChange = -1",
      "UPDATE zone SET json = '{}'",
      "UPDATE zone SET name = 'Other' WHERE name = 'Notes'",
      "UPDATE section SET records = records + 1",
      "UPDATE section SET records = 9223372036854775807",
      "UPDATE section SET bytes = bytes - 1",
      "UPDATE section SET firstID = 100, lastID = 50",
      "UPDATE section SET lastName = ''",
      "UPDATE section SET inOrder = 1 WHERE zone = (SELECT id FROM zone WHERE scope = 0)",
      "DELETE FROM section",
      "UPDATE record SET json = x''",
      "UPDATE record SET json = json || ' '",
      #"UPDATE record SET json = CAST(replace(CAST(json AS TEXT), '"Notes"', '"Motes"') AS BLOB)"#,
      "UPDATE record SET name = name || 'x'",
      "UPDATE record SET type = (SELECT max(id) FROM recordType)",
      "UPDATE record SET zone = 99",
      "UPDATE record SET modified = 5",
      "UPDATE record SET change = 99999999",
      "UPDATE recordType SET name = name || 'x'",
      "DELETE FROM recordType",
      "UPDATE asset SET sha256 = zeroblob(32) WHERE size > 0",
      "UPDATE asset SET size = 2 WHERE size > 0",
      "UPDATE asset SET stored = 77",
      "UPDATE assetChunk SET data = x'010204'",
      "DELETE FROM assetChunk",
      "DELETE FROM assetUse",
      "INSERT INTO assetUse VALUES (12345, 1)",
      "INSERT INTO assetChunk VALUES (99, 0, x'00')",
      "INSERT INTO asset (sha256, stored) VALUES (zeroblob(32), 0)",
      "UPDATE database SET lastChange = 0",
      "DELETE FROM database",
      "UPDATE tombstone SET name = 'one'",
      "UPDATE tombstone SET json = 'x'",
      "INSERT INTO zoneTombstone VALUES (1, 'Notes', '__defaultOwner__', 1, 'deleted', 0)",
      "UPDATE subscription SET id = 't'",
      "INSERT INTO setting VALUES ('environment', 'moon', 0)",
      "UPDATE record SET json = CAST(replace(CAST(json AS TEXT), 'text', 'test') AS BLOB)",
      "UPDATE zone SET json = replace(CAST(json AS TEXT), 'ATOMIC', 'SHARING') WHERE id > 2",
      "UPDATE section SET lastName = lastName || 'x'",
      "DROP TABLE subscription",
      "DROP INDEX recordIdentity",
      "CREATE TRIGGER another BEFORE DELETE ON record BEGIN SELECT raise(ignore); END",
      "CREATE INDEX another ON record (modified)",
      "CREATE VIEW another AS SELECT 1",
      "CREATE TABLE another (a)",
    ])
  func changes(sql: String) throws {
    let container = try container()
    // A record's bytes may contain the text twice; replace() converts a blob to text.
    try container.transaction { try $0.db.execute(sql) }
    #expect(try !faults(container).isEmpty)
  }

  @Test("names a trigger, which never runs, and how to remove it")
  func triggers() throws {
    let container = try container()
    let trigger = "CREATE TRIGGER keep BEFORE DELETE ON record BEGIN SELECT raise(ignore); END"
    try container.transaction { try $0.db.execute(trigger) }
    try container.database(.private).deleteRecords([note("one").recordID])
    #expect(
      try container.snapshot { try $0.record(for: note("one").recordID, in: .private) } == nil)
    let found = try faults(container).map(\.description)
    #expect(
      found == [
        "the database: the trigger 'keep' of 'record' is not RecordPack's; remove it with any SQLite "
          + "tool: DROP TRIGGER \"keep\""
      ])
    try container.transaction { try $0.db.execute("DROP TRIGGER \"keep\"") }
    #expect(try faults(container) == [])
  }
}
