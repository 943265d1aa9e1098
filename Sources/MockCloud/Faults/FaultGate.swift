import Synchronization

/// Holds calls until the test releases them.
///
/// ```swift
/// let gate = container.faults.hold(.modifyRecords)
/// async let saved = database.save(note)
/// try await gate.waitForCall()
/// // The save has not reached the server yet.
/// gate.release()
/// _ = try await saved
/// ```
///
/// A call that is cancelled while it is held throws `operationCancelled`.
public final class FaultGate: Sendable {
  private let state = Mutex(State())

  private struct State {
    var isOpen = false
    /// The number of calls that may pass although the gate is closed.
    var passes = 0
    var arrivals = 0
    var held: [(call: CloudCall, suspension: Suspension)] = []
    var watchers: [(count: Int, suspension: Suspension)] = []
  }

  init() {}

  /// The calls that are held now, in the order in which they came.
  public var heldCalls: [CloudCall] { state.withLock { $0.held.map(\.call) } }

  /// Waits until this many calls have come to the gate, released ones included.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func waitForCall(_ count: Int = 1) async throws {
    let suspension = Suspension()
    let hasCome = state.withLock { state in
      if state.arrivals < count { state.watchers.append((count, suspension)) }
      return state.arrivals >= count
    }
    if hasCome { return }
    defer { state.withLock { $0.watchers.removeAll { $0.suspension === suspension } } }
    try await suspension.wait()
  }

  /// Opens the gate: releases all calls that it holds, and lets those pass that come later.
  public func release() {
    let held = state.withLock { state in
      defer { state.held = [] }
      state.isOpen = true
      return state.held
    }
    for (_, suspension) in held { suspension.resume() }
  }

  /// Lets this many calls pass: the first ones that are held, and then those that come next.
  public func release(_ count: Int) {
    state.withLock { state in
      state.passes += count
      while state.passes > 0, !state.held.isEmpty {
        // One that was cancelled at this moment does not count.
        if state.held.removeFirst().suspension.resume() { state.passes -= 1 }
      }
    }
  }

  /// Holds a call until it is released.
  ///
  /// - Throws: `CancellationError` if the task is cancelled; the error with which `process` ends waiting calls.
  func pass(_ call: CloudCall, of process: SimulatedProcess) async throws {
    let suspension = Suspension()
    let (mayPass, watchers) = state.withLock { state in
      state.arrivals += 1
      let arrivals = state.arrivals
      let watchers = state.watchers.filter { $0.count <= arrivals }
      state.watchers.removeAll { $0.count <= arrivals }
      let mayPass = state.isOpen || state.passes > 0
      if !mayPass {
        state.held.append((call, suspension))
      } else if !state.isOpen {
        state.passes -= 1
      }
      return (mayPass, watchers)
    }
    for (_, watcher) in watchers { watcher.resume() }
    if mayPass { return }
    process.add(suspension)
    defer {
      process.remove(suspension)
      state.withLock { $0.held.removeAll { $0.suspension === suspension } }
    }
    try await suspension.wait()
  }
}

/// One task that waits until it is resumed or cancelled.
package final class Suspension: Sendable {
  package init() {}

  private let state = Mutex(State())

  private struct State {
    var continuation: CheckedContinuation<Void, any Error>?
    var result: Result<Void, any Error>?
  }

  /// Waits; returns at once if ``resume(with:)`` was called before.
  ///
  /// - Throws: the error with which the task is resumed; `CancellationError` if it is cancelled.
  package func wait() async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state in
          if state.result == nil { state.continuation = continuation }
          return state.result
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      resume(with: .failure(CancellationError()))
    }
  }

  /// Ends the wait.
  ///
  /// - Returns: false if it had ended before.
  @discardableResult
  package func resume(with result: Result<Void, any Error> = .success(())) -> Bool {
    let (isFirst, continuation) = state.withLock { state in
      defer { state.continuation = nil }
      guard state.result == nil else {
        return (false, CheckedContinuation<Void, any Error>?.none)
      }
      state.result = result
      return (true, state.continuation)
    }
    continuation?.resume(with: result)
    return isFirst
  }
}
