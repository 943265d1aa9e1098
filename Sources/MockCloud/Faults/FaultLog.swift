import RecordModel

/// A fault that happened to a call.
public struct InjectedFault: Sendable, Hashable {
  /// The number of the call, from 1, in the order of their begins.
  public var call: Int
  /// What was called.
  public var operation: CloudOperation
  /// The database; nil for a call of the container.
  public var databaseScope: DatabaseScope?
  /// What happened.
  public var fault: Fault
}

/// The faults that happened, in the order of the calls.
public struct FaultLog: Sendable, Hashable {
  /// The faults; several may have happened to one call.
  public var faults: [InjectedFault]
}

extension FaultLog: CustomStringConvertible {
  /// The log as JSON lines, which ``FaultSchedule/init(_:)`` reads.
  public var description: String { FaultSchedule(.listed(faults)).description }
}
