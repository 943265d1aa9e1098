import ArgumentParser
import Foundation
import RecordPack

/// Measures notes that one device sends and another one fetches, by sync engines or by direct calls.
struct Sync: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure notes that one device sends and another one fetches.")

  /// How the devices reach the container.
  enum Way: String, ExpressibleByArgument, CaseIterable {
    case engines, direct, pending
  }

  @Argument(
    help:
      "Sync engines, direct calls in batches of 250, or an engine that only has pending changes.")
  var way: Way

  @Option(help: "How many notes there are.")
  var records = 10_000

  func run() async throws {
    let run = try await SyncRun(records: records)
    switch way {
    case .engines: try await run.sendByEngines().report()
    case .direct: try await run.sendDirectly().report()
    case .pending: try await run.addPending().report()
    }
  }
}
