import Synchronization

/// Decides when an engine works by itself. All times are times of the engine's clock.
///
/// Nothing here waits. A task sleeps until the next deadline and then wakes the engine's loop.
final class Schedule: Sendable {
  /// A kind of work. When several are due, they are done in this order.
  enum Work: Int, Comparable, CaseIterable {
    case account, state, sync

    static func < (lhs: Work, rhs: Work) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// The operation that is running.
  enum Phase {
    case idle
    case fetching
    case sending
  }

  private struct State {
    var deadlines: [Work: Duration] = [:]
    var phase = Phase.idle
    var needsFetch = false
    var needsSend = false
    /// Changes were added since the send began.
    var hasAdditions = false
    /// Changes were added since the delegate was asked for a batch.
    var hasUnseenAdditions = false
    /// The user may have changed since the last check.
    var needsAccountCheck = false
    var isStopped = false
    /// The number of operations that run or wait for their turn.
    var activeCount = 0
    var sleeper: (deadline: Duration, task: Task<Void, Never>)?
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let clock: SyncClock
  private let rules: SyncRules
  let isAutomatic: Bool
  /// Whether a testbed does the work that is due, and not the engine's own loop.
  let isDriven: Bool
  /// Yields when something is due.
  let wakes: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation

  init(_ clock: SyncClock, _ rules: SyncRules, isAutomatic: Bool, isDriven: Bool) {
    self.clock = clock
    self.rules = rules
    self.isAutomatic = isAutomatic
    self.isDriven = isDriven
    (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  // MARK: What happens

  /// The app has called the state.
  ///
  /// - Parameters:
  ///   - isChanged: Whether the state is another one. If it is not, there is no `stateUpdate`: an app that
  ///     adds the same changes in each `stateUpdate` would never come to rest.
  ///   - addsChanges: Whether the app wants changes to be sent.
  func stateChanged(_ isChanged: Bool, addsChanges: Bool) {
    change { state, now in
      if isChanged {
        state.deadlines[.state] = state.deadlines[.state] ?? now + rules.stateUpdateDelay
      }
      guard addsChanges, isAutomatic else { return }
      switch state.phase {
      case .idle: setSync(&state, now, sends: true)
      // The sync sends them when it has fetched.
      case .fetching: state.needsSend = true
      // The send finds them, unless it ends with a failure: "adding schedules a sync only when none
      // is scheduled or running" (`pfriesch/sqlite-data`; Apple Developer Forums 829402).
      case .sending: (state.hasAdditions, state.hasUnseenAdditions) = (true, true)
      }
    }
  }

  /// A push has arrived.
  func pushed() { syncSoon(fetches: true) }

  /// Another user may have signed in.
  func accountChanged() {
    change { state, now in
      state.needsAccountCheck = true
      state.deadlines[.account] = state.deadlines[.account] ?? now + rules.accountCheckDelay
    }
  }

  /// The account was checked.
  ///
  /// - Parameter startsSync: whether the engine begins anew, or can work again.
  func accountChecked(startsSync: Bool) {
    change { state, now in
      state.needsAccountCheck = false
      state.deadlines[.account] = nil
      if startsSync { setSync(&state, now, fetches: true, sends: true) }
    }
  }

  /// The account could not be checked.
  func accountCheckFailed() {
    change { state, now in state.deadlines[.account] = now + rules.retryInterval }
  }

  /// Schedules a sync after some time, later than one that is already scheduled.
  func retry(after delay: Duration) {
    change { state, now in
      guard isAutomatic else { return }
      (state.needsFetch, state.needsSend) = (true, true)
      state.deadlines[.sync] = max(state.deadlines[.sync] ?? .zero, now + delay)
    }
  }

  /// Schedules a sync soon.
  func syncSoon(fetches: Bool = false, sends: Bool = false) {
    change { state, now in setSync(&state, now, fetches: fetches, sends: sends) }
  }

  /// The delegate is asked for a batch: it sees the changes that were added so far.
  func showsAdditions() { state.withLock { $0.hasUnseenAdditions = false } }

  /// Whether changes were added since the send began.
  var hasAdditions: Bool { state.withLock { $0.hasAdditions } }

  /// Whether changes were added since the delegate was asked for a batch.
  var hasUnseenAdditions: Bool { state.withLock { $0.hasUnseenAdditions } }

  /// The next sync fetches first, whenever it comes.
  func fetchBeforeNextSend() { state.withLock { $0.needsFetch = true } }

  /// Forgets the scheduled sync.
  func cancelSync() { change { state, _ in state.deadlines[.sync] = nil } }

  /// A state is being delivered: the app has all changes so far.
  func deliversState() { change { state, _ in state.deadlines[.state] = nil } }

  /// Schedules a sync soon, if the engine works by itself.
  private func setSync(
    _ state: inout State, _ now: Duration, fetches: Bool = false, sends: Bool = false
  ) {
    guard isAutomatic else { return }
    if fetches { state.needsFetch = true }
    if sends { state.needsSend = true }
    // A scheduled sync keeps its time: a throttled engine is silent until then.
    state.deadlines[.sync] = state.deadlines[.sync] ?? now + rules.syncDelay
  }

  // MARK: The loop

  /// Takes the work that is due. The caller is active until it calls ``end()``, if there is any.
  func takeDue() -> [Work] {
    var due: [Work] = []
    change { state, now in
      // A sleep may end a little early: what is left needs another.
      state.sleeper?.task.cancel()
      state.sleeper = nil
      due = state.deadlines.filter { $0.value <= now }.keys.sorted()
      for work in due { state.deadlines[work] = nil }
      if !due.isEmpty { state.activeCount += 1 }
    }
    return due
  }

  /// An operation waits for its turn, or runs.
  func begin() { state.withLock { $0.activeCount += 1 } }

  /// An operation has ended.
  func end() { change { state, _ in state.activeCount -= 1 } }

  /// Begins a phase.
  func enter(_ phase: Phase) {
    state.withLock { state in
      state.phase = phase
      (state.hasAdditions, state.hasUnseenAdditions) = (false, false)
    }
  }

  /// Ends a phase. Changes that were added during a fetch are sent soon.
  func leave() {
    change { state, now in
      state.phase = .idle
      if state.needsSend { setSync(&state, now, sends: true) }
    }
  }

  /// Takes what the sync that begins has to do.
  func takeNeeds() -> (fetches: Bool, sends: Bool) {
    state.withLock { state in
      defer { (state.needsFetch, state.needsSend) = (false, false) }
      return (state.needsFetch, state.needsSend)
    }
  }

  /// Takes whether there is something to send, after a fetch.
  func takeNeedsSend() -> Bool {
    state.withLock { state in
      defer { state.needsSend = false }
      return state.needsSend
    }
  }

  var needsAccountCheck: Bool { state.withLock { $0.needsAccountCheck } }

  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// The time of the next work; nil if there is none.
  var nextDeadline: Duration? { state.withLock { $0.deadlines.values.min() } }

  /// Ends all work for good.
  func stop() {
    change { state, _ in
      state.isStopped = true
      state.deadlines = [:]
    }
    wake.finish()
  }

  /// Waits until no operation runs or is due.
  func waitUntilIdle() async {
    await withCheckedContinuation { continuation in
      change { state, _ in state.idleWaiters.append(continuation) }
    }
  }

  // MARK: Deadlines

  /// Changes the state, and has a task sleep until the next deadline.
  private func change(_ body: (inout State, Duration) -> Void) {
    let now = clock.elapsed()
    let idle = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      body(&state, now)
      if state.isStopped { state.deadlines = [:] }
      setSleeper(&state)
      let isDue = !isDriven && state.deadlines.values.contains { $0 <= now }
      guard state.activeCount == 0, !isDue else { return [] }
      defer { state.idleWaiters = [] }
      return state.idleWaiters
    }
    for continuation in idle { continuation.resume() }
  }

  private func setSleeper(_ state: inout State) {
    guard !isDriven else { return }
    let next = state.deadlines.values.min()
    guard next != state.sleeper?.deadline else { return }
    state.sleeper?.task.cancel()
    state.sleeper = next.map { deadline in
      let task = Task.detached { [clock, wake] in
        guard (try? await clock.sleep(deadline)) != nil else { return }
        wake.yield()
      }
      return (deadline, task)
    }
  }
}

/// A clock of any type, as far as an engine needs it. Times count from the engine's creation.
struct SyncClock: Sendable {
  /// Returns the time since the engine was made.
  let elapsed: @Sendable () -> Duration
  /// Waits until a time.
  let sleep: @Sendable (_ time: Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }
}
