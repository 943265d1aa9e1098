import RecordModel
import Synchronization

/// What goes wrong in the calls of a ``FaultInjectingContainer``.
///
/// ```swift
/// container.faults.fail(.modifyRecords, with: .zoneBusy(retryAfter: 3), times: 2)
/// container.faults.fail(.records, record: noteID, with: .networkFailure(.afterServer))
/// container.faults.run(.modifyRecords) { _ in mock.setAccountStatus(.noAccount) }
/// ```
///
/// Each function chooses the calls by operation, database, zone and record, and which of these by
/// `times`. What happens to a call is decided when it begins. What was set up first comes first; what
/// fails the call is the last that happens to it, and is not counted for what was set up later.
public final class Faults: Sendable {
  let clock: FaultClock
  let state = Mutex(State())

  struct State: Sendable {
    var rules: [FaultRule] = []
    var schedule: FaultSchedule?
    var callCount = 0
    var limits: [ActiveLimit] = []
    var log: [InjectedFault] = []
  }

  /// A limit whose time is not over.
  struct ActiveLimit: Sendable {
    let filter: CallFilter
    /// For `zoneBusy`: the busy zones.
    let zoneIDs: Set<ZoneID>?
    let error: CloudError
    let end: Duration
  }

  init(clock: FaultClock) { self.clock = clock }

  // MARK: Setting up

  /// Lets calls fail.
  ///
  /// - Parameters:
  ///   - operation: the calls that fail; nil for all.
  ///   - databaseScope: the database; nil for all, and for calls of the container.
  ///   - zoneID: a zone that the request names or whose records it names; nil for any or none.
  ///   - recordID: a record that the request names; nil for any or none.
  ///   - fault: what happens.
  ///   - times: which of these calls fail.
  public func fail(
    _ operation: CloudOperation? = nil, in databaseScope: DatabaseScope? = nil,
    zone zoneID: ZoneID? = nil, record recordID: RecordID? = nil, with fault: Fault,
    times: FaultTimes = .once
  ) {
    add(.fault(fault), to: CallFilter(operation, databaseScope, zoneID, recordID), times)
  }

  /// Kills the app in a call: it and all later calls of this client throw ``SimulatedCrash``. See
  /// ``fail(_:in:zone:record:with:times:)`` for the other parameters.
  public func crash(
    _ operation: CloudOperation? = nil, in databaseScope: DatabaseScope? = nil,
    zone zoneID: ZoneID? = nil, record recordID: RecordID? = nil,
    at point: CrashPoint = .afterServer, times: FaultTimes = .once
  ) {
    let fault = Fault(effect: .crash(point))
    add(.fault(fault), to: CallFilter(operation, databaseScope, zoneID, recordID), times)
  }

  /// Lets calls take some time, on the container's clock. See
  /// ``fail(_:in:zone:record:with:times:)`` for the other parameters.
  public func delay(
    _ operation: CloudOperation? = nil, in databaseScope: DatabaseScope? = nil,
    zone zoneID: ZoneID? = nil, record recordID: RecordID? = nil, by duration: Duration,
    at point: CallPoint = .beforeServer, times: FaultTimes = .always
  ) {
    let fault = Fault(effect: .latency(seconds: duration.seconds, point))
    add(.fault(fault), to: CallFilter(operation, databaseScope, zoneID, recordID), times)
  }

  /// Holds calls until the test releases them. See ``fail(_:in:zone:record:with:times:)`` for the
  /// other parameters.
  public func hold(
    _ operation: CloudOperation? = nil, in databaseScope: DatabaseScope? = nil,
    zone zoneID: ZoneID? = nil, record recordID: RecordID? = nil,
    at point: CallPoint = .beforeServer, times: FaultTimes = .once
  ) -> FaultGate {
    let gate = FaultGate()
    add(.hold(gate, point), to: CallFilter(operation, databaseScope, zoneID, recordID), times)
    return gate
  }

  /// Runs code of the test in the middle of calls: another device's change, a switch of the account,
  /// a purge of the zone. An error that it throws is the call's. See
  /// ``fail(_:in:zone:record:with:times:)`` for the other parameters.
  public func run(
    _ operation: CloudOperation? = nil, in databaseScope: DatabaseScope? = nil,
    zone zoneID: ZoneID? = nil, record recordID: RecordID? = nil,
    at point: CallPoint = .beforeServer, times: FaultTimes = .once,
    _ body: @escaping @Sendable (CloudCall) async throws -> Void
  ) {
    add(.run(body, point), to: CallFilter(operation, databaseScope, zoneID, recordID), times)
  }

  /// Lets calls fail by a schedule; nil for none. The first call is that after the last one so far.
  ///
  /// A schedule comes after everything else that is set up.
  public func follow(_ schedule: FaultSchedule?) {
    state.withLock { state in
      state.schedule = schedule
      state.schedule?.start = state.callCount
    }
  }

  /// Removes everything that was set up, ends all limits, and releases all held calls.
  public func removeAll() {
    let rules = state.withLock { state in
      defer { state.rules = [] }
      state.limits = []
      state.schedule = nil
      return state.rules
    }
    for rule in rules { if case .hold(let gate, _) = rule.action { gate.release() } }
  }

  private func add(_ action: FaultRule.Action, to filter: CallFilter, _ times: FaultTimes) {
    state.withLock { $0.rules.append(FaultRule(filter: filter, times: times, action: action)) }
  }

  // MARK: What happened

  /// The faults that happened so far, in the order of the calls' begins. Printed and parsed again,
  /// it is a schedule with the same faults (``FaultSchedule/init(_:)``).
  public var log: FaultLog {
    FaultLog(faults: state.withLock { $0.log.sorted { $0.call < $1.call } })
  }

  /// The number of calls so far.
  public var callCount: Int { state.withLock { $0.callCount } }
}

extension CallFilter {
  fileprivate init(
    _ operation: CloudOperation?, _ databaseScope: DatabaseScope?, _ zoneID: ZoneID?,
    _ recordID: RecordID?
  ) {
    self.init(
      operation: operation, databaseScope: databaseScope, zoneID: zoneID, recordID: recordID)
  }
}
