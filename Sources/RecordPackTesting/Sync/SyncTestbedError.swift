/// The engines of a ``SyncTestbed`` did not come to rest, or have changes that nothing sends.
public struct SyncTestbedError: Error, Sendable, Hashable {
  /// The kinds of errors.
  public enum Kind: Sendable, Hashable {
    /// Nothing is scheduled, and changes are pending. A change that an app adds in
    /// `sentRecordZoneChanges` after a failure is such a change.
    case stillPending
    /// Something is still scheduled after a number of moves of the clock.
    case restless(moves: Int)
    /// An engine has had too many events. It was stopped.
    case tooManyEvents(engine: String)
  }

  /// The kind of error.
  public let kind: Kind
  /// The pending changes of each engine that has any, in words.
  public let pending: [String]
  /// The events that an engine repeats without an end, one line each.
  public let repeatedEvents: [String]

  init(_ kind: Kind, _ pending: [String], _ repeatedEvents: [String] = []) {
    self.kind = kind
    self.pending = pending
    self.repeatedEvents = repeatedEvents
  }
}

extension SyncTestbedError: CustomStringConvertible {
  /// The error in words, with the pending changes.
  public var description: String {
    let changes = pending.isEmpty ? "nothing is pending" : pending.joined(separator: "\n")
    let text =
      switch kind {
      case .stillPending: "nothing is scheduled, but changes are pending:\n\(changes)"
      case .restless(let moves):
        "the engines have not come to rest after \(moves) moves of the clock; pending:\n\(changes)"
      case .tooManyEvents(let engine):
        "the engine of \(engine) has not come to rest and was stopped; pending:\n\(changes)"
      }
    guard !repeatedEvents.isEmpty else { return text }
    return text + "\nThese events repeat:\n" + repeatedEvents.joined(separator: "\n")
  }
}
