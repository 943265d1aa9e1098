import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing
import ToolTestSupport

@Suite("A server whose process was killed")
struct KilledServerTests {
  private let families = ZoneID(zoneName: "Families")

  /// Runs the worker, kills it, and returns what it had told.
  private func run(_ path: String, from first: Int, for seconds: Double) async throws -> [String] {
    let program = try #require(Place.program("ServerWorker"))
    let log = path + ".log"
    #expect(FileManager.default.createFile(atPath: log, contents: nil))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [path, "\(first)"]
    process.standardOutput = FileHandle(forWritingAtPath: log)
    let end = EndOfProcess(of: process)
    try process.run()
    try await Task.sleep(for: .seconds(seconds))
    kill(process.processIdentifier, SIGKILL)
    await end.wait()
    #expect(process.terminationReason == .uncaughtSignal)
    let text = try String(contentsOfFile: log, encoding: .utf8)
    return text.split(separator: "\n").map(String.init)
  }

  @Test("has whole requests only, and all that were acknowledged")
  func killed() async throws {
    let environment = ProcessInfo.processInfo.environment
    let kills = environment["RECORDPACK_KILLS"].flatMap(Int.init) ?? 4
    let folder = try TestFolder()
    let path = folder.path("container")
    var told: Set<String> = []
    for round in 0..<kills {
      let seconds = 0.2 + Double.random(in: 0...0.4)
      told.formUnion(try await run(path, from: round * 100_000, for: seconds))
      guard FileManager.default.fileExists(atPath: path) else { continue }
      let container = try MockContainer.open(path: path)
      #expect(try container.store.verify { Issue.record("\($0)") }.isIntact)
      var members: [Int: Int] = [:]
      for record in try await container.privateCloudDatabase.records(ofType: "Note") {
        let number = record.recordID.recordName.dropFirst().prefix { $0 != "-" }
        members[Int(number) ?? -1, default: 0] += 1
      }
      let numbers = told.compactMap { $0.hasPrefix("saving ") ? Int($0.dropFirst(7)) : nil }
      #expect(Set(members.keys).isSubset(of: numbers))
      for number in numbers {
        let found = members[number] ?? 0
        if told.contains("deleted \(number)") {
          #expect(found == 0)
        } else if told.contains("saved \(number)"), !told.contains("deleting \(number)") {
          #expect(found == 5)
        } else {
          #expect(found == 0 || found == 5, "\(number)")
        }
      }
      try container.store.close()
    }
    #expect(told.contains { $0.hasPrefix("deleted") }, "the worker was killed too early each time")
  }
}
