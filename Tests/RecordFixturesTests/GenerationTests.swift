import Foundation
import RecordArchive
import RecordBundle
import RecordModel
import RecordSchema
import RecordStore
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("A generation")
struct GenerationTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func check(_ reader: BundleReader, _ generation: Generation) throws {
    let report = try reader.verify()
    #expect(report.isIntact, "\(report.findings.prefix(3))")
    let validator = RecordValidator(generation.layout.schema)
    try reader.forEachRecord { record, database in
      let problems = validator.problems(in: record, database: database)
      #expect(problems.isEmpty, "\(record): \(problems)")
      if record.recordType != Share.recordType {
        try RecordLimits.cloudKit.check(DraftRecord(record))
      }
    }
  }

  @Test("makes records that production accepts, in an intact bundle")
  func valid() throws {
    let generation = try GenerationSamples.generation()
    let (reader, report) = try GenerationSamples.bundle(generation, in: folder)
    try check(reader, generation)
    #expect(report.counts["Chat"] == 36)
    #expect(report.counts["Users"] == 4)
    #expect(report.records == report.counts.values.reduce(0, +))
    #expect(report.assets > 5)
  }

  @Test("makes the same bytes with every number of threads, and the same content at every level")
  func threads() throws {
    var hashes: Set<String> = []
    for (threads, level) in [(1, 1), (2, 1), (4, 3)] {
      var generation = try GenerationSamples.generation()
      generation.bundleOptions.threads = threads
      generation.bundleOptions.level = level
      hashes.insert(try generation.write(to: folder.path("a")).contentHash)
    }
    #expect(hashes.count == 1)
    let other = try GenerationSamples.generation(seed: 43).write(to: folder.path("a"))
    #expect(!hashes.contains(other.contentHash))
  }

  @Test("makes what can be imported, and exported as the same")
  func circle() throws {
    let generation = try GenerationSamples.generation()
    let (reader, report) = try GenerationSamples.bundle(generation, in: folder)
    let container = folder.path("a.sqlite")
    try Archiver().importBundle(reader, creating: container)
    let store = try ContainerStore.open(path: container, mode: .readOnly)
    try Archiver().export(store, to: folder.path("b.recordpack"))
    let copy = try BundleReader(path: folder.path("b.recordpack"))
    #expect(copy.contentHash == report.contentHash)
  }

  @Test(
    "makes a few valid records for each real schema",
    .enabled(if: Place.corpus("ckdb") != nil, "the corpus is not beside the package"))
  func corpus() throws {
    for file in TestAmount.of(try Self.corpusFiles(), oneIn: 4) {
      let document = SchemaDocument(parsing: Array(try Data(contentsOf: file)), name: file.path)
      guard !document.hasErrors else { continue }
      let generation = try Generation(schema: document.schema)
      let (reader, report) = try GenerationSamples.bundle(generation, in: folder)
      try check(reader, generation)
      let starter = FixtureRecipe.starter(for: document.schema)
      let recipe = try FixtureRecipe(yaml: starter)
      let again = try Generation(schema: document.schema, recipe: recipe)
      let second = try again.write(to: folder.path("again"))
      #expect(second.contentHash == report.contentHash, "\(file.path)")
      var edges = recipe
      edges.hasEdgeCases = true
      let extreme = try Generation(schema: document.schema, recipe: edges, seed: 7)
      let (ugly, _) = try GenerationSamples.bundle(extreme, in: folder)
      try check(ugly, extreme)
    }
  }

  private static func corpusFiles() throws -> [URL] {
    guard let folder = Place.corpus("ckdb") else { return [] }
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.compactMap { $0 as? URL } ?? [])
      .filter { $0.pathExtension == "ckdb" && !$0.hasDirectoryPath }
      .sorted { $0.path < $1.path }
  }
}
