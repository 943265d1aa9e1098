import CloudInterface
import Foundation
import RecordModel
import Synchronization

/// A container around another one that lets calls fail, wait, and kill the app.
///
/// ```swift
/// let container = FaultInjectingContainer(try MockContainer.inMemory())
/// let store = NoteStore(container: container)
/// container.faults.fail(.modifyRecords, with: .networkFailure(.afterServer))
/// try await store.save(note)  // retries, and finds its own change
/// ```
///
/// Calls without faults go to the other container unchanged.
public struct FaultInjectingContainer<Base: CloudContainer>: CallHandlingContainer {
  /// The container around which this one is.
  public let base: Base
  /// The faults of the calls.
  public let faults: Faults
  private let clock: FaultClock
  private let process = SimulatedProcess()

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
    try process.check()
    return try await base.database(with: databaseScope).fileURL(for: asset)
  }

  // MARK: Crashes

  /// Whether the app was killed (``Faults/crash(_:in:zone:record:at:times:)``).
  public var isCrashed: Bool { process.isCrashed }

  /// Kills the app now.
  public func crash() { process.crash() }

  /// Throws an error if the app was killed. A test's own storage calls it before it writes, so that
  /// a crash between two calls keeps it from writing, too.
  ///
  /// - Throws: ``SimulatedCrash``.
  public func checkCrash() throws { try process.check() }

  // MARK: Calls

  /// Makes a call, with its faults.
  ///
  /// - Throws: what the call throws; the errors of faults, which are `CloudError`s; the errors of the
  ///   test's own code; ``SimulatedCrash``.
  public func handle(_ call: CloudCall) async throws -> CloudResponse {
    try process.check()
    let plan = faults.plan(for: call)
    for step in plan.before { try await perform(step, call) }
    let result: Result<CloudResponse, any Error>
    do {
      result = .success(try await answer(call, plan))
    } catch {
      result = .failure(error)
    }
    try process.check()
    for step in plan.after { try await perform(step, call) }
    if plan.crashesAfterReturn { process.crash() }
    return try result.get()
  }

  private func perform(_ step: FaultPlan.Step, _ call: CloudCall) async throws {
    do {
      switch step {
      case .fail(let error): throw error
      case .wait(let seconds): try await clock.sleep(.ofFault(seconds: seconds))
      case .hold(let gate): try await gate.pass(call, of: process)
      case .run(let body): try await body(call)
      case .crash: process.crash()
      }
    } catch is CancellationError {
      try process.check()
      throw CloudError.cancelled
    }
    try process.check()
  }

  private func answer(_ call: CloudCall, _ plan: FaultPlan) async throws -> CloudResponse {
    let request = call.request.dropping(Set(plan.itemErrors.keys))
    // A request whose items all fail is not sent.
    let isSent = plan.itemErrors.isEmpty || !request.items.isEmpty
    var response =
      isSent
      ? try await base.send(CloudCall(request, in: call.databaseScope)) : CloudResponse()
    response.add(plan.itemErrors, of: call.request)
    faults.apply(to: &response, of: call, plan)
    return response
  }
}

/// A database of a ``FaultInjectingContainer``.
package typealias FaultInjectingDatabase<Base: CloudContainer> = CallHandlingDatabase<
  FaultInjectingContainer<Base>
>

/// The app was killed: every call after a crash point throws this error, until the test makes a new
/// client (``FaultInjectingContainer/restarted()``).
///
/// It is not a `CloudError`, so that code that handles a `CloudError` does not continue.
public struct SimulatedCrash: Error, Sendable, Hashable {
  init() {}
}

extension SimulatedCrash: CustomStringConvertible, LocalizedError {
  /// The error in one line.
  public var description: String { "the app was killed at a crash point of the test" }

  /// The same text as ``description``.
  public var errorDescription: String? { description }
}

/// The state of one run of the app, which a crash ends.
final class SimulatedProcess: Sendable {
  private let state = Mutex(State())

  private struct State {
    var isCrashed = false
    var waiting: [Suspension] = []
  }

  var isCrashed: Bool { state.withLock { $0.isCrashed } }

  /// - Throws: ``SimulatedCrash`` after a crash.
  func check() throws {
    if isCrashed { throw SimulatedCrash() }
  }

  /// Ends the run; calls that wait at a gate end with ``SimulatedCrash``.
  func crash() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.isCrashed = true
      return state.waiting
    }
    for suspension in waiting { suspension.resume(with: .failure(SimulatedCrash())) }
  }

  func add(_ suspension: Suspension) {
    let isCrashed = state.withLock { state in
      if !state.isCrashed { state.waiting.append(suspension) }
      return state.isCrashed
    }
    if isCrashed { suspension.resume(with: .failure(SimulatedCrash())) }
  }

  func remove(_ suspension: Suspension) {
    state.withLock { $0.waiting.removeAll { $0 === suspension } }
  }
}

/// The faults of a call, decided when it begins.
struct FaultPlan: Sendable {
  enum Step: Sendable {
    case fail(CloudError)
    case wait(seconds: Double)
    case hold(FaultGate)
    case run(@Sendable (CloudCall) async throws -> Void)
    case crash
  }

  /// The number of the call, from 1.
  let number: Int
  var before: [Step] = []
  var after: [Step] = []
  /// The errors of items of a request that changes something.
  var itemErrors: [CloudItem: CloudError] = [:]
  /// The faults of a schedule that are decided when the response is known.
  var ofResponse: [Fault] = []
  var crashesAfterReturn = false
  /// Whether the call does not go on after these steps.
  private(set) var isFinal = false

  init(number: Int) { self.number = number }

  mutating func add(_ step: Step, at point: CallPoint) {
    switch point {
    case .beforeServer: before.append(step)
    case .afterServer: after.append(step)
    }
    switch step {
    case .fail, .crash: isFinal = true
    case .wait, .hold, .run: break
    }
  }

  mutating func crash(at point: CrashPoint) {
    switch point {
    case .beforeServer: add(.crash, at: .beforeServer)
    case .afterServer: add(.crash, at: .afterServer)
    case .afterReturn: crashesAfterReturn = true
    }
  }

  /// Lets items of a request fail, and with them those that an atomic request would have saved or
  /// deleted in the same zones.
  mutating func fail(_ items: Set<CloudItem>, of request: CloudRequest, with error: CloudError) {
    for item in items { itemErrors[item] = error }
    guard case .modifyRecords(_, _, _, atomically: true) = request else { return }
    let zones = Set(items.compactMap(\.enclosingZoneID)).filter { !$0.isDefault }
    for item in request.items where itemErrors[item] == nil {
      guard let zoneID = item.enclosingZoneID, zones.contains(zoneID) else { continue }
      itemErrors[item] = CloudError(.batchRequestFailed).withServerMessage
    }
  }
}
