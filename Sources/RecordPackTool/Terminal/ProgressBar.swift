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
  private static let barWidth = 24

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

  /// Takes a report; throws where the work is to be called off.
  func update(_ progress: ArchiveProgress) throws {
    try update(Report(progress.records, progress.bytes, progress.fraction))
  }

  /// Takes a report in bytes only.
  func update(done: Int, total: Int) throws {
    try update(Report(0, done, total > 0 ? min(1, Double(done) / Double(total)) : nil))
  }

  private struct Report {
    let records: Int
    let bytes: Int
    let fraction: Double?

    init(_ records: Int, _ bytes: Int, _ fraction: Double?) {
      self.records = records
      self.bytes = bytes
      self.fraction = fraction
    }
  }

  private func update(_ report: Report) throws {
    try Interruption.check()
    guard isVisible else { return }
    let now = ContinuousClock.now
    let isDue = state.withLock { state in
      guard now - state.lastDrawing >= Self.interval else { return false }
      state.lastDrawing = now
      return true
    }
    if isDue { draw(report, seconds: (now - start) / .seconds(1)) }
  }

  private func draw(_ progress: Report, seconds: Double) {
    var parts = [verb]
    if let fraction = progress.fraction {
      let filled = Int(fraction * Double(Self.barWidth))
      parts.append(
        String(repeating: "█", count: filled)
          + String(repeating: "░", count: Self.barWidth - filled))
      parts.append("\(Int(fraction * 100)) %")
    }
    if progress.records > 0 { parts.append(Numbers.count(progress.records, "record")) }
    if progress.bytes > 0 {
      parts.append(Numbers.size(progress.bytes))
      parts.append("\(Numbers.size(Int(Double(progress.bytes) / seconds)))/s")
    }
    if let fraction = progress.fraction, fraction > 0.01 {
      parts.append("ETA \(Numbers.duration(seconds: seconds / fraction - seconds))")
    }
    let line = parts.joined(separator: "  ")
    StandardError.write("\r\(line.prefix(StandardOutput.columns(of: STDERR_FILENO) - 1))\u{1B}[K")
    Self.isOnScreen.store(true, ordering: .relaxed)
  }

  /// Takes the bar off the screen, where one is there.
  static func clearLine() {
    if isOnScreen.exchange(false, ordering: .relaxed) { StandardError.write("\r\u{1B}[K") }
  }
}
