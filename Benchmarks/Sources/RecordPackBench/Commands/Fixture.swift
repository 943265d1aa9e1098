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

  @Option(help: "How many other bundles are opened; the median counts.")
  var others = 21

  func run() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let first = folder.appending(path: "fixture.recordpack")
    let writer = try BundleWriter(path: first.path, container: ContainerInfo())
    try TactData(records: records, seed: 1).write(to: writer)
    let summary = try writer.finish()
    // Bundles are known by their paths.
    let others = try (0..<others).map { number in
      let other = folder.appending(path: "other-\(number).recordpack")
      try FileManager.default.copyItem(at: first, to: other)
      return other
    }

    func open(_ name: String, _ url: URL) throws -> Measurement {
      let watch = Stopwatch()
      let container = try MockContainer.fixture(at: url)
      return withExtendedLifetime(container) {
        watch.measurement(
          name, records: summary.records, bytes: summary.contentSize,
          fileBytes: summary.size)
      }
    }
    func median(_ measurements: [Measurement]) -> Measurement {
      measurements.sorted { $0.nanoseconds < $1.nanoseconds }[measurements.count / 2]
    }
    // The first one of a process also waits for Swift's runtime, which makes types when they are
    // first used, and for pages of the program.
    try open("fixture, first of the process", first).report()
    try median(others.map { try open("fixture, first of another bundle", $0) }).report()
    try median((0..<times).map { _ in try open("fixture, again", first) }).report()
  }
}
