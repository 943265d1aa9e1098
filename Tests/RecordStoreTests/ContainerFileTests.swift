import Foundation
import RecordModel
import Testing

@testable import RecordStore

@Suite("A container file")
struct ContainerFileTests {
  let directory: TestFolder

  init() throws { directory = try TestFolder() }

  @Test(
    "of another layout is told as such",
    arguments: [
      "ALTER TABLE database RENAME COLUMN contentID TO lineage", "DROP TABLE lostZone",
    ])
  func otherLayout(sql: String) throws {
    let directory = try TestFolder()
    let path = directory.path("a")
    try ContainerStore.create(path).close()
    let connection = try SQLiteConnection(path)
    try connection.execute(sql)
    try connection.close()
    for mode in [ContainerStore.OpenMode.open, .readOnly] {
      let error = #expect(throws: ContainerStoreError.self) {
        try ContainerStore.open(path: path, mode: mode)
      }
      #expect(error?.code == .otherVersion)
      #expect(error?.description.contains("an earlier version of RecordPack") == true)
    }
  }

  @Test("keeps what was saved when it is opened again")
  func reopen() throws {
    let path = directory.path("a.container")
    let info = ContainerInfo(
      identifier: "iCloud.com.example.notes", environment: .production,
      schema: "DEFINE SCHEMA\n", schemaVersion: "7", currentUserRecordName: "_ada")
    let made = try ContainerStore.open(path: path, mode: .create, info: info, now: { testDate })
    try made.database(.private).save([RecordZone(zoneID: notes)])
    try made.database(.private).save([note("one"), note("two")])
    let before = try contents(of: made)
    try made.close()
    #expect(directory.names == ["a.container"], "a closed container is one plain file")

    let again = try ContainerStore.open(path: path)
    #expect(try again.info() == info)
    #expect(try contents(of: again) == before)
    #expect(try again.database(.private).record(for: note("one").recordID)["text"] == "text")
  }

  @Test("has the default zone in the public and the private database")
  func defaultZones() throws {
    let container = try ContainerStore.create(directory.path("a"))
    #expect(try container.database(.public).zones().map(\.zoneID) == [.default])
    #expect(try container.database(.private).zones().map(\.zoneID) == [.default])
    #expect(try container.database(.shared).zones().isEmpty)
  }

  @Test("is readable and writable for its owner only, its journals too")
  func permissions() throws {
    let path = directory.path("a")
    let container = try ContainerStore.create(path)
    try container.database(.private).save([note("one", in: .default)])
    for name in ["a", "a-wal", "a-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: directory.path(name))
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
    }
  }

  @Test("is not made over something that is there")
  func createOverExisting() throws {
    let path = directory.path("a")
    try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: ContainerStoreError.alreadyExists(path: path)) {
      try ContainerStore.open(path: path, mode: .create)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    #expect(directory.names == ["a"])
  }

  @Test("is made or opened as needed")
  func openOrCreate() throws {
    let path = directory.path("a")
    let made = try ContainerStore.open(path: path, mode: .openOrCreate)
    try made.database(.private).save([note("one", in: .default)])
    try made.close()
    let opened = try ContainerStore.open(path: path, mode: .openOrCreate)
    #expect(try recordNames(opened.database(.private)) == ["one"])
  }

  @Test("that is missing is told", arguments: [ContainerStore.OpenMode.open, .readOnly])
  func missing(mode: ContainerStore.OpenMode) throws {
    let path = directory.path("nowhere")
    #expect(throws: ContainerStoreError.notFound(path: path)) {
      try ContainerStore.open(path: path, mode: mode)
    }
    #expect(directory.names.isEmpty)
  }

  @Test("is told from a directory, an empty file, a picture and a device")
  func notContainers() throws {
    #expect(throws: ContainerStoreError.isDirectory(path: directory.path)) {
      try ContainerStore.open(path: directory.path)
    }
    let empty = directory.path("empty")
    try Data().write(to: URL(fileURLWithPath: empty))
    #expect(throws: ContainerStoreError.emptyFile(path: empty)) {
      try ContainerStore.open(path: empty)
    }
    let picture = directory.path("picture")
    try Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46]).write(
      to: URL(fileURLWithPath: picture))
    let found = "a file that begins with the bytes ff d8 ff e0 00 10 4a 46"
    #expect(throws: ContainerStoreError.notDatabase(path: picture, found: found)) {
      try ContainerStore.open(path: picture)
    }
    #expect(throws: ContainerStoreError.notRegularFile(path: "/dev/null")) {
      try ContainerStore.open(path: "/dev/null")
    }
  }

  @Test("is told from an SQLite database of another program, which stays untouched")
  func foreignDatabase() async throws {
    let path = directory.path("foreign")
    guard try await sqlite3(path, "CREATE TABLE t (a); PRAGMA application_id = 77;") != nil else {
      print("skipped: there is no sqlite3 command here")
      return
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: ContainerStoreError.foreignDatabase(path: path, applicationID: 77)) {
      try ContainerStore.open(path: path)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(directory.names == ["foreign"])
  }

  @Test("of a newer version is refused, and says which versions are read")
  func newerVersion() throws {
    let path = try closedContainer(version: 9)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    for mode in [ContainerStore.OpenMode.open, .openOrCreate, .readOnly] {
      #expect(throws: ContainerStoreError.newerVersion(path: path, found: 9, supported: 1)) {
        try ContainerStore.open(path: path, mode: mode)
      }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(directory.names == ["a"])
  }

  @Test("that was cut short is refused wherever the cut is")
  func truncated() throws {
    let path = try closedContainer()
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for length in [1, 15, 16, 50, 99, 100, 101, 16_383, 16_384, 40_000, whole.count - 1] {
      try whole.prefix(length).write(to: URL(fileURLWithPath: path))
      #expect(throws: ContainerStoreError.self, "\(length) bytes") {
        try ContainerStore.open(path: path).close()
      }
    }
  }

  @Test("with a changed byte never crashes, and what is read of it is what was written, or refused")
  func changedBytes() throws {
    let path = try fullContainer()
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    let original = try everything(in: path)
    // Most bytes of a page are unused zeros.
    let used = whole.indices.filter { whole[$0] != 0 }
    var generator = SeededGenerator(1)
    var intact = 0
    for round in 0..<400 {
      var damaged = whole
      let any = Int.random(in: 0..<whole.count, using: &generator)
      let position = round % 4 == 0 ? any : used.randomElement(using: &generator) ?? any
      damaged[position] ^= UInt8.random(in: 1...255, using: &generator)
      try damaged.write(to: URL(fileURLWithPath: path))
      do {
        let container = try ContainerStore.open(path: path, mode: .readOnly)
        let isIntact = (try? container.verify { _ in })?.isIntact ?? false
        try container.close()
        guard isIntact else { continue }
        intact += 1
        let isSame = try everything(in: path) == original
        #expect(isSame, "byte \(position)")
      } catch is ContainerStoreError {}
    }
    // The padding of pages, and counters in the file's header.
    #expect(intact < 200)
  }

  /// Creates a closed container with items of every kind.
  private func fullContainer() throws -> String {
    let path = directory.path("a")
    let info = ContainerInfo(identifier: "iCloud.a", environment: .development, schema: "x")
    let container = try ContainerStore.open(path: path, mode: .create, info: info)
    let database = container.database(.private)
    try database.save([RecordZone(zoneID: notes), RecordZone(zoneID: ZoneID(zoneName: "Old"))])
    try database.deleteZone(ZoneID(zoneName: "Old"))
    var drafts = (0..<8).map { note("note-\($0)", type: $0 % 2 == 0 ? "Note" : "Chat") }
    drafts[3]["file"] = Asset(data: Data("bytes of an asset".utf8))
    try database.save(drafts)
    try database.deleteRecords([note("note-5").recordID])
    try database.save([CloudSubscription(subscriptionID: "all", kind: .database(recordType: nil))])
    try container.close()
    return path
  }

  private func everything(in path: String) throws -> [String] {
    let container = try ContainerStore.open(path: path, mode: .readOnly)
    defer { _ = try? container.close() }
    return try container.snapshot { snapshot in
      var found = ["\(try snapshot.info())"]
      for scope in DatabaseScope.allCases {
        found += try snapshot.zones(in: scope).map {
          "\(scope) \(String(decoding: try StoreCoding.json(of: $0), as: UTF8.self))"
        }
        found += try snapshot.subscriptions(in: scope).map {
          "\(scope) \(String(decoding: try StoreCoding.json(of: $0), as: UTF8.self))"
        }
        found += try snapshot.zoneTombstones(in: scope).map { "\(scope) deleted \($0.zoneID)" }
        try snapshot.forEachTombstone(in: scope) { found.append("\(scope) \($0)") }
        try snapshot.forEachRecordBytes(in: scope) { bytes, key in
          found.append("\(scope) \(key.recordID) \(String(decoding: bytes, as: UTF8.self))")
        }
      }
      try snapshot.forEachAsset {
        found.append("\($0) \(try snapshot.assetData(sha256: $0.sha256))")
      }
      return found
    }
  }

  @Test("opened for reading refuses every change, and leaves nothing beside it")
  func readOnly() throws {
    let path = try closedContainer()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let container = try ContainerStore.open(path: path, mode: .readOnly)
    let database = container.database(.private)
    #expect(try recordNames(database) == ["one"])
    #expect(throws: ContainerStoreError.readOnly) { try database.save([note("two", in: .default)]) }
    #expect(throws: ContainerStoreError.readOnly) { try database.deleteRecords([]) }
    #expect(throws: ContainerStoreError.readOnly) { try container.importTransaction { _ in } }
    try container.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(directory.names == ["a"])
  }

  @Test("that was closed says so")
  func closed() throws {
    let container = try ContainerStore.open(path: try closedContainer())
    try container.close()
    #expect(throws: ContainerStoreError.closed) { try container.info() }
    #expect(throws: ContainerStoreError.closed) {
      try container.database(.private).save([note("two", in: .default)])
    }
  }

  @Test("can be opened by the sqlite3 command, which finds it sound")
  func integrity() async throws {
    let path = directory.path("a")
    let container = try ContainerStore.create(path)
    let database = container.database(.private)
    for index in 0..<300 { try database.save([note("n\(index % 97)", in: .default)]) }
    try database.deleteRecords((0..<50).map { note("n\($0)", in: .default).recordID })
    #expect(try await sqlite3(path, "PRAGMA integrity_check") ?? "ok" == "ok")
    #expect(try await sqlite3(path, "SELECT count(*) FROM record") ?? "47" == "47")
  }

  @Test(
    "keeps its meaning whatever its name looks like", arguments: ["file:x?mode=ro", ":memory:"])
  func oddNames(name: String) throws {
    let path = directory.path(name)
    try ContainerStore.create(path).close()
    #expect(directory.names == [name])
  }

  @Test("without a layout version is damaged")
  func noVersion() throws {
    let path = try closedContainer(version: 0)
    let error = #expect(throws: ContainerStoreError.self) { try ContainerStore.open(path: path) }
    #expect(error?.description.contains("has no layout version") == true)
  }

  // MARK: Help

  private func closedContainer() throws -> String {
    let path = directory.path("a")
    let container = try ContainerStore.create(path)
    try container.database(.private).save([note("one", in: .default)])
    try container.close()
    return path
  }

  private func closedContainer(version: Int) throws -> String {
    let path = try closedContainer()
    let container = try ContainerStore.open(path: path)
    try container.transaction { try $0.db.execute("PRAGMA user_version = \(version)") }
    try container.close()
    return path
  }
}
