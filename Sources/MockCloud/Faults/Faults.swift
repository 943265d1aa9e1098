import RecordModel
import Synchronization

/// The faults of the calls of a ``FaultInjectingContainer``.
///
/// ```swift
/// container.faults.fail(.modifyRecords, with: .zoneBusy(retryAfter: 3), times: 2)
/// container.faults.fail(.records, record: noteID, with: .networkFailure(.afterServer))
/// container.faults.run(.modifyRecords) { _ in mock.setAccountStatus(.noAccount) }
/// ```
///
/// Each function chooses the calls by operation, database, zone and record, and which of these by
/// `times`. The faults of a call are decided when the call begins, in the order in which you set them
/// up. After a fault fails a call, no further fault applies to it, or counts it.
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

  /// The faults that happened so far, in the order in which the calls began.
  public var log: FaultLog {
    FaultLog(faults: state.withLock { $0.log.sorted { $0.call < $1.call } })
  }

  /// The number of calls so far.
  public var callCount: Int { state.withLock { $0.callCount } }
}

// MARK: Deciding

extension Faults {
  /// Decides the faults of a call, which has begun.
  func plan(for call: CloudCall) -> FaultPlan {
    state.withLock { state in
      state.callCount += 1
      var plan = FaultPlan(number: state.callCount)
      if let error = limitError(for: call, &state) {
        log(Fault(effect: .error(error, .beforeServer)), in: call, plan.number, &state)
        plan.add(.fail(error), at: .beforeServer)
        return plan
      }
      for index in state.rules.indices where !plan.isFinal {
        let rule = state.rules[index]
        guard rule.filter.contains(call) else { continue }
        if case .fault(let fault) = rule.action {
          guard !fault.isOfResponse(of: call.operation), fault.isPossible(for: call.request) else {
            continue
          }
        }
        state.rules[index].count += 1
        guard rule.times.contains(rule.count + 1) else { continue }
        switch rule.action {
        case .fault(let fault): add(fault, rule.filter, in: call, to: &plan, &state)
        case .hold(let gate, let point): plan.add(.hold(gate), at: point)
        case .run(let body, let point): plan.add(.run(body), at: point)
        }
      }
      guard let schedule = state.schedule else { return plan }
      let filter = CallFilter(call.operation, call.databaseScope)
      for fault in schedule.faults(at: plan.number, call) {
        guard fault.isPossible(for: call.request) else { continue }
        if fault.isOfResponse(of: call.operation) {
          plan.ofResponse.append(fault)
        } else if !plan.isFinal {
          add(fault, filter, in: call, to: &plan, &state)
        }
      }
      return plan
    }
  }

  /// Lets items of a response fail.
  func apply(to response: inout CloudResponse, of call: CloudCall, _ plan: FaultPlan) {
    guard call.operation.hasItemResults, !call.operation.isWriting else { return }
    let items = response.results.map(\.item)
    state.withLock { state in
      func fail(_ selection: ItemSelection, _ error: CloudError) {
        response.fail(selection.items(of: items), with: error)
        log(Fault(effect: .itemErrors(selection, error)), in: call, plan.number, &state)
      }
      for index in state.rules.indices {
        let rule = state.rules[index]
        guard case .fault(let fault) = rule.action, rule.filter.contains(call),
          case .itemErrors(let selection, let error) = fault.effect,
          !selection.items(of: items).isEmpty
        else { continue }
        state.rules[index].count += 1
        if rule.times.contains(rule.count + 1) { fail(selection, error) }
      }
      for case .itemErrors(let selection, let error) in plan.ofResponse.map(\.effect)
      where !selection.items(of: items).isEmpty {
        fail(selection, error)
      }
    }
  }

  private func add(
    _ fault: Fault, _ filter: CallFilter, in call: CloudCall, to plan: inout FaultPlan,
    _ state: inout State
  ) {
    var logged = fault
    switch fault.effect {
    case .error(let error, let point):
      let error = error.completed(for: call.request, fault.condition)
      logged.effect = .error(error, point)
      plan.add(.fail(error), at: point)
    case .limit(let error):
      if let seconds = error.retryAfterSeconds {
        let isOfZone = error.code == .zoneBusy && !call.request.zoneIDs.isEmpty
        state.limits.append(
          ActiveLimit(
            filter: filter, zoneIDs: isOfZone ? call.request.zoneIDs : nil, error: error,
            end: clock.elapsed() + .ofFault(seconds: seconds)))
      }
      plan.add(.fail(error), at: .beforeServer)
    case .itemErrors(let selection, let error):
      plan.fail(selection.items(of: call.request.items), of: call.request, with: error)
    case .latency(let seconds, let point): plan.add(.wait(seconds: seconds), at: point)
    case .crash(let point): plan.crash(at: point)
    case .action(let name, let point):
      let schedule = state.schedule
      plan.add(.run { _ in try await schedule?.run(name) }, at: point)
    }
    log(logged, in: call, plan.number, &state)
  }

  private func log(_ fault: Fault, in call: CloudCall, _ number: Int, _ state: inout State) {
    state.log.append(
      InjectedFault(
        call: number, operation: call.operation, databaseScope: call.databaseScope,
        fault: Fault(effect: fault.effect)))
  }

  /// The error of a call that comes before the time of a limit is over.
  private func limitError(for call: CloudCall, _ state: inout State) -> CloudError? {
    guard !state.limits.isEmpty else { return nil }
    let now = clock.elapsed()
    state.limits.removeAll { $0.end <= now }
    let limit = state.limits.first { limit in
      limit.filter.contains(call)
        && limit.zoneIDs.map { !$0.isDisjoint(with: call.request.zoneIDs) } != false
    }
    guard let limit else { return nil }
    let rest = (limit.end - now).seconds
    guard limit.error.code == .zoneBusy else { return .throttled(retryAfter: rest) }
    var error = limit.error
    error.retryAfterSeconds = rest
    return error
  }
}

extension CloudError {
  /// The error with the server's message for a request with too many items.
  fileprivate func completed(
    for request: CloudRequest, _ condition: Fault.Condition
  ) -> CloudError {
    guard code == .limitExceeded, message.isEmpty, case .items(let maxItems) = condition else {
      return self
    }
    return RequestLimitRule.error(items: request.items.count, maxItems: maxItems)
  }
}

/// The calls that a fault is meant for.
struct CallFilter: Sendable {
  var operation: CloudOperation?
  var databaseScope: DatabaseScope?
  var zoneID: ZoneID?
  var recordID: RecordID?

  init(
    _ operation: CloudOperation?, _ databaseScope: DatabaseScope?, _ zoneID: ZoneID? = nil,
    _ recordID: RecordID? = nil
  ) {
    (self.operation, self.databaseScope) = (operation, databaseScope)
    (self.zoneID, self.recordID) = (zoneID, recordID)
  }

  func contains(_ call: CloudCall) -> Bool {
    if let operation, operation != call.operation { return false }
    if let databaseScope, databaseScope != call.databaseScope { return false }
    if let zoneID, !call.request.zoneIDs.contains(zoneID) { return false }
    if let recordID, !call.request.items.contains(.record(recordID)) { return false }
    return true
  }
}

/// A fault, gate or action that a test has set up for some calls.
struct FaultRule: Sendable {
  enum Action: Sendable {
    case fault(Fault)
    case hold(FaultGate, CallPoint)
    case run(@Sendable (CloudCall) async throws -> Void, CallPoint)
  }

  let filter: CallFilter
  let times: FaultTimes
  let action: Action
  /// The number of calls that it was meant for.
  var count = 0
}
