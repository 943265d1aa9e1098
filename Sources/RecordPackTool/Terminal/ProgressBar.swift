import Foundation
import RecordArchive
import RecordText
import Synchronization

/// A progress bar on standard error, if that is a terminal, with records, bytes, rate and remaining
/// time. It is removed at the end.
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
    // Short work shows no bar.
    state = Mutex(State(lastDrawing: start + .milliseconds(150)))
  }

  /// Creates a bar for work that writes to standard output; nil if another program shows that output,
  /// or the terminal does.
  ///
  /// - Parameter writes: Whether output is written during the work, not only after it.
  convenience init?(_ verb: String, besideOutput writes: Bool) {
    guard !StandardOutput.isPipe, !writes || !StandardOutput.isTerminal else { return nil }
    self.init(verb, isQuiet: false)
  }

  /// Updates the bar; throws if a signal was received.
  func update(_ progress: ArchiveProgress) throws {
    try update(
      ProgressLine(
        verb: verb, fraction: progress.fraction, records: progress.records, bytes: progress.bytes))
  }

  /// Updates the bar with bytes only; throws if a signal was received.
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

  /// Removes the bar from the screen.
  static func clearLine() {
    if isOnScreen.exchange(false, ordering: .relaxed) { StandardError.write("\r\u{1B}[K") }
  }
}

/// The text of a progress bar, fitted to the width of the terminal.
struct ProgressLine {
  let verb: String
  var fraction: Double?
  var records = 0
  var bytes = 0
  /// The seconds since the start.
  var seconds = 0.0

  /// The text in at most so many columns. The last parts are the least important.
  func text(columns: Int) -> String {
    var parts = fraction.map { ["\(Int($0 * 100)) %"] } ?? []
    parts.append(verb)
    if let fraction {
      parts.append(Self.bar(fraction))
      if fraction > 0.01 {
        parts.append("ETA \(Numbers.duration(seconds: seconds / fraction - seconds))")
      }
    }
    if records > 0 { parts.append(Numbers.count(records, "record")) }
    if bytes > 0 {
      parts.append(Numbers.size(bytes))
      parts.append("\(Numbers.size(Int(Double(bytes) / max(seconds, 0.001))))/s")
    }
    while parts.count > 1, parts.joined(separator: "  ").columns > columns { parts.removeLast() }
    return String(parts.joined(separator: "  ").prefix(columns: columns))
  }

  private static func bar(_ fraction: Double) -> String {
    let filled = min(24, max(0, Int(fraction * 24)))
    return String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
  }
}
