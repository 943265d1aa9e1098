import CloudInterface
import Foundation
import MockCloud
import RecordModel
import RecordStore
import StoreTestSupport
import Testing

@testable import RecordArchive

/// The options of a download, and files that it cannot go on with.
struct DownloadOptionTests {
  static let notes = ZoneID(zoneName: "Notes")
  static let other = ZoneID(zoneName: "Other")

  let folder: TestFolder
  let mock: MockContainer

  init() async throws {
    folder = try TestFolder()
    mock = try MockContainer.inMemory(
      info: ContainerInfo(identifier: "iCloud.notes", currentUserRecordName: "_mira"),
      now: { testDate })
    for zoneID in [Self.notes, Self.other] {
      try await mock.privateCloudDatabase.save(RecordZone(zoneID: zoneID))
      try await mock.privateCloudDatabase.save(
        DraftRecord(
          recordType: "Note", recordID: RecordID(recordName: "a", zoneID: zoneID)))
    }
    for type in ["Todo", "Secret"] {
      try await mock.privateCloudDatabase.save(
        DraftRecord(recordType: type, recordID: RecordID(recordName: type)))
    }
    try await mock.publicCloudDatabase.save(
      DraftRecord(recordType: "Feedback", recordID: RecordID(recordName: "f")))
  }

  private func types(_ store: ContainerStore, _ scope: DatabaseScope = .private) throws -> [String]
  {
    try store.database(scope).recordTypes().map { "\($0.zoneID) \($0.recordType)" }
  }

  @Test("a default zone is not read without record types, and the report says so")
  func noTypes() async throws {
    let file = try ContainerStore.inMemory()
    let report = try await ContainerDownload().run(from: mock, into: file)
    #expect(report.isComplete)
    #expect(
      report.unqueriedZones.map(\.description)
        == ["the zone '_defaultZone' of the private database"])
    #expect(try types(file) == ["Notes Note", "Other Note"])
    #expect(try types(file, .public) == [])
  }

  @Test("the public database needs record types")
  func publicWithoutTypes() async throws {
    var download = ContainerDownload()
    download.databases = [.public]
    await #expect {
      try await download.run(from: mock, into: ContainerStore.inMemory())
    } throws: { if case ArchiveError.noRecordTypes = $0 { true } else { false } }
  }

  @Test("record types come from the schema, which gets into the bundle")
  func schema() async throws {
    var download = ContainerDownload()
    download.databases = [.public, .private]
    download.info.schema = """
      DEFINE SCHEMA
        RECORD TYPE Todo ( "___recordID" REFERENCE QUERYABLE );
        RECORD TYPE Feedback ( "___recordID" REFERENCE QUERYABLE );
        RECORD TYPE Users ( "___recordID" REFERENCE );

      """
    let path = folder.path("a.recordpack")
    let result = try await Archiver().export(downloading: mock, by: download, to: path)
    #expect(result.download.isComplete)
    #expect(try lines(of: path).first?.contains("RECORD TYPE Todo") == true)
    #expect(try lines(of: path).contains { $0.contains("\"recordType\":\"Feedback\"") })
    #expect(try !lines(of: path).contains { $0.contains("\"recordType\":\"Secret\"") })
  }

  @Test("a type that cannot be queried is reported, and the others are read")
  func notQueryable() async throws {
    try mock.store.setInfo(
      ContainerInfo(
        identifier: "iCloud.notes", environment: .production,
        schema: """
          DEFINE SCHEMA
            RECORD TYPE Todo ( "___recordID" REFERENCE QUERYABLE );
            RECORD TYPE Secret ( "___createTime" TIMESTAMP );

          """, currentUserRecordName: "_mira"))
    var rules = ServerRules.native
    rules.queries.enforcesIndexes = true
    let strict = try MockContainer(mock.store, rules: rules, now: { testDate })
    var download = everything()
    download.databases = [.private]
    download.recordTypes = ["Todo", "Secret", "Unknown", "Users", "Todo"]
    let file = try ContainerStore.inMemory()
    let report = try await download.run(from: strict, into: file)
    #expect(
      report.problems.map(\.subject) == [
        .recordType("Secret", .default), .recordType("Unknown", .default),
      ])
    #expect(report.problems.map(\.error.code) == [.invalidArguments, .unknownItem])
    #expect(try types(file) == ["Notes Note", "Other Note", "_defaultZone Todo"])
  }

  @Test("the filter of the archiver chooses databases and zones")
  func filter() async throws {
    var archiver = Archiver()
    archiver.filter = RecordFilter(databases: [.private], zoneIDs: [Self.notes])
    let path = folder.path("a.recordpack")
    let counting = CountingContainer(mock)
    try await archiver.export(downloading: counting, by: everything(), to: path)
    #expect(counting.records == 1)
    #expect(try lines(of: path, without: ["header"]).count == 2)
  }

  @Test("a zone that is added to the options later is downloaded")
  func moreZones() async throws {
    let file = try ContainerStore.inMemory()
    var download = everything()
    download.zoneIDs = [Self.notes]
    _ = try await download.run(from: mock, into: file)
    #expect(try types(file) == ["Notes Note"])
    download.zoneIDs = nil
    _ = try await download.run(from: mock, into: file)
    #expect(try types(file) == ["Notes Note", "Other Note", "_defaultZone Todo"])
  }

  // MARK: Files

  @Test("a container with other contents is refused")
  func notADownload() async throws {
    let file = try ContainerStore.inMemory()
    try file.database(.private).save([DraftRecord(recordType: "Note")])
    await #expect {
      try await everything().run(from: mock, into: file)
    } throws: { if case ArchiveError.notADownload = $0 { true } else { false } }
  }

  @Test("a file of another account, container or choice of values is refused")
  func otherFile() async throws {
    let file = try ContainerStore.inMemory()
    _ = try await everything().run(from: mock, into: file)
    let kenji = try mock.account("_kenji")
    await #expect {
      try await everything().run(from: kenji, into: file)
    } throws: { if case ArchiveError.otherAccount = $0 { true } else { false } }
    let other = try MockContainer.inMemory(
      info: ContainerInfo(identifier: "iCloud.other", currentUserRecordName: "_mira"))
    await #expect {
      try await everything().run(from: other, into: file)
    } throws: { if case ArchiveError.otherAccount = $0 { true } else { false } }
    await #expect {
      try await everything(encrypted: false).run(from: mock, into: file)
    } throws: { if case ArchiveError.otherOptions = $0 { true } else { false } }
    var download = everything()
    download.includesAssets = false
    await #expect {
      try await download.run(from: mock, into: file)
    } throws: { if case ArchiveError.otherOptions = $0 { true } else { false } }
  }

  @Test("of two downloads into a file, the first ends")
  func two() async throws {
    let file = try ContainerStore.inMemory()
    let container = FaultInjectingContainer(mock)
    container.faults.run(.recordZoneChanges) { [mock] _ in
      _ = try await everything().run(from: mock, into: file)
    }
    await #expect {
      try await everything().run(from: container, into: file)
    } throws: { if case ArchiveError.changedElsewhere = $0 { true } else { false } }
    try expectSame(file, await mock.expected(for: mock), folder)
  }

  @Test("without an account, nothing is downloaded but the public database")
  func noAccount() async throws {
    mock.setAccountStatus(.noAccount)
    let error = await #expect(throws: ArchiveError.self) {
      try await everything().run(from: mock, into: ContainerStore.inMemory())
    }
    guard case .downloadInterrupted(let cause, _) = error else {
      Issue.record("not interrupted")
      return
    }
    #expect(cause.code == .notAuthenticated)
    let file = try ContainerStore.inMemory()
    var download = everything()
    download.databases = [.public]
    #expect(try await download.run(from: mock, into: file).isComplete)
    #expect(try types(file, .public) == ["_defaultZone Feedback"])
  }

  // MARK: Ending early

  @Test("cancelling the task ends the download, which then goes on")
  func cancelling() async throws {
    let file = try ContainerStore.inMemory()
    let container = FaultInjectingContainer(mock)
    let gate = container.faults.hold(.recordZoneChanges, times: .nth(2))
    let task = Task { try await everything().run(from: container, into: file) }
    try await gate.waitForCall()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    container.faults.removeAll()
    let report = try await everything().run(from: container, into: file)
    #expect(report.isComplete)
    try expectSame(file, await mock.expected(for: mock), folder)
  }

  @Test("an error of the progress ends the download after a page")
  func progress() async throws {
    struct Enough: Error {}
    let file = try ContainerStore.inMemory()
    var download = everything()
    download.progress = { progress in
      #expect(progress.bytes > 0 && progress.totalRecords == nil)
      if progress.records == 2 { throw Enough() }
    }
    await #expect(throws: Enough.self) { try await download.run(from: mock, into: file) }
    #expect(try types(file).count == 2)
    download.progress = nil
    #expect(try await download.run(from: mock, into: file).isComplete)
    try expectSame(file, await mock.expected(for: mock), folder)
  }
}
