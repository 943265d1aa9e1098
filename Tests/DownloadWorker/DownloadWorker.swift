import Foundation
import MockCloud
import RecordArchive
import RecordStore
import Synchronization

/// A process that downloads a container into another file, record by record, and kills itself.
///
///     DownloadWorker CONTAINER FILE PAGES MICROSECONDS
///
/// It tells the number of records after each page, and `done`. It kills itself so long after so many pages, at
/// whatever it does then. A busy test would kill it too late.
@main
struct DownloadWorker {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let pages = Int(arguments[3]), let delay = UInt32(arguments[4])
    else { exit(2) }
    let told = Atomic(0)
    var rules = ServerRules.native
    rules.maxResults = 1
    let container = try MockContainer.open(path: arguments[1], rules: rules)
    var download = ContainerDownload()
    download.databases = [.private, .shared, .public]
    download.recordTypes = ["Feedback", "Todo"]
    download.includesEncryptedValues = true
    download.progress = {
      tell("\($0.records)")
      guard told.add(1, ordering: .relaxed).newValue == pages else { return }
      Thread.detachNewThread {
        usleep(delay)
        kill(getpid(), SIGKILL)
      }
    }
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
