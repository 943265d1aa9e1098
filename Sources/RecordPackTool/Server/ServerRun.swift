import CloudWebServer
import Dispatch
import RecordCoding
import RecordText
import Synchronization

/// Runs a server until a signal arrives.
final class ServerRun: Sendable {
  private let server: WebServer
  private let outcome = Mutex<(any Error)?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  init(_ server: WebServer) { self.server = server }

  /// - Parameter ready: is called when requests are answered.
  /// - Throws: the error that ended the server, or that of `ready`.
  func untilSignal(_ ready: () throws -> Void) throws {
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
      while Interruption.signal == nil, !hasEnded {
        hasEnded = ended.wait(timeout: .now() + .milliseconds(50)) == .success
      }
    } catch {
      outcome.withLock { $0 = error }
    }
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
