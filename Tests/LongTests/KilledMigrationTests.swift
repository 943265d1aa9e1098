import Foundation
import RecordPack
import Testing
import ToolTestSupport

@testable import RecordStore

#if canImport(Glibc)
  import Glibc
#endif

/// `recordpack migrate --in-place`, ended from outside at any moment.
///
/// The same file is migrated and killed again and again: it must be the same bytes of records each
/// time, and the migration that is let run in the end must come to what an untouched copy comes to.
@Suite("A migration in place that is killed", .serialized)
struct KilledMigrationTests {
  /// When the process is ended.
  private enum Moment {
    /// It has the container open, and nothing is in the write-ahead log yet.
    case reading
    /// The log has this part of the size it has in the end.
    case written(Double)
  }

  /// What lay on the disk when the process had ended.
  private struct Remains {
    var code: Int32
    /// The bytes of the write-ahead log.
    var log: Int
  }

  private func tool(_ container: String, in folder: String) -> ToolProcess {
    let tool = ToolProcess(["migrate", container, "--plan", "plan.yml", "--in-place"], in: folder)
    tool.process.environment?["TMPDIR"] = folder + "/tmp"
    return tool
  }

  private func prepare(_ folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/tmp", withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o755])
    try LargeContainer.plan.write(toFile: folder + "/plan.yml", atomically: true, encoding: .utf8)
    try LargeContainer.make(at: folder + "/A.sqlite")
    for name in ["B.sqlite", "C.sqlite"] {
      try FileManager.default.copyItem(atPath: folder + "/A.sqlite", toPath: "\(folder)/\(name)")
    }
  }

  private func restore(_ container: String, in folder: String) throws {
    for ending in ["", "-wal", "-shm"] { unlink("\(folder)/\(container)\(ending)") }
    try FileManager.default.copyItem(
      atPath: folder + "/C.sqlite", toPath: "\(folder)/\(container)")
  }

  private func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Runs the migration to its end, and gives the largest size of the write-ahead log.
  private func complete(_ container: String, in folder: String) async throws -> Int {
    let tool = tool(container, in: folder)
    try tool.start()
    var largest = 0
    while tool.process.isRunning {
      largest = max(largest, size("\(folder)/\(container)-wal"))
      usleep(500)
    }
    let result = await tool.finish()
    try #require(result.code == 0, "\(result.errors)")
    return largest
  }

  private func end(
    _ container: String, in folder: String, at moment: Moment, by signal: Int32, of peak: Int
  ) async throws -> Remains {
    let tool = tool(container, in: folder)
    try tool.start()
    // Once only: a second Ctrl-C ends the tool without waiting.
    var isSent = false
    while tool.process.isRunning {
      if !isSent && hasCome(moment, container, in: folder, peak) {
        kill(tool.process.processIdentifier, signal)
        isSent = true
      }
      usleep(500)
    }
    let result = await tool.finish()
    #expect(result.output.isEmpty)
    return Remains(code: result.code, log: size("\(folder)/\(container)-wal"))
  }

  private func hasCome(
    _ moment: Moment, _ container: String, in folder: String, _ peak: Int
  ) -> Bool {
    switch moment {
    case .reading: FileManager.default.fileExists(atPath: "\(folder)/\(container)-shm")
    case .written(let part): size("\(folder)/\(container)-wal") > Int(part * Double(peak))
    }
  }

  private func bundle(_ container: String, in folder: String) throws -> Data {
    let opened = try ContainerStore.open(path: "\(folder)/\(container)")
    let path = "\(folder)/check.recordpack"
    try Archiver().export(opened, to: path)
    try opened.close()
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// The numbers of the last change in each database, which change tokens are made of.
  private func lastChanges(_ container: String, in folder: String) throws -> [Int64] {
    let opened = try ContainerStore.open(path: "\(folder)/\(container)")
    defer { _ = try? opened.close() }
    return try opened.snapshot { snapshot in
      try DatabaseScope.allCases.map { Int64(try snapshot.lastChange(in: $0)) }
    }
  }

  private func isSound(_ container: String, in folder: String) throws -> Bool {
    try SQLiteConnection("\(folder)/\(container)").text("PRAGMA integrity_check") == "ok"
  }

  /// Nobody else may look into what a killed process has left.
  private func checkLeftovers(in folder: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder + "/tmp") {
      var status = stat()
      try #require(stat("\(folder)/tmp/\(name)", &status) == 0)
      #expect(status.st_mode & 0o077 == 0, "\(name)")
    }
  }

  @Test("leaves the container as it was, at any moment")
  func killed() async throws {
    try await withFolder { folder in
      try prepare(folder)
      let before = try bundle("A.sqlite", in: folder)
      let changes = try lastChanges("A.sqlite", in: folder)
      let peak = try await complete("B.sqlite", in: folder)
      var inTheMiddle = 0
      let moments: [Moment] = [
        .reading, .written(0), .written(0.07), .written(0.31), .written(0.58), .written(0.83),
      ]
      for moment in moments {
        let remains = try await end("A.sqlite", in: folder, at: moment, by: SIGKILL, of: peak)
        // On a busy machine the signal may come too late: the transaction may be done then.
        guard remains.code == -SIGKILL, remains.log < peak else {
          try restore("A.sqlite", in: folder)
          continue
        }
        // Opening a container writes a few pages; what is more than that is the migration's.
        if remains.log > 100_000 { inTheMiddle += 1 }
        #expect(try isSound("A.sqlite", in: folder), "\(moment)")
        #expect(try bundle("A.sqlite", in: folder) == before, "\(moment)")
        #expect(try lastChanges("A.sqlite", in: folder) == changes, "\(moment)")
      }
      #expect(inTheMiddle >= 2)
      try checkLeftovers(in: folder)
      // Once more, and then nobody looks at it before the migration that is let run.
      let last = try await end("A.sqlite", in: folder, at: .written(0.5), by: SIGKILL, of: peak)
      if last.code == -SIGKILL, last.log < peak { _ = try await complete("A.sqlite", in: folder) }
      #expect(try isSound("A.sqlite", in: folder))
      #expect(try bundle("A.sqlite", in: folder) != before)
      try compareResults(in: folder)
    }
  }

  private func compareResults(in folder: String) throws {
    let sources = try ["A", "B"].map {
      ArchiveSource.container(try ContainerStore.open(path: "\(folder)/\($0).sqlite"))
    }
    var comparison = ArchiveComparison(sources[0], sources[1])
    comparison.ignoredSystemFields = [.modified, .created]
    var differences: [String] = []
    _ = try comparison.run { differences.append("\($0)") }
    // Traces of deleted records bear the time, which is another in each run.
    #expect(differences.filter { !$0.contains("tombstone") }.prefix(3) == [])
    #expect(
      try lastChanges("A.sqlite", in: folder) == lastChanges("B.sqlite", in: folder))
  }

  @Test("with Ctrl-C leaves it as it was too, and tidies up")
  func calledOff() async throws {
    try await withFolder { folder in
      try prepare(folder)
      let before = try bundle("A.sqlite", in: folder)
      for (moment, signal) in [(Moment.reading, SIGINT), (.written(0), SIGTERM)] {
        let remains = try await end("A.sqlite", in: folder, at: moment, by: signal, of: 1 << 40)
        #expect(remains.code == 128 + signal)
        #expect(try isSound("A.sqlite", in: folder))
        #expect(try bundle("A.sqlite", in: folder) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/tmp") == [])
      }
    }
  }
}
