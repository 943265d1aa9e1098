import Foundation
import RecordStore
import RecordModel
import StoreTestSupport
import Testing
import ToolTestSupport

#if canImport(Glibc)
  import Glibc
#endif

/// Four processes at a time do what comes to their minds with one container, and some are killed.
///
/// `RECORDPACK_STRESS_SECONDS=60` lets them go on for a minute, `RECORDPACK_STRESS_SEED` repeats a
/// choice; how the processes meet differs from run to run.
@Suite("A container that several processes have open", .serialized)
struct SharedContainerTests {
  /// What the processes have told.
  private struct Told {
    var versions: [String: Int] = [:]
    var maybeDeleted: Set<String> = []
    var deleted: Set<String> = []
    var batches: Set<String> = []
    var errors: [String] = []
    var counts: [String: Int] = [:]

    mutating func read(_ path: String) throws {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      // A line that a kill cut short was not told.
      for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        let words = line.split(separator: " ").map(String.init)
        counts[words[0], default: 0] += 1
        switch words[0] {
        case "saved": versions[words[1]] = Int(words[2])
        case "deleting": maybeDeleted.insert(words[1])
        case "deleted": deleted.insert(words[1])
        case "imported": batches.insert(words[1])
        case "error": errors.append(String(line))
        default: break
        }
      }
    }
  }

  private struct Worker {
    let tool: ToolProcess
    var process: Process { tool.process }
    let output: String
  }

  private func start(_ number: Int, _ seconds: Double, _ seed: UInt64, in folder: String) throws
    -> Worker
  {
    let output = "\(folder)/worker-\(number).txt"
    try Data().write(to: URL(fileURLWithPath: output))
    let tool = ToolProcess(
      ["\(folder)/shared.sqlite", "w\(number)", "\(seed &+ UInt64(number))", "\(seconds)"],
      in: folder, program: Place.products.appending(path: "ContainerWorker").path)
    tool.process.standardOutput = FileHandle(forWritingAtPath: output)
    tool.process.standardError = FileHandle(forWritingAtPath: output)
    try tool.start()
    return Worker(tool: tool, output: output)
  }

  private func setting(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

  @Test("keeps every save that was acknowledged, and stays whole, whoever is killed")
  func stress() async throws {
    let seconds = setting("RECORDPACK_STRESS_SECONDS").flatMap(Double.init) ?? 5
    let seed = setting("RECORDPACK_STRESS_SEED").flatMap(UInt64.init) ?? .random(in: 0..<1_000_000)
    try await withFolder { folder in
      let path = folder + "/shared.sqlite"
      try ContainerStore.open(path: path, mode: .create).close()
      var random = SystemRandomNumberGenerator()
      var workers: [Worker] = []
      var running: [Worker] = []
      let end = Date(timeIntervalSinceNow: seconds)
      var kills = 0
      while Date() < end {
        running.removeAll { !$0.process.isRunning }
        while running.count < 4, end.timeIntervalSinceNow > 0.3 {
          let left = end.timeIntervalSinceNow
          let time = Double.random(in: 0.2...max(0.3, min(left, 6)), using: &random)
          let worker = try start(workers.count, min(time, left), seed, in: folder)
          workers.append(worker)
          running.append(worker)
        }
        try await Task.sleep(for: .seconds(Double.random(in: 0.02..<0.4, using: &random)))
        if Int.random(in: 0..<3, using: &random) == 0, let victim = running.randomElement() {
          kill(victim.process.processIdentifier, SIGKILL)
          kills += 1
        }
      }
      for worker in workers { await worker.tool.end.wait() }
      var told = Told()
      for worker in workers { try told.read(worker.output) }
      print(
        "seed \(seed): \(workers.count) processes, \(kills) kills, \(told.counts.sorted { $0.key < $1.key })"
      )
      #expect(told.errors.isEmpty, "seed \(seed)")
      try check(told, path, "seed \(seed)")
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(left.filter { !$0.hasPrefix("worker-") } == ["shared.sqlite"])
    }
  }

  private func check(_ told: Told, _ path: String, _ seed: String) throws {
    let container = try ContainerStore.open(path: path, mode: .readOnly)
    var found: [String: Int] = [:]
    var batches: [String: Int] = [:]
    try container.database(.private).forEachRecord { record in
      if record.recordType == "Batch", let batch: String = record["text"] {
        batches[batch, default: 0] += 1
      } else {
        found[record.recordID.recordName] = record["version"]
      }
    }
    let lost = told.versions.filter { name, version in
      !told.maybeDeleted.contains(name) && (found[name] ?? 0) < version
    }
    #expect(lost.isEmpty, "\(seed)")
    #expect(told.deleted.filter { found[$0] != nil }.isEmpty, "\(seed)")
    #expect(told.batches.filter { batches[$0] == nil }.isEmpty, "\(seed)")
    #expect(batches.values.allSatisfy { $0 == 100 }, "\(seed)")
    var faults: [String] = []
    let checked = try container.verify { faults.append("\($0)") }
    #expect(faults == [], "\(seed)")
    #expect(checked.records == found.count + batches.count * 100)
    #expect(try container.close() == .merged)
  }
}
