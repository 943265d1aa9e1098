import Dispatch
import Foundation
import RecordPlatform
import Synchronization

/// The work was interrupted by a signal.
struct Interrupted: Error {}

/// Handles SIGINT, SIGTERM and SIGHUP.
///
/// While nothing is written, a signal ends the process at once. While something is, the work is
/// told to stop at its next report of progress, and takes back what it has begun; a second signal
/// ends the process without waiting, which leaves no half file under a final name either.
enum Interruption {
  private struct State {
    var isWriting = false
    /// Whether something was written to its end.
    var hasWritten = false
    var signal: Int32?
    var watchers: [Watcher] = []
  }

  /// Keeps a source alive; nothing else is done with it.
  private struct Watcher: @unchecked Sendable {
    let source: any DispatchSourceSignal
  }

  private static let state = Mutex(State())

  /// The signal that came.
  static var signal: Int32? { state.withLock { $0.signal } }

  static func install() {
    // A reader that has gone shows as an error of writing, so that files can be tidied up.
    _ = Foundation.signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // What the caller chose to ignore (nohup) stays ignored.
      let previous = Foundation.signal(number, SIG_IGN)
      if unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { continue }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { handle(number) }
      source.resume()
      let watcher = Watcher(source: source)
      state.withLock { $0.watchers.append(watcher) }
    }
  }

  private static func handle(_ number: Int32) {
    let endsNow = state.withLock { state in
      defer { state.signal = number }
      return !state.isWriting || state.signal != nil
    }
    guard endsNow else { return InputWait.callOff() }
    tell()
    _exit(128 + number)
  }

  /// Says that the work was interrupted, and what that means for files.
  static func tell() {
    ProgressBar.clearLine()
    let (isWriting, hasWritten) = state.withLock { ($0.isWriting, $0.hasWritten) }
    let consequence =
      if hasWritten {
        "what was written before stays"
      } else if isWriting {
        "nothing was changed, but a temporary file may be left"
      } else {
        "nothing was changed"
      }
    StandardError.write("recordpack: interrupted; \(consequence)\n")
  }

  /// Throws where a signal has come.
  static func check() throws {
    if signal != nil { throw Interrupted() }
  }

  /// Runs work that has to clean up when it is interrupted.
  static func whileWriting<R>(_ body: () throws -> R) rethrows -> R {
    state.withLock { $0.isWriting = true }
    defer { state.withLock { $0.isWriting = false } }
    let result = try body()
    state.withLock { $0.hasWritten = true }
    return result
  }
}
