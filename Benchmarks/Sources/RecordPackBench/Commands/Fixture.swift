import ArgumentParser
import Foundation
import RecordPack

/// Measures what a test waits for: a container with the contents of a bundle, and its first change,
/// before which the container that the bundle was read into is copied.
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

    func measure<R>(_ name: String, _ body: () throws -> R) rethrows -> (Measurement, R) {
      let watch = Stopwatch()
      let result = try body()
      let measurement = watch.measurement(
        name, records: summary.records, bytes: summary.contentSize, fileBytes: summary.size)
      return (measurement, result)
    }
    /// The opening and the first change.
    func open(_ name: String, _ url: URL) throws -> [Measurement] {
      let (opening, container) = try measure(name) { try MockContainer.fixture(at: url) }
      let note = DraftRecord(recordType: "Note", recordID: RecordID(recordName: "new"))
      let (change, _) = try measure("\(name), first change") {
        try container.store.transaction { try $0.save([note], in: .private) }
      }
      return [opening, change]
    }
    func report(_ measurements: [[Measurement]]) throws {
      for place in 0..<2 {
        let sorted = measurements.map { $0[place] }.sorted { $0.nanoseconds < $1.nanoseconds }
        try sorted[sorted.count / 2].report()
      }
    }
    // The first one of a process also waits for Swift's runtime, which makes types when they are
    // first used, and for pages of the program.
    try report([open("fixture, first of the process", first)])
    try report(others.map { try open("fixture, first of another bundle", $0) })
    try report((0..<times).map { _ in try open("fixture, again", first) })
  }
}
