import RecordModel
import Synchronization

/// The app was killed: what every call throws after a crash point, until the test makes a new
/// client (``FaultInjectingContainer/restarted()``).
///
/// It is not a `CloudError`, so that code which handles those does not go on.
public struct SimulatedCrash: Error, Sendable, Hashable {
  /// Creates the error.
  public init() {}
}

extension SimulatedCrash: CustomStringConvertible {
  /// The error in one line.
  public var description: String { "the app was killed at a crash point of the test" }
}

/// The state of one run of the app, which a crash ends.
final class FaultClient: Sendable {
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
