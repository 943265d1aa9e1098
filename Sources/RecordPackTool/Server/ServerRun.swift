import CloudWebServer
import Dispatch
import RecordCoding
import RecordText
import Synchronization

/// Runs a server in the background of a command.
final class ServerRun: Sendable {
  private let server: WebServer
  private let outcome = Mutex<(any Error)?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  init(_ server: WebServer) { self.server = server }

  /// Runs the server until a signal arrives.
  ///
  /// - Parameter ready: Called when the server handles requests.
  /// - Throws: The error that ended the server, or the error of `ready`.
  func untilSignal(_ ready: () throws -> Void) throws {
    try until({ Interruption.signal != nil }, ready)
  }

  /// Runs the server until `isDone` returns true.
  func until(_ isDone: () -> Bool, _ ready: () throws -> Void) throws {
    let task = Task.detached { [self] in
      do {
        try await server.run()
      } catch {
        outcome.withLock { $0 = error }
      }
      ended.signal()
    }
    var hasEnded = false
    do {
      // The port is open: requests wait until the task has begun.
      try ready()
      while !hasEnded, !isDone() {
        hasEnded = ended.wait(timeout: .now() + .milliseconds(20)) == .success
      }
    } catch {
      outcome.withLock { $0 = error }
    }
    // A request that waits for an index would be waited for.
    server.handler.stop()
    task.cancel()
    if !hasEnded { ended.wait() }
    if let error = outcome.withLock({ $0 }) { throw error }
  }

  /// Writes where the server is reached.
  static func tell(
    _ words: String, _ server: WebServer, _ command: String, _ report: ReportOptions
  ) throws {
    let json = ReportOptions.document(command, ["address": server.address, "port": server.port])
    try StandardOutput.write([report.isJSON ? json.compactText : "\(words) \(server.address)"])
  }
}
