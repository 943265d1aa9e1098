import Foundation
import RecordStore
import RecordModel
import RecordPack
import StoreTestSupport
import Testing
import ToolTestSupport

#if canImport(Glibc)
  import Glibc
#endif

/// The tool, killed at any moment of its work. `RECORDPACK_KILLS=300` kills it as often.
@Suite("A tool that is killed while it changes a container", .serialized)
struct KilledToolTests {
  private enum Work: CaseIterable {
    case importing, creating, migrating, saving
  }

  private func prepare(_ folder: String) async throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/tmp", withIntermediateDirectories: true)
    try LargeContainer.make(at: folder + "/large.sqlite")
    try LargeContainer.plan.write(toFile: folder + "/plan.yml", atomically: true, encoding: .utf8)
    let exported = try await ToolProcess.run(
      "export", "large.sqlite", "-o", "large.recordpack", in: folder)
    try #require(exported.code == 0, "\(exported.errors)")
    try ContainerStore.open(path: folder + "/small.sqlite", mode: .create).close()
  }

  /// A fresh copy of a container, and what is to be done with it.
  private func arguments(_ work: Work, in folder: String) throws -> (program: String, [String]) {
    let tool = ToolProcess.path
    let target = folder + "/target.sqlite"
    for name in [target, target + "-wal", target + "-shm"] { unlink(name) }
    let source = work == .migrating ? "large" : "small"
    if work != .creating {
      try FileManager.default.copyItem(atPath: "\(folder)/\(source).sqlite", toPath: target)
    }
    switch work {
    case .importing, .creating: return (tool, ["import", "large.recordpack", "target.sqlite"])
    case .migrating:
      return (tool, ["migrate", "target.sqlite", "--plan", "plan.yml", "--in-place"])
    case .saving:
      return (
        Place.products.appending(path: "ContainerWorker").path,
        [target, "w", "\(Int.random(in: 0..<1000))", "1"]
      )
    }
  }

  private func run(_ work: Work, killedAfter time: Double?, in folder: String) async throws -> Int32
  {
    let (program, arguments) = try arguments(work, in: folder)
    let tool = ToolProcess(arguments, in: folder, program: program)
    tool.process.environment?["TMPDIR"] = folder + "/tmp"
    try tool.start()
    if let time {
      try await Task.sleep(for: .seconds(time))
      kill(tool.process.processIdentifier, SIGKILL)
    }
    return await tool.finish().code
  }

  /// How many records a container has, and how many of them were migrated; nil where there is none.
  private func look(_ folder: String) throws -> (records: Int, migrated: Int)? {
    let path = folder + "/target.sqlite"
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let container = try ContainerStore.open(path: path, mode: .readOnly)
    var faults: [String] = []
    let checked = try container.verify { faults.append("\($0)") }
    #expect(faults == [])
    var migrated = 0
    try container.database(.private).forEachRecord { record in
      if record["size"] as Int? != nil { migrated += 1 }
    }
    #expect(try container.close() == .merged)
    return (checked.records, migrated)
  }

  @Test("leaves nothing half, and nothing that the next run does not clear")
  func killed() async throws {
    let environment = ProcessInfo.processInfo.environment
    let kills = environment["RECORDPACK_KILLS"].flatMap(Int.init) ?? 4
    try await withFolder { folder in
      try await prepare(folder)
      var durations: [Work: Double] = [.saving: 0.4]
      for work in [Work.importing, .creating, .migrating] {
        let start = Date()
        #expect(try await run(work, killedAfter: nil, in: folder) == 0)
        durations[work] = Date().timeIntervalSince(start)
      }
      let all = LargeContainer.notes + 50
      let migrated = try look(folder)?.migrated
      #expect(migrated ?? 0 > 0)
      var ended = 0
      for number in 0..<kills {
        let work = Work.allCases[number % 4]
        let time = Double.random(in: 0...(durations[work] ?? 1))
        if try await run(work, killedAfter: time, in: folder) == -SIGKILL { ended += 1 }
        let found = try look(folder)
        switch work {
        case .creating: #expect(found == nil || found?.records == all)
        case .importing: #expect(found?.records == 0 || found?.records == all)
        case .migrating:
          #expect(found?.records == all + (found?.migrated == 0 ? 0 : LargeContainer.made))
          #expect(found?.migrated == 0 || found?.migrated == migrated)
        case .saving: #expect(found != nil)
        }
      }
      // What was left beside the name goes with the next file of that name.
      #expect(try await run(.creating, killedAfter: nil, in: folder) == 0)
      #expect(try look(folder)?.records == all)
      let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
        $0.contains("target")
      }
      #expect(left == ["target.sqlite"])
      print("\(kills) kills, \(ended) of them while it worked")
    }
  }
}
