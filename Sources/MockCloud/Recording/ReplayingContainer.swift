import CloudInterface
import RecordCoding
import Synchronization

/// A container that returns results from a recording, or results that are written by hand.
///
/// ```swift
/// let container = ReplayingContainer(try Recording(path: path))
/// try await NoteStore(container: container).sync()
/// try container.finish()
/// ```
///
/// A call without a recorded result throws a ``RecordingError`` with the call and the expected
/// call. The recorded call stays unused.
public final class ReplayingContainer: CallHandlingContainer {
  /// Selects the recorded call whose result a call returns.
  public enum Order: Sendable, Hashable, CaseIterable {
    /// The next one, in the order in which they began; it must ask the same.
    case recorded
    /// The first unused one that asks the same.
    case matching
    /// The first unused one that asks the same, or else the last used one that did.
    case matchingRepeatedly
  }

  /// The parts of a call that must be equal.
  public enum Comparison: Sendable, Hashable, CaseIterable {
    /// The operation, the database and all arguments.
    case arguments
    /// The operation and the database, for an app that makes up names of records.
    case operations
  }

  /// The identifier of the recorded container.
  public let containerIdentifier: String?
  private let entries: [Entry]
  private let order: Order
  private let comparison: Comparison
  private let damage: RecordingError?
  private let state = Mutex(State())

  private enum Entry {
    case recorded(RecordedCall)
    case written(ReplayResult)
  }

  private struct State {
    var used: [Bool] = []
    var callCount = 0
    var errors: [RecordingError] = []
  }

  /// Replays a recording.
  public convenience init(
    _ recording: Recording, order: Order = .recorded, comparing comparison: Comparison = .arguments
  ) {
    self.init(
      recording.calls.sorted { $0.begin < $1.begin }.map(Entry.recorded), order, comparison,
      recording.containerIdentifier, recording.damage)
  }

  /// Returns results in their order, whatever is actual, as long as they are results of the operation.
  public convenience init(results: [ReplayResult], containerIdentifier: String? = nil) {
    self.init(
      results.map(Entry.written), .recorded, .operations, containerIdentifier, nil)
  }

  private init(
    _ entries: [Entry], _ order: Order, _ comparison: Comparison, _ containerIdentifier: String?,
    _ damage: RecordingError?
  ) {
    self.entries = entries
    self.order = order
    self.comparison = comparison
    self.containerIdentifier = containerIdentifier
    self.damage = damage
    state.withLock { $0.used = entries.map { _ in false } }
  }

  /// Returns a sequence that ends at once: changes of the account are not recorded.
  public func accountChanges() -> AsyncStream<AccountStatus> { AsyncStream { $0.finish() } }

  // MARK: The end of a test

  /// Whether all recorded calls, or results, have been used.
  package var isFinished: Bool { state.withLock { $0.used.allSatisfy(\.self) } }

  /// The recorded calls, or results, that have not been used.
  public var unusedCalls: [String] {
    let used = state.withLock { $0.used }
    return zip(entries, used).filter { !$0.1 }.map { Self.description(of: $0.0) }
  }

  /// The errors of calls without a recorded result; the app may have hidden them.
  public var errors: [RecordingError] { state.withLock { $0.errors } }

  /// Checks that all calls had a recorded result, and that no recorded call is left.
  ///
  /// - Throws: the first error of a call; ``RecordingError/Code-swift.enum/unusedCalls``.
  public func finish() throws {
    if let error = errors.first { throw error }
    let unused = unusedCalls
    guard unused.isEmpty else {
      throw RecordingError(
        .unusedCalls, "\(unused.count) recorded calls were not made", details: unused)
    }
  }

  // MARK: Calls

  /// Returns the result of a call.
  ///
  /// - Throws: the recorded error; ``RecordingError``.
  public func handle(_ call: CloudCall) async throws -> CloudResponse {
    var assets = AssetCollector(keepsContents: false)
    let actual = ActualCall(call: call, request: try? call.request.json(&assets))
    return try state.withLock { state in
      state.callCount += 1
      do throws(RecordingError) {
        let index = try index(for: actual, state)
        let result = try result(of: entries[index], for: call, state)
        state.used[index] = true
        return result
      } catch {
        state.errors.append(error)
        throw error
      }
    }.get()
  }

  private func index(for actual: ActualCall, _ state: State) throws(RecordingError) -> Int {
    let next = state.used.firstIndex(of: false)
    if order == .recorded {
      guard let next else { throw noneLeft(actual.call, state) }
      if case .recorded(let recorded) = entries[next],
        let differences = differences(actual, recorded)
      {
        throw RecordingError(
          .differs, state.callCount, actual.call, expected: "\(recorded)", differences: differences)
      }
      return next
    }
    func matches(_ index: Int) -> Bool {
      differences(actual, entries[index], limit: 1) == nil
    }
    if let unused = entries.indices.first(where: { !state.used[$0] && matches($0) }) {
      return unused
    }
    if order == .matchingRepeatedly, let last = entries.indices.last(where: matches) {
      return last
    }
    throw noMatch(actual, state)
  }

  private func noneLeft(_ call: CloudCall, _ state: State) -> RecordingError {
    RecordingError(
      .noneLeft, state.callCount, call,
      note: damage.map { "the recording is damaged after this: \($0)" })
  }

  /// The error with the unused call that is most like this one.
  private func noMatch(_ actual: ActualCall, _ state: State) -> RecordingError {
    var nearest: (call: RecordedCall, differences: [CallDifference])?
    for (entry, isUsed) in zip(entries, state.used) where !isUsed {
      guard case .recorded(let recorded) = entry, recorded.operation == actual.call.operation,
        let found = differences(actual, recorded), !found.isEmpty
      else { continue }
      if found.count < nearest?.differences.count ?? .max { nearest = (recorded, found) }
    }
    return RecordingError(
      .noMatch, state.callCount, actual.call, expected: nearest.map { "\($0.call)" },
      differences: nearest?.differences ?? [],
      note: damage.map { "the recording is damaged: \($0)" })
  }

  private func result(
    of entry: Entry, for call: CloudCall, _ state: State
  ) throws(RecordingError) -> Result<CloudResponse, any Error> {
    switch entry {
    case .recorded(let recorded):
      guard let result = recorded.result else {
        throw RecordingError(.notRecorded, state.callCount, call, note: recorded.problem)
      }
      return result
    case .written(let written):
      guard written.operations.contains(call.operation) else {
        throw RecordingError(
          .otherResult, state.callCount, call, expected: Self.description(of: entry))
      }
      return written.result
    }
  }

  private func differences(
    _ actual: ActualCall, _ entry: Entry, limit: Int
  ) -> [CallDifference]? {
    guard case .recorded(let recorded) = entry else { return nil }
    return differences(actual, recorded, limit: limit)
  }

  /// Returns how a call differs from a recorded one; nil if it does not, empty for another operation
  /// or database.
  private func differences(
    _ actual: ActualCall, _ recorded: RecordedCall, limit: Int = CallDifference.maxCount
  ) -> [CallDifference]? {
    guard actual.call.operation == recorded.operation,
      actual.call.databaseScope == recorded.databaseScope
    else { return [] }
    guard comparison == .arguments else { return nil }
    guard let found = actual.request, let expected = recorded.json["request"] else {
      // Arguments that cannot be written were not recorded.
      return actual.request == nil && recorded.json["request"] == nil ? nil : []
    }
    if found == expected { return nil }
    let differences = CallDifference.differences(found: found, expected: expected, limit: limit)
    return differences.isEmpty ? nil : differences
  }

  private static func description(of entry: Entry) -> String {
    switch entry {
    case .recorded(let call): return "\(call)"
    case .written(let written):
      if case .failure(let error) = written.result { return "an error: \(error)" }
      let names = written.operations.map(\.rawValue).sorted()
      return "a result of \(names.joined(separator: " or "))"
    }
  }
}

/// A call of the app, with its arguments as they would be recorded.
private struct ActualCall {
  let call: CloudCall
  /// Nil for arguments that cannot be recorded.
  let request: JSONValue?
}
