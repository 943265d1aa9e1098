import ArgumentParser
import Foundation
import RecordPack

/// Writes the records of Tact's version 1, which the lane `migrate` carries to version 5.
struct Tact: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write a bundle of the chat app's first version.")

  @OptionGroup var options: DataOptions

  @Option(help: "The schema of version 1.")
  var schema: String

  @Argument(help: "The bundle.")
  var output: String

  func run() throws {
    let watch = Stopwatch()
    let container = ContainerInfo(
      identifier: "iCloud.com.example.tact",
      schema: try String(contentsOfFile: schema, encoding: .utf8), schemaVersion: "v1")
    let writer = try BundleWriter(path: output, container: container)
    try TactData(records: options.records, seed: options.seed).write(to: writer)
    let summary = try writer.finish()
    try watch.measurement(
      "tact", records: summary.records, bytes: summary.contentSize, fileBytes: summary.size
    ).report()
  }
}

/// Copies a bundle record by record: what a migration is measured by.
struct Copy: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure reading a bundle and writing its records as they are.")

  @OptionGroup var options: ReadOptions

  @Argument(help: "The copy.")
  var output: String

  func run() throws {
    let watch = Stopwatch()
    let bundle = try BundleReader(path: options.input)
    var writing = BundleWriter.Options()
    writing.threads = options.threads
    let writer = try BundleWriter(path: output, container: bundle.container, options: writing)
    for (database, zone) in try bundle.zones() { try writer.write(zone, database: database) }
    try bundle.forEachRecord(threads: options.threads) { try writer.write($0, database: $1) }
    let summary = try writer.finish()
    try watch.measurement(
      "copy", records: summary.records, bytes: summary.contentSize, fileBytes: summary.size
    ).report()
  }
}
