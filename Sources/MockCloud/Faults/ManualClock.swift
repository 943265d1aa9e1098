import Foundation
import Synchronization

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let mock = try MockContainer.inMemory(now: { clock.date })
/// let container = FaultInjectingContainer(mock, clock: clock)
/// ```
public final class ManualClock: Clock, Sendable {
  /// A point in time, as the duration since the clock was made.
  public struct Instant: InstantProtocol {
    /// The duration since the clock was made.
    public var offset: Duration

    /// Returns the instant that is later by a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the duration to another instant.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether one instant is before another.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private let start: Date
  private let advancesWhenSleeping: Bool
  private let state = Mutex(State())

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [(deadline: Instant, suspension: Suspension)] = []
    var watchers: [(count: Int, suspension: Suspension)] = []
  }

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - date: the date of the clock's start.
  ///   - advancesWhenSleeping: whether a task that sleeps moves the clock to the end of its sleep
  ///     and continues, so that nothing waits. Otherwise it waits for ``advance(by:)``.
  public init(
    date: Date = Date(timeIntervalSinceReferenceDate: 0), advancesWhenSleeping: Bool = false
  ) {
    start = date
    self.advancesWhenSleeping = advancesWhenSleeping
  }

  /// The time of the clock.
  public var now: Instant { state.withLock { $0.now } }

  /// The time of the clock as a date.
  public var date: Date { start.addingTimeInterval(now.offset.seconds) }

  /// The clock has no smallest step.
  public var minimumResolution: Duration { .zero }

  /// Waits until the clock was moved to a time, or moves it there itself.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    if advancesWhenSleeping { return advance(to: deadline) }
    let suspension = Suspension()
    let watchers = state.withLock { state -> [Suspension]? in
      guard deadline > state.now else { return nil }
      state.sleepers.append((deadline, suspension))
      let count = state.sleepers.count
      defer { state.watchers.removeAll { $0.count <= count } }
      return state.watchers.filter { $0.count <= count }.map(\.suspension)
    }
    guard let watchers else { return }
    for watcher in watchers { watcher.resume() }
    defer { state.withLock { $0.sleepers.removeAll { $0.suspension === suspension } } }
    try await suspension.wait()
  }

  /// Waits until this many tasks sleep on the clock.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func waitForSleep(_ count: Int = 1) async throws {
    try Task.checkCancellation()
    let suspension = Suspension()
    let isReached = state.withLock { state in
      if state.sleepers.count < count { state.watchers.append((count, suspension)) }
      return state.sleepers.count >= count
    }
    if isReached { return }
    defer { state.withLock { $0.watchers.removeAll { $0.suspension === suspension } } }
    try await suspension.wait()
  }

  /// Moves the clock, and wakes the tasks whose sleep has ended.
  public func advance(by duration: Duration) {
    advance(to: now.advanced(by: duration))
  }

  /// Moves the clock to the end of the shortest sleep, if a task sleeps.
  package func advanceToNextSleeper() {
    guard let time = state.withLock({ $0.sleepers.map(\.deadline).min() }) else { return }
    advance(to: time)
  }

  private func advance(to time: Instant) {
    let awake = state.withLock { state in
      state.now = max(state.now, time)
      let now = state.now
      defer { state.sleepers.removeAll { $0.deadline <= now } }
      return state.sleepers.filter { $0.deadline <= now }
    }
    for (_, suspension) in awake { suspension.resume() }
  }
}

extension Duration {
  /// Creates the duration of a fault; one that no clock can wait for is 30 years, and a number that
  /// is none is nothing.
  static func ofFault(seconds: Double) -> Duration {
    seconds.isNaN ? .zero : .seconds(max(-1e9, min(seconds, 1e9)))
  }

  /// The duration in seconds.
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

/// A clock of any type, as far as faults need it.
struct FaultClock: Sendable {
  /// Returns the time since the clock was wrapped.
  let elapsed: @Sendable () -> Duration
  let sleep: @Sendable (Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
  }
}
