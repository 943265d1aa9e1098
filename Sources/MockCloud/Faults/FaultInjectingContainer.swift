import CloudInterface
import RecordModel

import struct Foundation.URL

/// A container around another one, whose calls can be made to fail, to wait, and to be the last of
/// the app.
///
/// ```swift
/// let container = FaultInjectingContainer(try MockContainer.inMemory())
/// let store = NoteStore(container: container)
/// container.faults.fail(.modifyRecords, with: .networkFailure(.afterServer))
/// try await store.save(note)  // retries, and finds its own change
/// ```
///
/// Calls that nothing was set up for go to the other container unchanged.
public struct FaultInjectingContainer<Base: CloudContainer>: CallHandlingContainer {
  /// The container around which this one is.
  public let base: Base
  /// What goes wrong.
  public let faults: Faults
  private let clock: FaultClock
  private let client = FaultClient()

  /// Creates a container whose calls do not fail yet.
  ///
  /// - Parameters:
  ///   - base: the container that gets the calls.
  ///   - clock: the clock of `retryAfter` and of latency, such as a ``ManualClock``.
  public init(_ base: Base, clock: some Clock<Duration> = ContinuousClock()) {
    let clock = FaultClock(clock)
    self.init(base, clock, Faults(clock: clock))
  }

  private init(_ base: Base, _ clock: FaultClock, _ faults: Faults) {
    self.base = base
    self.faults = faults
    self.clock = clock
  }

  /// Returns the container of an app that was started again after a crash, with the same faults.
  public func restarted() -> FaultInjectingContainer {
    FaultInjectingContainer(base, clock, faults)
  }

  /// The identifier of the other container.
  public var containerIdentifier: String? { base.containerIdentifier }

  /// Returns the changes of the account as the other container sends them, without faults.
  public func accountChanges() -> AsyncStream<AccountStatus> { base.accountChanges() }

  /// Returns a file with the content of an asset, as the other container does, without faults.
  public func fileURL(for asset: Asset, in databaseScope: DatabaseScope) async throws -> URL {
    try client.check()
    return try await base.database(with: databaseScope).fileURL(for: asset)
  }

  // MARK: Crashes

  /// Whether the app was killed (``Faults/crash(_:in:zone:record:at:times:)``).
  public var isCrashed: Bool { client.isCrashed }

  /// Kills the app now.
  public func crash() { client.crash() }

  /// Throws an error if the app was killed. A test's own storage calls it before it writes, so that
  /// a crash between two calls keeps it from writing, too.
  ///
  /// - Throws: ``SimulatedCrash``.
  public func checkCrash() throws { try client.check() }

  // MARK: Calls

  /// Makes a call, with what was set up for it.
  ///
  /// - Throws: what the call throws; the errors of faults, which are `CloudError`s; the errors of the
  ///   test's own code; ``SimulatedCrash``.
  public func handle(_ call: CloudCall) async throws -> CloudResponse {
    try client.check()
    let plan = faults.plan(for: call)
    for step in plan.before { try await perform(step, call) }
    let result: Result<CloudResponse, any Error>
    do {
      result = .success(try await answer(call, plan))
    } catch {
      result = .failure(error)
    }
    try client.check()
    for step in plan.after { try await perform(step, call) }
    if plan.crashesAfterReturn { client.crash() }
    return try result.get()
  }

  private func perform(_ step: FaultPlan.Step, _ call: CloudCall) async throws {
    do {
      switch step {
      case .fail(let error): throw error
      case .wait(let seconds): try await clock.sleep(.ofFault(seconds: seconds))
      case .hold(let gate): try await gate.pass(call, of: client)
      case .run(let body): try await body(call)
      case .crash: client.crash()
      }
    } catch is CancellationError {
      try client.check()
      throw CloudError.cancelled
    }
    try client.check()
  }

  private func answer(_ call: CloudCall, _ plan: FaultPlan) async throws -> CloudResponse {
    let skipped = SkippedResults(of: call.request)
    var call = call
    if let skipped { call.request = skipped.request }
    let request = call.request.dropping(Set(plan.itemErrors.keys))
    var response: CloudResponse
    if !plan.itemErrors.isEmpty, request.items.isEmpty, let empty = request.emptyResponse {
      response = empty
    } else if let skipped, skipped.isLastPage {
      response = .query(matchResults: [], queryCursor: nil)
    } else {
      response = try await base.send(CloudCall(request, in: call.databaseScope))
    }
    response = call.request.completing(response, with: plan.itemErrors)
    if let skipped { response = try await skipped.adding(to: response, of: call, from: base) }
    var left: Set<CloudItem> = []
    for (items, error) in faults.responseFaults(for: call, plan, response) {
      if let error {
        response = response.failing(items, with: error)
      } else {
        left.formUnion(items)
      }
    }
    // All at once: the token of the page is then that of the server with all that was left out.
    return left.isEmpty ? response : response.skipping(left)
  }
}

/// A database of a ``FaultInjectingContainer``.
public typealias FaultInjectingDatabase<Base: CloudContainer> = CallHandlingDatabase<
  FaultInjectingContainer<Base>
>
