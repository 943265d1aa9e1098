import Foundation
import RecordPackTesting
import TestSupport
import Testing

@Suite("A container that is made from a file")
struct FixtureTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func names(_ container: MockContainer) async throws -> [String] {
    try await container.privateCloudDatabase.records(ofType: "Note").map(\.recordID.recordName)
      .sorted()
  }

  private func note(_ name: String) -> DraftRecord {
    DraftRecord(recordType: "Note", recordID: RecordID(recordName: name))
  }

  /// Writes a bundle with notes of the default zone.
  private func write(_ names: [String], to file: String) async throws -> URL {
    let container = try MockContainer.inMemory()
    try await container.privateCloudDatabase.modifyRecords(
      saving: names.map(note), deleting: [])
    let url = URL(fileURLWithPath: folder.path(file))
    try Archiver().export(container, to: url.path)
    return url
  }

  @Test("does not change with another from the same file, and changes with the file")
  func bundle() async throws {
    let url = try await write(["a"], to: "a.recordpack")
    let first = try MockContainer.fixture(at: url)
    try await first.privateCloudDatabase.save(note("b"))
    #expect(try await names(first) == ["a", "b"])
    #expect(try await names(.fixture(at: url)) == ["a"])
    #expect(try await write(["c", "d"], to: "a.recordpack") == url)
    #expect(try await names(.fixture(at: url)) == ["c", "d"])
    #expect(try await names(first) == ["a", "b"])
  }

  @Test("has the new contents of a file of the same size and date")
  func sameSizeAndDate() async throws {
    // Compressed, the bundles of records with such names have few sizes.
    var sizes: [Int: (name: String, url: URL)] = [:]
    var pair: (first: (name: String, url: URL), name: String, data: Data)?
    for name in (100...300).map({ "n\($0)" }) where pair == nil {
      let url = try await write([name], to: "\(name).recordpack")
      let data = try Data(contentsOf: url)
      pair = sizes[data.count].map { ($0, name, data) }
      sizes[data.count] = (name, url)
    }
    let (first, name, data) = try #require(pair)
    let url = first.url
    #expect(try await names(.fixture(at: url)) == [first.name])
    let path = url.path
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let file = try FileHandle(forWritingTo: url)
    try file.write(contentsOf: data)
    try file.close()
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(attributes[.modificationDate])], ofItemAtPath: path)
    #expect(try await names(.fixture(at: url)) == [name])
  }

  @Test("is not made from a pipe, whose writer may never come")
  func pipe() throws {
    let path = folder.path("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    #expect(throws: BundleError.self) {
      try MockContainer.fixture(at: URL(fileURLWithPath: path))
    }
  }

  @Test("is made from a container file, too, with what another connection has just saved")
  func containerFile() async throws {
    let url = URL(fileURLWithPath: folder.path("a.sqlite"))
    let file = try MockContainer.open(path: url.path, mode: .create)
    for name in ["a", "b"] {
      try await file.privateCloudDatabase.save(note(name))
      let fixture = try MockContainer.fixture(at: url)
      let found = try await names(fixture)
      #expect(try await names(file) == found)
      try await fixture.privateCloudDatabase.save(note("x"))
    }
    #expect(try await names(file) == ["a", "b"])
    let fork = try file.fork()
    try await fork.privateCloudDatabase.deleteRecord(withID: note("a").recordID)
    #expect(try await names(fork) == ["b"])
    #expect(try await names(file) == ["a", "b"])
    #expect(try fork.store.verify { Issue.record("\($0)") }.isIntact)
  }

  @Test("goes on with change tokens, tags and assets")
  func fork() async throws {
    let container = try MockContainer.inMemory()
    let database = container.privateCloudDatabase
    let zone = RecordZone(zoneName: "Notes")
    try await database.save(zone)
    var draft = DraftRecord(
      recordType: "Note", recordID: RecordID(recordName: "a", zoneID: zone.zoneID))
    draft["file"] = Asset(data: Data([1, 2, 3]))
    let saved = try await database.save(draft)
    let token = try await database.recordZoneChanges(inZoneWith: zone.zoneID, since: nil)
      .changeToken
    let fork = try container.fork().privateCloudDatabase
    #expect(try await fork.record(for: saved.recordID) == saved)
    var change = DraftRecord(saved)
    change["text"] = "new"
    try await fork.save(change)
    let changes = try await fork.recordZoneChanges(inZoneWith: zone.zoneID, since: token)
    #expect(changes.modificationResultsByID.count == 1)
    let asset: Asset = try #require(saved["file"])
    #expect(try await fork.data(for: asset) == Data([1, 2, 3]))
    let unchanged = try await database.recordZoneChanges(inZoneWith: zone.zoneID, since: token)
    #expect(unchanged.modificationResultsByID.isEmpty)
  }

  @Test("is what the environment asks for")
  func environment() async throws {
    let url = try await write(["a"], to: "a.recordpack")
    let variable = MockContainer.fixtureVariable
    #expect(try MockContainer.fixture(environment: ["PATH": "/bin", variable: ""]) == nil)
    let container = try #require(try MockContainer.fixture(environment: [variable: url.path]))
    #expect(try await names(container) == ["a"])
    let same = try #require(
      try MockContainer.fixture(environment: [variable: url.absoluteString]))
    #expect(try await names(same) == ["a"])
    let error = #expect(throws: ArchiveError.self) {
      try MockContainer.fixture(environment: [variable: folder.path("nothing")])
    }
    #expect("\(error as Any)".contains("variable RECORDPACK_FIXTURE: "))
    #expect("\(error as Any)".contains(folder.path("nothing")))
  }

  @Test("is made by many tests at once")
  func atOnce() async throws {
    let urls = [
      try await write(["a"], to: "a.recordpack"), try await write(["b"], to: "b.recordpack"),
    ]
    try await withThrowingTaskGroup { group in
      for number in 0..<60 {
        group.addTask {
          let container = try MockContainer.fixture(at: urls[number % 2])
          try await container.privateCloudDatabase.save(note("n\(number)"))
          return try await names(container) == [["a", "b"][number % 2], "n\(number)"]
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test("has the limits of its rules, the first time and again")
  func limits() async throws {
    let url = try await write(["a"], to: "a.recordpack")
    var rules = ServerRules.native
    rules.recordLimits.recordSize = 100
    var large = note("large")
    large["text"] = String(repeating: "x", count: 200)
    for _ in 0..<2 {
      let strict = try MockContainer.fixture(at: url, rules: rules)
      #expect(throws: CloudError.self) {
        try strict.store.transaction { try $0.save([large], in: .private) }
      }
      let usual = try MockContainer.fixture(at: url)
      try usual.store.transaction { try $0.save([large], in: .private) }
    }
  }

  @Test("is refused for a URL that is not of a file")
  func remote() throws {
    let url = try #require(URL(string: "https://example.com/a.recordpack"))
    #expect(throws: CocoaError.self) { try MockContainer.fixture(at: url) }
  }
}
