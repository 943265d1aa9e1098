#if os(macOS) || os(Linux)
  import Foundation

  /// The end of a process, for tasks that wait: `waitUntilExit` would hold up a thread that tasks need.
  package struct EndOfProcess: Sendable {
    private let events: AsyncStream<Void>

    /// - Parameter process: A process that was not started yet.
    package init(of process: Process) {
      let (events, continuation) = AsyncStream<Void>.makeStream()
      self.events = events
      process.terminationHandler = { _ in continuation.finish() }
    }

    package func wait() async { for await _ in events {} }
  }
#endif
