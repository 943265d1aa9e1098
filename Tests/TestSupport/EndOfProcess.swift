#if os(macOS) || os(Linux)
  import Foundation

  /// The end of a process, for tasks that wait: `waitUntilExit` would hold up a thread that tasks need.
  package struct EndOfProcess: Sendable {
    private let events: AsyncStream<Void>
    private let process: Process

    /// - Parameter process: A process that was not started yet.
    package init(of process: Process) {
      let (events, continuation) = AsyncStream<Void>.makeStream()
      (self.events, self.process) = (events, process)
      process.terminationHandler = { _ in continuation.finish() }
    }

    /// Suspends until the process ends.
    ///
    /// - Parameter limit: The number of seconds after which the process and its children are killed, so that
    ///   a test fails in place of waiting for ever.
    package func wait(limit: Double = 900) async {
      let watch = Task {
        try await Task.sleep(for: .seconds(limit))
        let (id, arguments) = (process.processIdentifier, process.arguments ?? [])
        let call = "\(process.executableURL?.path ?? "") \(arguments.joined(separator: " "))"
        FileHandle.standardError.write(Data("killed after \(limit) s: \(call)\n".utf8))
        kill(getpgid(id) == id ? -id : id, SIGKILL)
        try await Task.sleep(for: .seconds(60))
        fatalError("nobody has told the end of \(call)")
      }
      for await _ in events {}
      watch.cancel()
    }
  }
#endif
