import MockCloud
import RecordCoding
import Synchronization

/// The faults of a handler, and the requests that wait.
package final class WebFaults: Sendable {
  private struct State {
    var faults: [ArmedFault] = []
    var next = 0
    /// The requests that wait, by number.
    var held: [Int: (path: String, suspension: Suspension)] = [:]
  }

  /// The maximum number of faults.
  private static let capacity = 1000

  private let state = Mutex(State())

  /// Sets up a fault.
  ///
  /// - Returns: its number.
  /// - Throws: ``WebError``: `BAD_REQUEST` for a fault that is none, and for too many.
  package func add(_ fault: WebFault) throws -> Int {
    try fault.check()
    return try state.withLock { state in
      guard state.faults.count < Self.capacity else {
        throw WebError(.badRequest, "there are \(Self.capacity) faults already")
      }
      state.next += 1
      state.faults.append(ArmedFault(fault, id: state.next))
      return state.next
    }
  }

  /// Removes all faults, and lets all requests go on that wait.
  package func clear() {
    state.withLock { $0.faults = [] }
    _ = release(nil)
  }

  /// The faults, and the requests that wait.
  var json: JSONValue {
    state.withLock { state in
      .object([
        .init("faults", .array(state.faults.map(\.json))),
        .init(
          "held",
          .array(
            state.held.sorted { $0.key < $1.key }.map { id, request in
              .object([.init("id", .integer(id)), .init("endpoint", .string(request.path))])
            })),
      ])
    }
  }

  /// The paths of the requests that wait, in the order of their arrival.
  package var held: [String] {
    state.withLock { $0.held.sorted { $0.key < $1.key }.map(\.value.path) }
  }

  // MARK: Requests

  /// Whether a fault is for the requests to a path, and not for all.
  func name(_ path: String) -> Bool {
    state.withLock { state in state.faults.contains { $0.fault.endpoint == path } }
  }

  /// Returns the faults that happen to a request, in their order.
  ///
  /// One of them at most answers it. Others that would stay for the requests to come, so that a test
  /// can set up one response after the other.
  func happening(to path: String, naming names: RequestNames) -> [WebFault] {
    state.withLock { state in
      var found: [WebFault] = []
      var isAnswered = false
      for index in state.faults.indices {
        let fault = state.faults[index].fault
        guard !isAnswered || !fault.isAnswer,
          state.faults[index].happens(to: path, naming: names)
        else { continue }
        found.append(fault)
        isAnswered = isAnswered || fault.isAnswer
      }
      return found
    }
  }

  /// Waits until the request is released.
  func hold(_ path: String) async throws {
    let suspension = Suspension()
    let id = state.withLock { state in
      state.next += 1
      state.held[state.next] = (path, suspension)
      return state.next
    }
    defer { state.withLock { $0.held[id] = nil } }
    try await suspension.wait()
  }

  /// Lets a request go on, or all for nil.
  ///
  /// - Returns: the number of requests.
  package func release(_ id: Int?) -> Int {
    let released = state.withLock { state in
      guard let id else {
        defer { state.held = [:] }
        return state.held.values.map(\.suspension)
      }
      return [state.held.removeValue(forKey: id)?.suspension].compactMap(\.self)
    }
    for suspension in released { suspension.resume() }
    return released.count
  }
}
