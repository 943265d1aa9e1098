import ArgumentParser
import Foundation
import RecordPack

/// Measures the mock server beside plain GRDB with the same rows, call by call.
struct Server: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure the mock server beside plain GRDB, in memory and in files.")

  @Option(help: "How many records the containers have.")
  var records: [Int] = [1_000, 1_000_000]

  @Option(help: "How often each call is made.")
  var calls = 2_000

  @Option(help: "Only the calls whose names contain this; all if empty.")
  var only = ""

  @Option(help: "A folder for the files.")
  var folder = FileManager.default.temporaryDirectory.path

  func run() async throws {
    print("| records | where | call | µs | GRDB µs | ratio |")
    print("|--:|---|---|--:|--:|--:|")
    for count in records {
      for isFile in [false, true] {
        let run = try ServerRun(
          ChatData(records: count), calls: calls, only: only, folder: isFile ? folder : nil)
        for result in try await run.results() {
          let words = [
            "\(count)", isFile ? "file" : "memory", result.name, result.micros(result.ours),
            result.micros(result.peer), String(format: "%.2f", result.ours / result.peer),
          ]
          print("| " + words.joined(separator: " | ") + " |")
        }
      }
    }
  }
}
