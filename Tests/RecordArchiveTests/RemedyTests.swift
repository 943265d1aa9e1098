import Foundation
import RecordBundle
import RecordModel
import Synchronization
import Testing

@testable import RecordArchive
@testable import RecordStore

/// The advice of `recordpack verify`, followed after each kind of damage.
@Suite("The remedy for a damaged container")
struct RemedyTests {
  let directory: TestFolder
  private let path: String
  private let backup: String

  /// Makes a container with rows in every table, and a bundle of it.
  init() throws {
    directory = try TestFolder()
    (path, backup) = (directory.path("a"), directory.path("backup.recordpack"))
    let container = try SampleContainer.make(at: path, messages: 12)
    try container.transaction { transaction in
      try transaction.noteGainedZone(SampleContainer.chats, in: .private, account: "_a")
      try transaction.noteLostZone(ZoneID(zoneName: "Lost"), in: .private, account: "_a")
      _ = try transaction.index(.owner)
      _ = try transaction.index(.parent)
    }
    _ = try container.changes { try $0.zones(in: .private) }
    try container.close()
    try Archiver().run(
      from: [.container(ContainerStore.open(path: path, mode: .readOnly))],
      into: .bundle(path: backup))
  }

  private func copy(_ damage: String) throws -> String {
    let copy = directory.path("copy")
    try? FileManager.default.removeItem(atPath: copy)
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let db = try SQLiteConnection(copy)
    try? db.execute(damage)
    try db.close()
    return copy
  }

  private func faults(_ path: String) throws -> [String] {
    let container = try ContainerStore.open(path: path, mode: .readOnly)
    defer { _ = try? container.close() }
    var faults: [String] = []
    _ = try container.verify { faults.append("\($0)") }
    return faults
  }

  private func importBackup(into path: String) throws {
    let container = try ContainerStore.open(path: path)
    defer { _ = try? container.close() }
    var archiver = Archiver()
    archiver.conflictPolicy = .replace
    try archiver.run(
      from: [.bundle(BundleReader(path: backup))], into: .container(container))
  }

  /// The differences from the backup.
  private func differences(_ path: String) throws -> [String] {
    let container = try ContainerStore.open(path: path, mode: .readOnly)
    defer { _ = try? container.close() }
    return try SampleContainer.differences(
      .bundle(BundleReader(path: backup)), .container(container))
  }

  /// Saves what is intact, imports it into a new container, and then the backup.
  private func recover(_ damaged: String) throws -> String {
    let (saved, new) = (directory.path("saved.recordpack"), directory.path("new"))
    for old in [saved, new] { try? FileManager.default.removeItem(atPath: old) }
    let container = try ContainerStore.open(path: damaged, mode: .readOnly)
    let report = try Archiver().recover(container, to: saved)
    #expect(!report.isComplete)
    try container.close()
    try Archiver().run(
      from: [.bundle(BundleReader(path: saved))], into: .newContainer(path: new))
    try importBackup(into: new)
    return new
  }

  @Test("reports its progress for each row that it reads, so that it can be stopped")
  func stopped() throws {
    struct Stop: Error {}
    let container = try ContainerStore.open(path: path, mode: .readOnly)
    defer { _ = try? container.close() }
    let steps = Mutex(0)
    var archiver = Archiver()
    archiver.progress = { _ in steps.withLock { $0 += 1 } }
    _ = try archiver.recover(container, to: directory.path("saved.recordpack"))
    let rows = try container.snapshot { try $0.db.integer("SELECT count(*) FROM record") } ?? 0
    #expect(steps.withLock { $0 } > rows)
    archiver.progress = { _ in throw Stop() }
    #expect(throws: Stop.self) {
      try archiver.recover(container, to: directory.path("stopped.recordpack"))
    }
  }

  @Test(
    "is an import of a backup that replaces, for a damaged or missing row",
    arguments: TestAmount.of(damages + lostZones, oneIn: 4))
  func replaced(damage: String) throws {
    let copy = try copy(damage)
    #expect(try !faults(copy).isEmpty)
    try importBackup(into: copy)
    #expect(try faults(copy) == [])
    #expect(try differences(copy) == [])
  }

  private static let damages = [
    "UPDATE record SET json = CAST('garbage' AS BLOB) WHERE id = 2",
    "UPDATE record SET json = substr(json, 1, 40)", "UPDATE record SET hash = hash + 1",
    "UPDATE record SET modified = 5 WHERE id = 4", "UPDATE record SET change = change + 1",
    "UPDATE record SET type = 99 WHERE id = 4", "UPDATE record SET type = 1, hash = 1",
    "UPDATE record SET type = (SELECT max(id) FROM recordType) WHERE id < 4",
    "DELETE FROM record WHERE id = 2", "DELETE FROM section", "DELETE FROM record",
    "UPDATE section SET records = records + 1", "UPDATE section SET hash = 0",
    "UPDATE section SET bytes = 1, lastName = ''", "UPDATE section SET inOrder = 0",
    "UPDATE zone SET hash = 0", "UPDATE zone SET lastChange = 9999",
    "UPDATE zone SET json = '{}' WHERE name = 'Chats'",
    "UPDATE zone SET firstChange = 9999 WHERE name = 'Chats'",
    "UPDATE subscription SET json = x'00'", "UPDATE subscription SET hash = hash - 1",
    "UPDATE subscription SET change = 9999", "DELETE FROM subscription",
    "UPDATE tombstone SET json = x''", "UPDATE tombstone SET hash = 7",
    "UPDATE tombstone SET change = change + 1", "DELETE FROM tombstone",
    "UPDATE zoneTombstone SET reason = 'x'", "UPDATE zoneTombstone SET hash = 7",
    "DELETE FROM zoneTombstone", "UPDATE assetChunk SET data = zeroblob(5)",
    "DELETE FROM assetChunk", "UPDATE assetChunk SET number = -1 - number",
    "DELETE FROM assetUse",
    "UPDATE asset SET sha256 = randomblob(32)",
    "UPDATE asset SET sha256 = CAST(sha256 AS TEXT)", "UPDATE asset SET size = size + 1",
    "UPDATE asset SET stored = 0", "UPDATE asset SET size = NULL", "DELETE FROM asset",
    "INSERT INTO assetUse VALUES (12345, 1)", "UPDATE assetUse SET asset = 1 WHERE record > 5",
    "DELETE FROM recordIndex", "DELETE FROM recordIndex WHERE id = 2",
    "UPDATE recordIndex SET id = id + 7", "UPDATE indexEntry SET recordIndex = 99",
    "UPDATE asset SET size = ''", "UPDATE asset SET size = 0",
    "DELETE FROM record WHERE name = 'message-0'; UPDATE asset SET sha256 = randomblob(32)",
  ]

  private static let lostZones = [
    "DELETE FROM zone", "DELETE FROM zone WHERE scope = 0", "DELETE FROM zone WHERE scope = 1",
    "DELETE FROM zone WHERE name = '_defaultZone'", "DELETE FROM zone WHERE name = 'Chats'",
    "DELETE FROM zone WHERE name IN ('Chats', 'Empty')", "DELETE FROM zone WHERE name = 'Empty'",
    "DELETE FROM zone WHERE scope = 0; UPDATE database SET hash = 0",
    "DELETE FROM zone WHERE name = 'Chats'; UPDATE database SET hash = 0",
    "UPDATE zone SET id = 90 - id", "UPDATE zone SET id = id + 40, hash = 0",
    "UPDATE zone SET id = id + 40, hash = 0 WHERE scope = 0",
    "UPDATE zone SET scope = 7, hash = 0 WHERE name = 'Chats'",
    "DELETE FROM record WHERE zone = 4; DELETE FROM zone WHERE id = 4",
    "UPDATE tombstone SET zone = 99", "UPDATE record SET zone = 99, hash = 5",
  ]

  @Test(
    "is a recovery and then the import of a backup, for lost zones",
    arguments: TestAmount.of(lostZones, oneIn: 4))
  func recovered(damage: String) throws {
    let copy = try copy(damage)
    #expect(try !faults(copy).isEmpty)
    let new = try recover(copy)
    #expect(try faults(new) == [])
    #expect(try differences(new) == [])
  }

  @Test("is to delete a damaged record whose name or zone changed, and the import of a backup")
  func deleted() throws {
    for change in ["name = 'message-0x'", "zone = (SELECT id FROM zone WHERE name = 'Empty')"] {
      let copy = try copy("UPDATE record SET \(change) WHERE name = 'message-0'")
      let container = try ContainerStore.open(path: copy)
      try container.transaction { transaction in
        let zones = [SampleContainer.chats, ZoneID(zoneName: "Empty")]
        for zoneID in zones {
          for name in ["message-0", "message-0x"] {
            let recordID = RecordID(recordName: name, zoneID: zoneID)
            if case .failure = try transaction.readableRecord(recordID, in: .private) {
              #expect(try transaction.delete(recordID, in: .private))
            }
          }
        }
      }
      try container.close()
      try importBackup(into: copy)
      #expect(try faults(copy) == [], "\(change)")
    }
  }

  @Test("is to delete the indexes, for a damaged index")
  func indexes() throws {
    for damage in ["UPDATE indexEntry SET record = 1", "UPDATE recordIndex SET hash = 0"] {
      let copy = try copy(damage)
      #expect(try faults(copy).contains { $0.contains("DELETE FROM recordIndex") }, "\(damage)")
      let db = try SQLiteConnection(copy)
      try db.execute("DELETE FROM recordIndex; DELETE FROM indexEntry")
      try db.close()
      #expect(try faults(copy) == [])
    }
  }

  /// The names of the records whose rows match their checksums.
  private func intactNames(_ path: String) throws -> Set<String> {
    let db = try SQLiteConnection(path)
    defer { try? db.close() }
    return Set(
      try db.all("\(CheckedTable.record.select) NOT INDEXED") { row in
        row.isIntact(.record) ? row.string(2) : nil
      }.compactMap(\.self))
  }

  /// Reads a damaged container as the commands do: everything that is intact is there, and what is not
  /// is an error of its own.
  private func checkReading(_ path: String, _ damage: String) throws {
    let log = DamageLog()
    let container = try ContainerStore.open(path: path, leavingOut: log)
    defer { _ = try? container.close() }
    let source = ArchiveSource.container(container)
    let saved = directory.path("readable.recordpack")
    let result = try Archiver().run(
      from: [source], into: .bundle(path: saved, overwrite: true))
    let bundle = try BundleReader(path: saved)
    // The content of an asset may be lost.
    let findings = try bundle.verify().findings.map(\.message)
    #expect(findings.allSatisfy { $0.contains("not in the bundle") }, "\(damage): \(findings)")
    var names: Set<String> = []
    try ArchiveSource.bundle(bundle).forEachRecord { record, _ in
      names.insert(record.recordID.recordName)
    }
    // A record whose row has another number is found by its name, but not among those of its type.
    let isMissed = log.errors.contains { $0.description.contains("were expected") }
    #expect(
      try isMissed || intactNames(path).isSubset(of: names), "\(damage): \(log.errors)")
    let differences = try SampleContainer.differences(.bundle(BundleReader(path: backup)), source)
    _ = try source.summary()
    let isLost = !differences.isEmpty || result.bundle.missingAssets > 0
    #expect(!isLost || log.count + result.bundle.missingAssets > 0, "\(damage): \(differences)")
  }

  private func randomDamage(
    of columns: [(table: String, column: String)], _ generator: inout SeededGenerator
  ) -> String {
    let changes = [
      "= CAST(@ AS INTEGER) + 1", "= -CAST(@ AS INTEGER) - 5", "= 0", "= 9223372036854775807",
      "= CAST(@ || 'x' AS TEXT)", "= CAST(substr(@, 2) AS BLOB)", "= x'00FF'", "= ''", "= NULL",
    ]
    let (table, column) = columns.randomElement(using: &generator)!
    let row = Int.random(in: 0..<8, using: &generator)
    let rows = "(SELECT min(x) FROM (SELECT \(column) AS x FROM \(table) LIMIT 1 OFFSET \(row)))"
    let change = changes.randomElement(using: &generator)!.replacing("@", with: column)
    return Int.random(in: 0..<10, using: &generator) == 0
      ? "DELETE FROM \(table) WHERE \(column) = \(rows)"
      : "UPDATE OR IGNORE \(table) SET \(column) \(change) WHERE \(column) = \(rows)"
  }

  @Test(
    "leaves out damaged assets in an export",
    arguments: [
      "UPDATE asset SET sha256 = NULL", "UPDATE asset SET sha256 = CAST(sha256 AS TEXT)",
      "UPDATE asset SET size = ''",
      "UPDATE asset SET size = 0 WHERE id = 1",
    ])
  func assets(damage: String) throws { try checkReading(copy(damage), damage) }

  @Test("is a recovery, or the import of a backup that replaces, for any damage of any column")
  func anyDamage() throws {
    let count =
      ProcessInfo.processInfo.environment["RECORDPACK_DAMAGES"].flatMap(Int.init)
      ?? TestAmount.of(25, some: 8)
    let db = try SQLiteConnection(path)
    let columns = try db.all(
      """
      SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
      WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid
      """
    ) { (table: $0.string(0), column: $0.string(1)) }
    try db.close()
    var generator = SeededGenerator(UInt64(count))
    var (done, unseen) = (0, 0)
    while done < count {
      // Every fourth container has several damages.
      let damage = (0..<(done % 4 == 3 ? Int.random(in: 2...4, using: &generator) : 1))
        .map { _ in randomDamage(of: columns, &generator) }.joined(separator: "; ")
      let copy = try copy(damage)
      guard try bytes(of: copy) != bytes(of: path) else { continue }
      done += 1
      guard try !faults(copy).isEmpty else {
        // A change of what no reader reads.
        unseen += 1
        #expect(try differences(copy) == [], "\(damage)")
        continue
      }
      #expect(throws: Never.self, "\(damage)") {
        try checkReading(copy, damage)
        let new = try recover(copy)
        #expect(try faults(new) == [], "\(damage)")
        #expect(try differences(new) == [], "\(damage)")
        let intact = try intactNames(copy)
        try importBackup(into: copy)
        #expect(try faults(copy) == [], "\(damage)")
        #expect(try intact.isSubset(of: intactNames(copy)), "\(damage)")
      }
    }
    print("\(done) damages, \(unseen) of them without a finding")
  }
}
