import RecordModel
import RecordStore
import Testing

@testable import RecordArchive

/// The signed-in user and the schema version of a container, and those of what is imported.
@Suite struct ImportInfoTests {
  private static let notes = ZoneID(zoneName: "Notes")

  private func container(
    user: String? = nil, version: String? = nil, _ name: String? = nil,
    in scope: DatabaseScope = .private
  ) throws -> ContainerStore {
    let container = try ContainerStore.inMemory(
      info: ContainerInfo(schemaVersion: version, currentUserRecordName: user))
    guard let name else { return container }
    let zoneID = scope == .public ? ZoneID.default : Self.notes
    if scope != .public { try container.database(scope).save([RecordZone(zoneID: zoneID)]) }
    _ = try container.database(scope).save([
      DraftRecord(recordType: "Note", recordID: RecordID(recordName: name, zoneID: zoneID))
    ])
    return container
  }

  private func load(
    _ source: ContainerStore, into target: ContainerStore, databases: Set<DatabaseScope>? = nil
  ) throws {
    var archiver = Archiver()
    archiver.filter = RecordFilter(databases: databases)
    _ = try archiver.run(from: [.container(source)], into: .container(target))
  }

  @Test func `private records of two users are an error`() throws {
    let target = try container(user: "_mira", "a")
    let error = #expect(throws: ArchiveError.self) {
      try load(container(user: "_kenji", "b"), into: target)
    }
    #expect("\(try #require(error))".contains("'_kenji'"))
    var names: [String] = []
    try ArchiveSource.container(target).forEachRecordID { id, _, _ in names.append(id.recordName) }
    #expect(names == ["a"])
  }

  @Test func `public records of another user, and those of nobody, are imported`() throws {
    let target = try container(user: "_mira", "a")
    try load(container(user: "_kenji", "b", in: .public), into: target)
    try load(container(user: "_kenji", "c"), into: target, databases: [.public])
    try load(container("d"), into: target)
    try load(container(user: "_mira", "e"), into: target)
    let records = try ArchiveSource.container(target).recordTypes(.all, withDeleted: false)
    #expect(Array(records.names) == ["Note"])
    var names: [String] = []
    try ArchiveSource.container(target).forEachRecordID { id, _, _ in names.append(id.recordName) }
    #expect(names.sorted() == ["a", "b", "d", "e"])
  }

  @Test(
    arguments: [
      // The version of a container, whether it has records, and the version of the source.
      (nil, false, "2", "2"), (nil, true, "2", nil), ("1", true, "1", "1"), ("1", true, nil, "1"),
      ("1", false, "2", "1"), (nil, true, nil, nil),
    ] as [(String?, Bool, String?, String?)])
  func `a container gets a version only with its first records`(
    own: String?, hasRecords: Bool, version: String?, expected: String?
  ) throws {
    let target = try container(version: own, hasRecords ? "a" : nil)
    try load(container(version: version, "b"), into: target)
    #expect(try target.info().schemaVersion == expected)
  }

  @Test func `records of two versions are an error`() throws {
    let target = try container(version: "1", "a")
    let error = #expect(throws: ArchiveError.self) {
      try load(container(version: "2", "b"), into: target)
    }
    #expect("\(try #require(error))".contains("migrate the source with --plan"))
  }
}
