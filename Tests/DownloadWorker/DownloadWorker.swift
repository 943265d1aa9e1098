import Foundation
import MockCloud
import RecordArchive
import RecordStore

/// A process that downloads a container into another file, record by record, until it is killed.
///
///     DownloadWorker CONTAINER FILE
///
/// It tells the number of records after each page, and `done`.
@main
struct DownloadWorker {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { exit(2) }
    var rules = ServerRules.native
    rules.maxResults = 1
    let container = try MockContainer.open(path: arguments[1], rules: rules)
    var download = ContainerDownload()
    download.databases = [.private, .shared, .public]
    download.recordTypes = ["Feedback", "Todo"]
    download.includesEncryptedValues = true
    download.progress = { tell("\($0.records)") }
    let file = try ContainerStore.open(path: arguments[2], mode: .openOrCreate)
    _ = try await download.run(from: container, into: file)
    tell("done")
  }

  /// Straight to the descriptor: what was told before a kill has been told.
  private static func tell(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }
}
