import Foundation
import RecordPack
import TestSupport
import Testing

@Suite("Three devices under injected faults")
struct SyncSimulationTests {
  /// `RECORDPACK_SYNC_SEEDS=1000` runs more.
  static let seeds =
    ProcessInfo.processInfo.environment["RECORDPACK_SYNC_SEEDS"].flatMap(UInt64.init)
    ?? TestAmount.of(50, some: 10)

  @Test("with three-way merges end up equal, and no word is lost", arguments: 0..<seeds)
  func merging(seed: UInt64) async throws {
    var simulation = try SyncSimulation<MergingEngine>(seed: seed)
    try await simulation.run(steps: 30)
    let devices = try await simulation.settle()
    let server = try await simulation.server()
    for device in devices { #expect(device == server, "seed \(seed)\n\(simulation.log)") }
    let kept = simulation.added.filter { !simulation.deleted.contains($0.key) }
    let found = server.filter { !simulation.deleted.contains($0.key) }
    #expect(found == kept, "seed \(seed)\n\(simulation.log)")
    #expect(simulation.deleted.isDisjoint(with: server.keys), "seed \(seed)\n\(simulation.log)")
  }

  @Test("with delta tokens end up equal, and no note is lost", arguments: 0..<seeds)
  func deltaTokens(seed: UInt64) async throws {
    var simulation = try SyncSimulation<DeltaEngine>(seed: seed)
    try await simulation.run(steps: 30)
    let devices = try await simulation.settle()
    let server = try await simulation.server()
    for device in devices { #expect(device == server, "seed \(seed)\n\(simulation.log)") }
    let kept = Set(simulation.added.keys).subtracting(simulation.deleted)
    #expect(Set(server.keys) == kept, "seed \(seed)\n\(simulation.log)")
  }

  @Test("that overwrite each other lose words")
  func naive() async throws {
    var losses = 0
    for seed in 0..<min(Self.seeds, 5) {
      var simulation = try SyncSimulation<NaiveEngine>(seed: seed)
      try await simulation.run(steps: 60)
      _ = try await simulation.settle()
      let server = try await simulation.server()
      let kept = simulation.added.filter { !simulation.deleted.contains($0.key) }
      if server.filter({ !simulation.deleted.contains($0.key) }) != kept { losses += 1 }
    }
    #expect(losses > 0)
  }
}
