import RecordModel

import protocol Foundation.LocalizedError

/// A use of an engine that CloudKit does not allow.
public struct SyncEngineMisuse: Error, Sendable, Hashable {
  /// The kinds of misuse.
  public enum Kind: Sendable, Hashable {
    /// A function of the engine was called from its delegate, or from a task that inherits the
    /// values of the delegate's task. CloudKit ends the process.
    case calledFromDelegate(function: String)
    /// The stored state is not one of this kind of engine. The engine begins anew.
    case unreadableState
    /// The stored state is one of an engine of another database. The engine begins anew.
    case stateOfOtherDatabase(DatabaseScope)
  }

  /// The kind of misuse.
  public let kind: Kind

  init(_ kind: Kind) { self.kind = kind }
}

extension SyncEngineMisuse: CustomStringConvertible, LocalizedError {
  /// The misuse in words; CloudKit's own where they are known.
  public var description: String {
    switch kind {
    case .calledFromDelegate(let function):
      // The message of CloudKit, as several public apps have logged it.
      "BUG IN CLIENT OF CLOUDKIT: Cannot await a call into CKSyncEngine from within a delegate "
        + "callback if that function will end up calling back into the delegate. Try performing "
        + "this in a detached Task. (\(function) was called; a task made by `Task { }` in the "
        + "callback counts as the callback, even after it has returned.)"
    case .unreadableState:
      "the stored state is not one of a MockSyncEngine; the engine begins without a state"
    case .stateOfOtherDatabase(let scope):
      "the stored state is one of an engine of the \(scope.rawValue) database; the engine begins "
        + "without a state. Store the state of each engine by itself."
    }
  }

  /// The same text as ``description``.
  public var errorDescription: String? { description }
}
