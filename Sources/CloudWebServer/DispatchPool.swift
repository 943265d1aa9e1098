import Dispatch
import FlyingSocks
import Synchronization

/// Waits for sockets with Dispatch, whose one thread waits for those of all servers.
///
/// FlyingFox's own pool has a thread for each server and, on Linux, a file descriptor that it does not
/// close. It also resumes who waits for a socket before it forgets the socket, whose number can be
/// that of another one by then.
struct DispatchPool: AsyncSocketPool {
  private static let queue = DispatchQueue(label: "RecordPack.WebServer", attributes: .concurrent)

  func prepare() async throws {}
  func run() async throws {}

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    let wait = Wait()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let file = socket.file.rawValue
        wait.start(
          events.contains(.read)
            ? DispatchSource.makeReadSource(fileDescriptor: file, queue: Self.queue)
            : DispatchSource.makeWriteSource(fileDescriptor: file, queue: Self.queue),
          continuation)
      }
    } onCancel: {
      wait.cancel()
    }
    try Task.checkCancellation()
  }

  /// A wait for one socket. It ends when Dispatch has forgotten the socket, which can be closed then.
  private final class Wait: Sendable {
    private struct State {
      var forget: (@Sendable () -> Void)?
      var isCancelled = false
    }

    private let state = Mutex(State())

    func start(
      _ source: any DispatchSourceProtocol, _ continuation: CheckedContinuation<Void, Never>
    ) {
      // A source may be cancelled on any thread, more than once.
      nonisolated(unsafe) let source = source
      source.setEventHandler { source.cancel() }
      source.setCancelHandler { continuation.resume() }
      source.activate()
      let isCancelled = state.withLock { state in
        state.forget = { source.cancel() }
        return state.isCancelled
      }
      if isCancelled { source.cancel() }
    }

    func cancel() {
      state.withLock { state in
        state.isCancelled = true
        state.forget?()
      }
    }
  }
}

/// Runs the tasks of servers on threads of their own.
///
/// Tests that compute can occupy all threads that Swift has for tasks. A client that such a test
/// waits for would then get no response.
final class ServerExecutor: TaskExecutor {
  static let shared = ServerExecutor()

  private let queue = DispatchQueue(
    label: "RecordPack.WebServer.tasks", qos: .userInitiated, attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
