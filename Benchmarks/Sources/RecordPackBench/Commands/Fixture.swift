import ArgumentParser
import Foundation
import RecordPack

/// Measures what a test waits for: a container with the contents of a bundle.
struct Fixture: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure making containers in memory from a bundle, the first time and again.")

  @Option(help: "How many records the bundle has.")
  var records = 1_000

  @Option(help: "How often a container is made again; the median counts.")
  var times = 101

  func run() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "fixture.recordpack")
    let writer = try BundleWriter(path: url.path, container: ContainerInfo())
    try TactData(records: records, seed: 1).write(to: writer)
    let summary = try writer.finish()

    func open(_ name: String) throws -> Measurement {
      let watch = Stopwatch()
      let container = try MockContainer.fixture(at: url)
      return withExtendedLifetime(container) {
        watch.measurement(
          name, records: summary.records, bytes: summary.contentSize, fileBytes: summary.size)
      }
    }
    try open("fixture, first").report()
    let again = try (0..<times).map { _ in try open("fixture, again") }
    try again.sorted { $0.nanoseconds < $1.nanoseconds }[times / 2].report()
  }
}
