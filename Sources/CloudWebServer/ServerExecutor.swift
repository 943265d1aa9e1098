import Dispatch

/// Runs the tasks of servers on threads of their own.
///
/// The threads that Swift has for tasks can all be taken by tests that compute, and a client that
/// such a test waits for would get no answer.
final class ServerExecutor: TaskExecutor {
  static let shared = ServerExecutor()

  private let queue = DispatchQueue(
    label: "RecordPack.WebServer.tasks", qos: .userInitiated, attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
