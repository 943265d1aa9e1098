import RecordPack
import TestSupport
import Testing

/// Readers that fetch one page now and then, of a database and of its zones, while the container is
/// changed, imported into, exported and imported at random.
@Suite("Change tokens of slow readers")
struct ChangeTokenModelTests {
  private static let seeds = SeededGenerator.seeds(3)

  @Test("end with the records and zones of a container that a server wrote", arguments: seeds)
  func server(seed: UInt64) async throws { try await run(seed, .server) }

  @Test("... that was merged with others, one by one", arguments: seeds)
  func merged(seed: UInt64) async throws { try await run(seed, .merged) }

  @Test("... that was filled with what others wrote", arguments: seeds)
  func filled(seed: UInt64) async throws { try await run(seed, .filled) }

  @Test("... that was filled, of readers that read the database at once", arguments: seeds)
  func filledWhole(seed: UInt64) async throws { try await run(seed, .filledWhole) }

  private func run(_ seed: UInt64, _ kind: CopySimulation.Kind) async throws {
    var simulation = try await CopySimulation(seed, kind)
    for _ in 0..<5 {
      for _ in 0..<(8 + Int(seed % 20)) { try await simulation.act() }
      try simulation.copy()
      for _ in 0..<4 { try await simulation.act() }
      if !seed.isMultiple(of: 3) { try await simulation.check() }
    }
    try await simulation.check()
  }
}
