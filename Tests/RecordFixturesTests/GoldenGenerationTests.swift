import TestSupport
import Testing

@testable import RecordFixtures

/// What seeds give, for ever: fixtures of users are named by a seed. A digest that changes is an
/// error of the generators, not of the test; new generators need a new version.
@Suite("The content of a generation, for ever")
struct GoldenGenerationTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func hash(_ generation: Generation) throws -> String {
    try generation.write(to: folder.path("golden")).contentHash
  }

  @Test("is that of a schema alone")
  func schema() throws {
    let first = try hash(GenerationSamples.generation(nil, seed: 1))
    #expect(first == "9b46212feffadd84")
    let second = try hash(GenerationSamples.generation(nil, seed: 2))
    #expect(second == "f1eb804c2be78754")
  }

  @Test(
    "is that of a recipe with users, shares, trees and files",
    arguments: [(42, "75ac2a54c9bfb235"), (7, "1a9be9b2db0aa4fe")])
  func recipe(seed: UInt64, expected: String) throws {
    let found = try hash(GenerationSamples.generation(seed: seed))
    #expect(found == expected)
  }

  @Test("is that of edge cases")
  func edges() throws {
    let recipe = GenerationSamples.recipe + "\nedge-cases: true\n"
    let found = try hash(GenerationSamples.generation(recipe))
    #expect(found == "0f25311254f5215b")
  }

  @Test("is that of every kind of value")
  func values() throws {
    let generation = try GenerationSamples.generation(
      GenerationSamples.everyValue, schema: GenerationSamples.everyType, seed: 3)
    let found = try hash(generation)
    #expect(found == "697b31eed0af12dd")
  }
}
