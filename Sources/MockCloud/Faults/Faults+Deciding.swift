import RecordModel
import Synchronization

/// Deciding what happens to a call.
extension Faults {
  /// Decides what happens to a call, which has begun.
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
      let filter = CallFilter(operation: call.operation, databaseScope: call.databaseScope)
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

  /// Decides which items of a response fail or are skipped.
  func responseFaults(
    for call: CloudCall, _ plan: FaultPlan, _ response: CloudResponse
  ) -> [(items: Set<CloudItem>, error: CloudError?)] {
    state.withLock { state in
      var found: [(items: Set<CloudItem>, error: CloudError?)] = []
      func add(_ fault: Fault) -> Bool {
        guard let (chosen, error) = fault.chosen(of: response) else { return false }
        found.append((chosen, error))
        log(fault, in: call, plan.number, &state)
        return true
      }
      for index in state.rules.indices {
        let rule = state.rules[index]
        guard case .fault(let fault) = rule.action, rule.filter.contains(call),
          fault.isOfResponse(of: call.operation), fault.chosen(of: response) != nil
        else { continue }
        state.rules[index].count += 1
        if rule.times.contains(rule.count + 1) { _ = add(fault) }
      }
      for fault in plan.ofResponse { _ = add(fault) }
      return found
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
      if let seconds = error.retryAfter {
        let isOfZone = error.code == .zoneBusy && !call.request.zoneIDs.isEmpty
        state.limits.append(
          ActiveLimit(
            filter: filter, zoneIDs: isOfZone ? call.request.zoneIDs : nil, error: error,
            end: clock.elapsed() + .ofFault(seconds: seconds)))
      }
      plan.add(.fail(error), at: .beforeServer)
    case .itemErrors(let choice, let error):
      plan.fail(choice.items(of: call.request.items), of: call.request, with: error)
    case .latency(let seconds, let point): plan.add(.wait(seconds: seconds), at: point)
    case .crash(let point): plan.crash(at: point)
    case .action(let name, let point):
      guard let action = state.schedule?.actions[name] else { return }
      plan.add(.run { _ in try await action() }, at: point)
    case .skip: return
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
    error.retryAfter = rest
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

extension Fault {
  /// The items of a response that the fault happens to, and their error; no error if they are
  /// skipped. Nil for none.
  fileprivate func chosen(of response: CloudResponse) -> (Set<CloudItem>, CloudError?)? {
    let (chosen, error): (Set<CloudItem>, CloudError?)
    switch effect {
    case .itemErrors(let choice, let itemError):
      (chosen, error) = (choice.items(of: response.itemsWithResults), itemError)
    case .skip(let choice): (chosen, error) = (choice.items(of: response.items), nil)
    case .error, .limit, .latency, .crash, .action: return nil
    }
    return chosen.isEmpty ? nil : (chosen, error)
  }
}
