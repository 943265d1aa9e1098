import Foundation
import MockCloud
import RecordModel
import RecordStore
import StoreTestSupport
import Testing

@testable import RecordArchive

@Suite("A download whose process was killed")
struct KilledDownloadTests {
  private func makeSource(_ path: String) async throws -> MockContainer {
    let source = try MockContainer.open(
      path: path, mode: .create,
      info: ContainerInfo(identifier: "iCloud.notes", currentUserRecordName: "_mira"))
    let zoneID = ZoneID(zoneName: "Notes")
    try await source.privateCloudDatabase.save(RecordZone(zoneID: zoneID))
    for (type, zone) in [("Note", zoneID), ("Todo", ZoneID.default)] {
      try source.store.database(.private).save(
        (0..<390).map { number in
          var draft = DraftRecord(
            recordType: type, recordID: RecordID(recordName: "r\(number)", zoneID: zone))
          draft["text"] = String(repeating: "x", count: number * 3)
          draft["file"] = Asset(data: Data(repeating: UInt8(number & 7), count: 3_000))
          return draft
        })
    }
    return source
  }

  /// Runs the worker, which kills itself, and returns what it had told.
  private func run(_ program: String, _ arguments: [String], log: String) async throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    // What a killed process leaves there is deleted with the log's folder.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["TMPDIR": URL(fileURLWithPath: log).deletingLastPathComponent().path]) { $1 }
    process.standardOutput = FileHandle(forWritingAtPath: log)
    let end = EndOfProcess(of: process)
    try process.run()
    await end.wait()
    let text = try String(contentsOfFile: log, encoding: .utf8)
    return text.split(separator: "\n").map(String.init)
  }

  @Test("goes on where it was, and ends as one that was not killed")
  func killed() async throws {
    let program = try #require(Place.program("DownloadWorker"))
    let environment = ProcessInfo.processInfo.environment
    let kills = environment["RECORDPACK_KILLS"].flatMap(Int.init) ?? 4
    let folder = try TestFolder()
    let (sourcePath, path) = (folder.path("source"), folder.path("file"))
    let source = try await makeSource(sourcePath)
    // What the killed download had told, if it was not done.
    var told: Int?
    var interruptions = 0
    for attempt in 1...kills {
      let (pages, delay) = (1 + attempt * 37 % 150, attempt * 613 % 3_000)
      let lines = try await run(
        program, [sourcePath, path, String(pages), String(delay)], log: folder.write([], as: "log"))
      guard let first = lines.first.flatMap(Int.init) else { continue }
      // The last page may have been written and not told.
      if let told { #expect((told...told + 2).contains(first)) }
      told = lines.last == "done" ? nil : lines.last.flatMap(Int.init)
      if told != nil { interruptions += 1 }
      let file = try ContainerStore.open(path: path)
      _ = try file.verify { Issue.record("\($0)") }
      try file.close()
    }
    #expect(interruptions >= min(kills, 4), "the worker was done before it was killed")
    let file = try ContainerStore.open(path: path, mode: .openOrCreate)
    let report = try await everything().run(from: source, into: file)
    #expect(report.isComplete)
    try expectSame(file, await source.expected(for: source), folder)
  }
}
