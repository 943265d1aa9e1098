import Foundation
import RecordModel
import Testing

@testable import RecordStore

@Suite("A container that someone else has changed")
struct HostileFileTests {
  private func container() throws -> ContainerStore {
    let container = try ContainerStore.test()
    var draft = note("one")
    draft["file"] = Asset(data: Data([1, 2, 3]))
    try container.database(.private).save([draft, note("two"), note("three", type: "Chat")])
    try container.database(.private).deleteRecords([note("two").recordID])
    try container.database(.private).save([
      CloudSubscription(subscriptionID: "s", kind: .database(recordType: nil))
    ])
    return container
  }

  /// Calls everything that a container can do; errors are fine.
  private func exercise(_ container: ContainerStore) throws {
    let database = container.database(.private)
    func attempt(_ body: () throws -> Void) throws {
      do { try body() } catch is ContainerStoreError {} catch is CloudError {}
    }
    try attempt { _ = try contents(of: container) }
    try attempt { _ = try database.recordTypes() }
    try attempt { _ = try container.info() }
    try attempt {
      try container.snapshot { snapshot in
        try snapshot.forEachAsset { asset in
          _ = try snapshot.assetData(sha256: asset.sha256)
        }
        _ = try snapshot.assets(of: note("one").recordID, in: .private)
      }
    }
    try attempt { _ = try database.record(for: note("one").recordID) }
    try attempt { try database.save([note("one"), note("zero"), note("three")]) }
    try attempt { try database.deleteRecords([note("one").recordID, note("three").recordID]) }
    try attempt {
      try container.importTransaction(onConflict: { _ in .replace }) {
        try $0.add(serverRecord("one", text: "other"), to: .private)
      }
    }
    try attempt { try database.deleteZone(notes) }
  }

  @Test("has rows that are read although the page of others is damaged")
  func damagedPage() throws {
    let directory = try TestFolder()
    let path = directory.path("a")
    let container = try ContainerStore.create(path)
    try container.database(.private).save((0..<200).map { note("note-\($0)", in: .default) })
    try container.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let size = Int(bytes[16]) << 8 + Int(bytes[17])
    let place = try #require(bytes.range(of: Data(#""recordName":"note-100""#.utf8))).lowerBound
    // A page's first byte is its kind.
    bytes[place / size * size] = 0xff
    try bytes.write(to: URL(fileURLWithPath: path))
    let damaged = try ContainerStore.open(path: path, mode: .readOnly)
    defer { _ = try? damaged.close() }
    let found = try damaged.snapshot { snapshot in
      var names: Set<String> = []
      for order in ["ASC", "DESC"] {
        #expect(throws: SQLiteError.self) {
          try snapshot.db.forEachRow("SELECT name FROM record NOT INDEXED ORDER BY id \(order)") {
            names.insert($0.string(0))
          }
        }
      }
      return names
    }
    #expect(found.contains("note-0") && found.contains("note-199"))
    #expect(found.count < 200)
  }

  @Test(
    "gives errors or other content, but never crashes",
    arguments: [
      "UPDATE zone SET lastChange = 'x', json = 7",
      "UPDATE zone SET name = name || x'ff00fe', owner = owner || x'fe'",
      "UPDATE section SET firstID = -9223372036854775808, lastID = 9223372036854775807",
      "UPDATE section SET records = 'many', bytes = x'00', lastName = 3.5, inOrder = 'yes'",
      "UPDATE section SET records = 9223372036854775807, bytes = 9223372036854775807",
      "UPDATE section SET records = 9223372036854775807, bytes = 1",
      "UPDATE section SET records = 3074457345618258603, bytes = 3074457345618258603",
      "UPDATE section SET records = -5, bytes = -9223372036854775808, inOrder = 0",
      "DELETE FROM section",
      "UPDATE record SET json = x''",
      "UPDATE record SET json = 'no json'",
      "UPDATE record SET json = substr(json, 1, length(json) / 2)",
      "UPDATE record SET name = x'ff' || id, type = 99",
      "UPDATE record SET type = 'x', modified = 'never', change = 'x'",
      "UPDATE record SET zone = 99",
      "UPDATE recordType SET name = x'ff' || id",
      "DELETE FROM recordType",
      "UPDATE asset SET sha256 = zeroblob(100)",
      "UPDATE asset SET sha256 = x'00', size = -5",
      "UPDATE asset SET size = -1",
      "UPDATE asset SET size = 9223372036854775807",
      "UPDATE asset SET size = 'large', stored = 'all'",
      "UPDATE assetChunk SET data = zeroblob(1000000)",
      "UPDATE assetChunk SET data = 12, number = 'x'",
      "DELETE FROM assetChunk",
      """
      DELETE FROM assetChunk;
      INSERT INTO assetChunk SELECT id, 9223372036854775807, x'00' FROM asset;
      INSERT INTO assetChunk SELECT id, 'a', x'00' FROM asset
      """,
      "UPDATE assetUse SET asset = 12345",
      "UPDATE database SET lastChange = 9223372036854775807",
      "UPDATE database SET lastChange = 'x'",
      "DELETE FROM database",
      "UPDATE tombstone SET json = 'x', name = 5",
      "UPDATE subscription SET json = '[[[['",
      "INSERT INTO setting VALUES ('environment', x'ff', 0), ('schema', 5, 0)",
      "DROP TABLE record",
      "DROP TABLE section",
      "DROP INDEX recordIdentity",
    ])
  func changes(sql: String) throws {
    let container = try container()
    try container.transaction { try $0.db.execute(sql) }
    try exercise(container)
  }

  @Test("is told to be damaged where a record cannot be read, by the record's name")
  func unreadableRecord() throws {
    let container = try container()
    try container.transaction { try $0.db.execute("UPDATE record SET json = '{}'") }
    let error = #expect(throws: ContainerStoreError.self) {
      try container.database(.private).record(for: note("one").recordID)
    }
    #expect(error?.description.contains("record 'one' of the zone 'Notes'") == true)
    #expect(error?.description.contains("in the private database") == true)
    #expect(throws: ContainerStoreError.self) {
      try container.database(.private).forEachRecord { _ in }
    }
  }

  @Test("is told to be damaged by a save over a record that does not match its checksum")
  func saveOverDamage() throws {
    let container = try container()
    // The JSON is still canonical, with another value.
    try container.transaction {
      try $0.db.execute(
        #"""
        UPDATE record SET json = CAST(
          replace(CAST(json AS TEXT), '"value":"text"', '"value":"texx"') AS BLOB)
        """#)
    }
    let damaged = try container.verify { _ in }.faults
    #expect(damaged > 0)
    for save in [
      { try $0.advanceChangeTag(of: note("one").recordID, in: .private) },
      { try $0.removeShare(of: note("one").recordID, in: .private) },
    ] as [(ContainerTransaction) throws -> Void] {
      #expect(throws: ContainerStoreError.self) { try container.transaction(save) }
    }
    #expect(try container.verify { _ in }.faults == damaged, "no save has given it a checksum")
    let error = #expect(throws: ContainerStoreError.self) {
      try container.database(.private).record(for: note("one").recordID)
    }
    #expect(error?.code == .damaged && error?.recordID == note("one").recordID)
  }

  @Test(
    "is intact again after a damaged record is replaced or deleted",
    arguments: [
      #"replace(CAST(json AS TEXT), '"value":"text"', '"value":"texx"')"#, "substr(json, 1, 40)",
      "json || ' '",
    ], [true, false])
  func healing(damage: String, hasIndex: Bool) throws {
    let container = try container()
    if hasIndex { try container.makeIndex(.parent) }
    try container.transaction {
      try $0.db.execute("UPDATE record SET json = CAST(\(damage) AS BLOB) WHERE name = 'one'")
    }
    #expect(try container.verify { _ in }.faults > 0)
    let replaced = try container.fork()
    var child = note("one")
    child.parent = Reference(recordID: note("three").recordID)
    try replaced.database(.private).save([child])
    #expect(try replaced.verify { Issue.record("\($0)") }.isIntact)
    #expect(
      try replaced.transaction {
        try $0.records(referringTo: note("three").recordID, as: .parent, in: .private)
      } == [note("one").recordID])
    let deleted = try container.fork()
    #expect(try deleted.database(.private).deleteRecords([note("one").recordID]).count == 1)
    #expect(try deleted.verify { Issue.record("\($0)") }.isIntact)
    let without = try container.fork()
    try without.database(.private).deleteZone(notes)
    #expect(try without.verify { Issue.record("\($0)") }.isIntact)
  }

  @Test("has indexes in spite of a damaged record, and queries return its error")
  func indexes() throws {
    let folder = try TestFolder()
    let container = try ContainerStore.create(folder.path("c"))
    try container.database(.private).save([
      note("one", in: .default), note("two", in: .default),
    ])
    try container.transaction {
      try $0.db.execute(
        """
        UPDATE record SET json = CAST(replace(CAST(json AS TEXT), 'fields', 'parent') AS BLOB)
        WHERE name = 'one'
        """)
    }
    func errors(_ store: ContainerStore, _ filters: [QueryFilter]) throws -> [RecordID] {
      let match = QueryMatch(RecordQuery(recordType: "Note", filters: filters))
      return try store.page(QueryPageRequest(match, in: .private, limit: 9)).damaged
    }
    let queries: [[QueryFilter]] = [
      [], [QueryField("text") == "other"], [QueryField("text").contains("other")],
      [.allText(contains: "other")],
    ]
    let one = note("one", in: .default).recordID
    let reader = try ContainerStore.open(path: folder.path("c"), mode: .readOnly)
    for query in queries { #expect(try errors(reader, query) == [one], "\(query)") }
    try reader.close()
    for kind in RecordIndex.Kind.allCases where kind.isOfAllTypes { try container.makeIndex(kind) }
    for query in queries { #expect(try errors(container, query) == [one], "\(query)") }
    try container.database(.private).save([note("one", in: .default)])
    for query in queries { #expect(try errors(container, query) == [], "\(query)") }
    #expect(try container.verify { Issue.record("\($0)") }.isIntact)
  }

  @Test("is told by the name of its file too")
  func unreadableFile() throws {
    let directory = try TestFolder()
    let container = try ContainerStore.create(directory.path("a"))
    try container.database(.private).save([note("one", in: .default)])
    try container.transaction { try $0.db.execute("UPDATE record SET json = '{}'") }
    let error = #expect(throws: ContainerStoreError.self) {
      try container.database(.private).forEachRecord { _ in }
    }
    #expect(error?.description.contains("'\(directory.path("a"))'") == true)
  }
}
