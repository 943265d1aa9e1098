import Foundation
import RecordPack
import Testing

/// The code of the article about downloads, run.
struct DownloadSnippetTests {
  private func container() async throws -> MockContainer {
    let container = try MockContainer.inMemory()
    let database = container.privateCloudDatabase
    let zoneID = ZoneID(zoneName: "Notes")
    try await database.save(RecordZone(zoneID: zoneID))
    var note = DraftRecord(recordType: "Note", zoneID: zoneID)
    note["title"] = "Hello"
    try await database.save(note)
    try await database.save(DraftRecord(recordType: "Todo"))
    return container
  }

  private let schema = """
    DEFINE SCHEMA
      RECORD TYPE Todo ( "___recordID" REFERENCE QUERYABLE );

    """

  @Test("one call")
  func bundle() async throws {
    let folder = try TestFolder()
    let (container, bundlePath) = (try await container(), folder.path("all.recordpack"))
    var download = ContainerDownload()
    download.info.schema = schema
    let (report, summary) = try await Archiver().export(
      downloading: container, by: download, to: bundlePath)
    print("\(report.counts.records) records downloaded, \(summary.records) in the bundle")
    for problem in report.problems { print(problem) }
    #expect(report.isComplete)
    #expect(summary.records == 2)
  }

  @Test("a file to go on with")
  func file() async throws {
    let folder = try TestFolder()
    let container = try await container()
    let download = ContainerDownload()
    let (filePath, bundlePath) = (folder.path("Notes.sqlite"), folder.path("Notes.recordpack"))
    let store = try ContainerStore.open(path: filePath, mode: .openOrCreate)
    do {
      let report = try await download.run(from: container, into: store)
      print("\(report.counts.records) new or changed, \(report.counts.deletedRecords) deleted")
    } catch ArchiveError.downloadInterrupted(let error, let report) {
      print(error, "complete so far:", report.complete)
    }
    let summary = try await Archiver().perform { try $0.export(store, to: bundlePath) }
    #expect(summary.records == 1)
  }
}
