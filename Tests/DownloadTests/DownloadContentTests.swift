import CloudInterface
import Foundation
import MockCloud
import RecordModel
import RecordStore
import StoreTestSupport
import Synchronization
import Testing

@testable import RecordArchive

/// What gets into the file, and what does not.
struct DownloadContentTests {
  static let notes = ZoneID(zoneName: "Notes")

  let folder: TestFolder
  let mock: MockContainer
  let path: String

  init() async throws {
    folder = try TestFolder()
    path = folder.path("file.sqlite")
    mock = try MockContainer.inMemory(
      info: ContainerInfo(identifier: "iCloud.notes", currentUserRecordName: "_mira"),
      now: { testDate })
    try await mock.privateCloudDatabase.save(RecordZone(zoneID: Self.notes))
  }

  private func save(_ name: String, _ change: (inout DraftRecord) -> Void) async throws {
    let recordID = RecordID(recordName: name, zoneID: Self.notes)
    let stored = try? await mock.privateCloudDatabase.record(for: recordID)
    var draft =
      stored.map { DraftRecord($0) }
      ?? DraftRecord(recordType: "Note", recordID: recordID)
    draft["title"] = "the title of \(name)"
    change(&draft)
    try await mock.privateCloudDatabase.save(draft)
  }

  @Test("the bundle of one account's container has the lines of the container itself")
  func direct() async throws {
    try await save("a") {
      $0.encryptedValues["secret"] = "hidden"
      $0["photo"] = Asset(data: Data("a photo".utf8))
    }
    try await save("b") { $0["number"] = 3.5 }
    try await save("gone") { _ in }
    let database = mock.device("phone").privateCloudDatabase
    try await database.save(
      DraftRecord(recordType: "Todo", recordID: RecordID(recordName: "of the phone")))
    try await mock.publicCloudDatabase.save(
      DraftRecord(recordType: "Feedback", recordID: RecordID(recordName: "public")))
    try await database.deleteRecord(withID: RecordID(recordName: "gone", zoneID: Self.notes))
    try await database.save(
      CloudSubscription(subscriptionID: "all", kind: .database(recordType: nil)))
    let (a, b) = (folder.path("a.recordpack"), folder.path("b.recordpack"))
    try await Archiver().export(downloading: mock, by: everything(), to: a)
    try await Archiver().perform { [mock] in _ = try $0.export(mock, to: b) }
    // No client sees tombstones.
    let found = try lines(of: a, without: ["header"])
    let expected = try lines(of: b, without: ["header", "tombstone", "zoneTombstone"])
    #expect(found == expected)
    #expect(found.count == 9)
    #expect(try lines(of: b).contains { $0.contains("\"kind\":\"tombstone\"") })
    let header = try #require(try lines(of: a).first)
    #expect(header.contains("iCloud.notes") && header.contains("_mira"))
  }

  @Test("encrypted values are left out by default, and are nowhere in the files")
  func secrets() async throws {
    var live = try await LiveContainer(seed: 3)
    let file = try ContainerStore.open(path: path, mode: .create)
    var omitted = 0
    for _ in 0..<4 {
      try await live.change(40)
      let report = try await everything(encrypted: false).run(from: live.mira, into: file)
      omitted += report.counts.omittedEncryptedValues
      try expectSame(file, await live.mock.expected(for: live.mira, encrypted: false), folder)
    }
    #expect(omitted > 20)
    let bundle = folder.path("a.recordpack")
    try Archiver().export(file, to: bundle)
    #expect(try lines(of: bundle).allSatisfy { !$0.contains(LiveContainer.secret) })
    for name in folder.names where !name.hasSuffix(".recordpack") {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
      #expect(bytes.range(of: Data(LiveContainer.secret.utf8)) == nil, "\(name)")
      #expect(bytes.range(of: Data("Title".utf8)) != nil || name.hasSuffix("-shm"), "\(name)")
      let mode = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      #expect(mode[.posixPermissions] as? Int == 0o600, "\(name)")
    }
    #expect(folder.names.contains("file.sqlite-wal"))
  }

  @Test("encrypted values are downloaded when they are asked for")
  func askedFor() async throws {
    try await save("a") { $0.encryptedValues["secret"] = "hidden" }
    let file = try ContainerStore.inMemory()
    let report = try await everything().run(from: mock, into: file)
    #expect(report.counts.omittedEncryptedValues == 0)
    let record = try file.database(.private).record(
      for: RecordID(recordName: "a", zoneID: Self.notes))
    #expect(record.encryptedValues["secret"] == "hidden")
  }

  @Test("a second download without changes fetches no record, and changes no bundle")
  func unchanged() async throws {
    try await save("a") { $0["photo"] = Asset(data: Data("a photo".utf8)) }
    let file = try ContainerStore.open(path: path, mode: .create)
    _ = try await everything().run(from: mock, into: file)
    let before = try bundle(of: file, in: folder)
    let counting = CountingContainer(mock)
    _ = try await everything().run(from: counting, into: file)
    #expect(counting.records == 2, "the user's record, in two databases")
    #expect(try bundle(of: file, in: folder) == before)
  }

  // MARK: Assets

  @Test("an asset without content is reported, and the next download tries again")
  func missingAsset() async throws {
    try await save("a") { $0["photo"] = Asset(data: Data("a photo".utf8)) }
    let file = try ContainerStore.inMemory()
    let report = try await everything().run(from: NoAssets(base: mock), into: file)
    let recordID = RecordID(recordName: "a", zoneID: Self.notes)
    #expect(report.problems.map(\.subject) == [.asset(recordID, field: "photo")])
    #expect(report.problems.map(\.error.code) == [.assetNotAvailable])
    #expect(try file.database(.private).record(for: recordID)["title"] == "the title of a")
    let second = try await everything().run(from: mock, into: file)
    #expect(second.isComplete)
    try expectSame(file, await mock.expected(for: mock), folder)
  }

  @Test("The state of a zone does not grow with the number of its unread records")
  func manyMissingAssets() async throws {
    for number in 0..<40 {
      try await save("record-\(number)") { $0["photo"] = Asset(data: Data("\(number)".utf8)) }
    }
    let file = try ContainerStore.inMemory()
    _ = try await everything().run(from: NoAssets(base: mock), into: file)
    try file.mirrorTransaction { writer in
      let unread = "download.unread "
      let others = try writer.notes("download").filter { !$0.name.hasPrefix(unread) }
      #expect(!others.isEmpty && others.allSatisfy { !$0.text.contains("record-") })
      #expect(try writer.notes(unread).count == 40)
    }
    #expect(try await everything().run(from: mock, into: file).isComplete)
    let rest = try file.mirrorTransaction { try $0.notes("download.unread ") }
    #expect(rest.isEmpty)
  }

  @Test("a file whose size or digest is not the server's is no content")
  func wrongAsset() async throws {
    try await save("a") { $0["photo"] = Asset(data: Data("a photo".utf8)) }
    for content in ["a phot", "a phota"] {
      let wrong = folder.path("wrong")
      try Data(content.utf8).write(to: URL(fileURLWithPath: wrong))
      let file = try ContainerStore.inMemory()
      let container = NoAssets(base: mock, file: URL(fileURLWithPath: wrong))
      let report = try await everything().run(from: container, into: file)
      #expect(report.problems.map(\.error.code) == [.assetFileModified])
      try file.snapshot { try $0.forEachAsset { #expect($0.size == nil) } }
    }
  }

  @Test("an asset of which the server tells only the size is compared with it")
  func wrongSize() async throws {
    try await save("a") { $0["photo"] = Asset(data: Data("a photo".utf8)) }
    for (content, isWhole) in [("a phot", false), ("a photo", true)] {
      let url = URL(fileURLWithPath: folder.path("wrong"))
      try Data(content.utf8).write(to: url)
      let file = try ContainerStore.inMemory()
      let container = NoAssets(base: mock, file: url, hidesDigests: true)
      let report = try await everything().run(from: container, into: file)
      #expect(report.isComplete == isWhole)
      #expect(report.counts.assets == (isWhole ? 1 : 0))
      let record = try file.database(.private).record(
        for: RecordID(recordName: "a", zoneID: Self.notes))
      let photo: Asset? = record["photo"]
      #expect((photo?.sha256 != nil) == isWhole)
    }
  }

  @Test("a file that is gone is reported, and leaves nothing behind")
  func goneFile() async throws {
    try await save("a") { $0["photo"] = Asset(data: Data("a photo".utf8)) }
    let file = try ContainerStore.inMemory()
    let container = NoAssets(base: mock, file: URL(fileURLWithPath: folder.path("none")))
    let report = try await everything().run(from: container, into: file)
    #expect(report.problems.map(\.error.code) == [.assetFileNotFound])
    var faults: [String] = []
    _ = try file.verify { faults.append("\($0)") }
    #expect(faults.count == 1 && faults[0].hasSuffix("but its bytes are missing"))
  }

  @Test("contents of assets can be left out")
  func withoutAssets() async throws {
    try await save("a") { $0["photo"] = Asset(data: Data("a photo".utf8)) }
    var download = everything()
    download.includesAssets = false
    let file = try ContainerStore.inMemory()
    let report = try await download.run(from: mock, into: file)
    #expect(report.isComplete)
    #expect(report.counts.omittedAssets == 1)
    let record = try file.database(.private).record(
      for: RecordID(recordName: "a", zoneID: Self.notes))
    let photo: Asset? = record["photo"]
    #expect(photo?.size == 7)
    try file.snapshot { try $0.forEachAsset { #expect($0.size == nil) } }
  }
}

/// A container whose assets come without their content, or with that of a file.
struct NoAssets<Base: CloudContainer>: CallHandlingContainer {
  let base: Base
  var file: URL?
  var hidesDigests = false
  var containerIdentifier: String? { base.containerIdentifier }
  func accountChanges() -> AsyncStream<AccountStatus> { base.accountChanges() }

  func handle(_ call: CloudCall) async throws -> CloudResponse {
    var response = try await base.send(call)
    guard hidesDigests else { return response }
    for index in response.results.indices {
      guard case .success(.record(let record)) = response.results[index].result else { continue }
      response.results[index].result = .success(.record(hidingDigests(record)))
    }
    return response
  }

  private func hidingDigests(_ record: ResultRecord) -> ResultRecord {
    ResultRecord(
      systemFields: record.systemFields,
      fields: record.allFields.map { field in
        guard case .asset(var asset) = field.value else { return field }
        asset.sha256 = nil
        return Field(name: field.name, value: .asset(asset))
      })
  }

  func fileURL(for asset: Asset, in databaseScope: DatabaseScope) async throws -> URL {
    guard let file else { throw CloudError(.assetNotAvailable) }
    return file
  }
}
