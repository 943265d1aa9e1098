import Foundation
import RecordArchive
import Synchronization

/// How far the work is, on standard error, where that is a terminal: a bar, records, bytes, the
/// rate, and the time that is left. Gone when the work is.
final class ProgressBar: Sendable {
  private struct State {
    var lastDrawing: ContinuousClock.Instant
  }

  private static let isOnScreen = Atomic(false)
  private static let interval = Duration.milliseconds(100)

  private let verb: String
  private let isVisible: Bool
  private let start = ContinuousClock.now
  private let state: Mutex<State>

  init(_ verb: String, isQuiet: Bool) {
    self.verb = verb
    let isDumb = ProcessInfo.processInfo.environment["TERM"].map { $0 == "dumb" } ?? true
    isVisible = !isQuiet && !isDumb && StandardError.isTerminal
    // What is done within a moment needs no bar.
    state = Mutex(State(lastDrawing: start + .milliseconds(150)))
  }

  /// Takes a report; throws where the work was interrupted.
  func update(_ progress: ArchiveProgress) throws {
    try update(
      ProgressLine(
        verb: verb, fraction: progress.fraction, records: progress.records, bytes: progress.bytes))
  }

  /// Takes a report in bytes only.
  func update(done: Int, total: Int) throws {
    let fraction = total > 0 ? min(1, Double(done) / Double(total)) : nil
    try update(ProgressLine(verb: verb, fraction: fraction, bytes: done))
  }

  private func update(_ line: ProgressLine) throws {
    try Interruption.check()
    guard isVisible else { return }
    let now = ContinuousClock.now
    let isDue = state.withLock { state in
      guard now - state.lastDrawing >= Self.interval else { return false }
      state.lastDrawing = now
      return true
    }
    guard isDue else { return }
    var line = line
    line.seconds = (now - start) / .seconds(1)
    let text = line.text(columns: StandardOutput.columns(of: STDERR_FILENO) - 1)
    StandardError.write("\r\(text)\u{1B}[K")
    Self.isOnScreen.store(true, ordering: .relaxed)
  }

  /// Takes the bar off the screen, where one is there.
  static func clearLine() {
    if isOnScreen.exchange(false, ordering: .relaxed) { StandardError.write("\r\u{1B}[K") }
  }
}
