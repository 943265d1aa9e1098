import Dispatch
import Foundation
import RecordArchive
import RecordPlatform
import Synchronization

/// A signal interrupted the command.
struct Interrupted: Error {}

/// Handles SIGINT, SIGTERM and SIGHUP.
///
/// A signal ends the process after a moment, in which reading stops and closes its containers: no log
/// then stays beside their files. If something is being written, the work stops at its next progress
/// report and cleans up. A second signal ends the process at once. No partial file gets a final name
/// in either case.
enum Interruption {
  private struct State {
    var isWriting = false
    /// Whether a container is being changed: the signal may arrive while that takes effect.
    var isChanging = false
    /// Whether something was written completely.
    var hasWritten = false
    var signal: Int32?
    /// When the first signal arrived.
    var firstSignal: ContinuousClock.Instant?
    var watchers: [Int32: Watcher] = [:]

    /// Whether reading is to stop, so that the containers are closed.
    var isLeaving = false
    var hasTold = false

    /// The effect of an interruption on files.
    var consequence: String {
      if hasWritten { return "what was written before is kept" }
      if isChanging { return "the container is as it was before, or completely changed" }
      return isWriting
        ? "nothing was changed, but a temporary file may be left" : "nothing was changed"
    }
  }

  /// Retains a dispatch source, without any other use.
  private struct Watcher: @unchecked Sendable {
    let source: any DispatchSourceSignal
  }

  private static let state = Mutex(State())

  /// The effect on files if the command were interrupted now.
  static var consequence: String { state.withLock { $0.consequence } }

  static var signal: Int32? { state.withLock { $0.signal } }

  /// The signals that the command handles. The caller may have ignored some.
  static var handledSignals: [Int32] { state.withLock { $0.watchers.keys.sorted() } }

  static func install() {
    ArchiveSource.check.withLock { $0 = { try checkReading() } }
    // Without SIGPIPE, a write to a closed pipe fails with an error, so that files can be cleaned
    // up.
    _ = Foundation.signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // Signals that the caller ignores (nohup) stay ignored.
      if isIgnored(number) { continue }
      // Until the source is registered, a signal has its usual effect.
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { handle(number) }
      let registered = DispatchSemaphore(value: 0)
      source.setRegistrationHandler { registered.signal() }
      source.resume()
      registered.wait()
      #if canImport(Darwin)
        // A source of Darwin leaves the signal its effect.
        _ = Foundation.signal(number, SIG_IGN)
      #endif
      let watcher = Watcher(source: source)
      state.withLock { $0.watchers[number] = watcher }
    }
  }

  /// Returns whether the caller of the tool ignores a signal.
  ///
  /// It leaves the signal its effect: to ignore it, even for a moment, discards a signal that is pending.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    // The handler comes first, in a union whose name differs between systems.
    return withUnsafeBytes(of: &action) {
      $0.load(as: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
  }

  private static func handle(_ number: Int32) {
    state.withLock { state in
      let now = ContinuousClock.now
      let first = state.firstSignal ?? now
      state.firstSignal = first
      state.signal = number
      // Programs around this one, such as timeout, send a signal to it and then to its group.
      if state.isWriting || state.isLeaving, now - first < .milliseconds(500) { return }
      if !state.isWriting, !state.isLeaving {
        state.isLeaving = true
        DispatchQueue.global().asyncAfter(deadline: .now() + closingTime, execute: leave)
      } else {
        // Exits with the lock held, so that nothing is written after what is reported.
        tell(&state)
        _exit(128 + number)
      }
    }
    InputWait.cancel()
  }

  /// How long reading has to stop. It does so before it writes or reads the next records.
  private static let closingTime = DispatchTimeInterval.seconds(3)

  /// Ends a process whose reading has not stopped.
  private static func leave() {
    state.withLock { state in
      // Writing that has begun stops by itself, and cleans up.
      if state.isWriting { return }
      tell(&state)
      _exit(128 + (state.signal ?? SIGINT))
    }
  }

  /// Throws if a signal was received while nothing was being written.
  static func checkReading() throws {
    if state.withLock({ $0.isLeaving }) { throw Interrupted() }
  }

  /// Reports the interruption and its effect on files.
  static func tell() {
    state.withLock { tell(&$0) }
  }

  private static func tell(_ state: inout State) {
    if state.hasTold { return }
    state.hasTold = true
    ProgressBar.clearLine()
    ErrorReport.interrupted(
      "interrupted; \(state.consequence)", exitCode: 128 + (state.signal ?? SIGINT))
  }

  /// Throws if a signal was received.
  static func check() throws {
    if signal != nil { throw Interrupted() }
  }

  /// Runs work that must clean up on interruption.
  static func whileWriting<R>(_ body: () throws -> R) rethrows -> R {
    let result = try whileSorting(body)
    state.withLock { $0.hasWritten = true }
    return result
  }

  /// Changes a container in one transaction, and closes it.
  ///
  /// - Parameters:
  ///   - change: Changes the container. An interruption during it may come before or after the
  ///     change takes effect.
  ///   - close: Closes it. The changes are kept.
  static func whileChanging<R>(_ change: () throws -> R, close: () throws -> Void) rethrows
    -> R
  {
    try whileSorting {
      state.withLock { $0.isChanging = true }
      defer { state.withLock { $0.isChanging = false } }
      let result = try change()
      state.withLock { $0.hasWritten = true }
      try close()
      return result
    }
  }

  /// Runs work that writes only temporary files, and must remove them on interruption.
  static func whileSorting<R>(_ body: () throws -> R) rethrows -> R {
    state.withLock { $0.isWriting = true }
    defer { state.withLock { $0.isWriting = false } }
    return try body()
  }
}
