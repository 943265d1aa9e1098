import Foundation
import RecordModel

/// A call of the app that a ``ReplayingContainer`` cannot answer.
public struct ReplayError: Error, Sendable, Hashable {
  /// Why it cannot be answered.
  public enum Reason: Sendable, Hashable {
    /// The next recorded call is another one.
    case differs
    /// No unused recorded call asks the same.
    case noMatch
    /// All recorded calls, or results, have been used.
    case noneLeft
    /// The next result is not one of this operation.
    case otherResult
    /// The recording does not have the result of the call.
    case notRecorded
  }

  /// Why the call cannot be answered.
  public let reason: Reason
  /// The number of the call, in the order in which the app makes them, from 1.
  public let callNumber: Int
  /// What the app asked.
  public let found: String
  /// What was expected; nil if nothing was.
  public let expected: String?
  /// How the arguments differ from those of the expected call; empty for another operation.
  public let differences: [CallDifference]
  /// What else there is to say.
  public let note: String?

  init(
    _ reason: Reason, _ callNumber: Int, _ found: CloudCall, expected: String? = nil,
    differences: [CallDifference] = [], note: String? = nil
  ) {
    self.reason = reason
    self.callNumber = callNumber
    self.found = "\(found)"
    self.expected = expected
    self.differences = differences
    self.note = note
  }
}

extension ReplayError: CustomStringConvertible, LocalizedError {
  /// What the app asked, what was expected, and a line for each difference.
  public var description: String {
    let problem =
      switch reason {
      case .differs: "is not the next call of the recording"
      case .noMatch: "is not in the recording, or was answered before"
      case .noneLeft: "comes after the last recorded call"
      case .otherResult: "does not have the next result"
      case .notRecorded: "has no recorded result"
      }
    var lines = ["call \(callNumber) \(problem)", "  found \(found)"]
    if let expected { lines.append("  expected \(expected)") }
    lines += differences.map { "  at \($0)" }
    if let note { lines.append("  \(note)") }
    return lines.joined(separator: "\n")
  }

  /// The same text as ``description``.
  public var errorDescription: String? { description }
}

/// The recorded calls that an app did not make.
public struct UnusedCalls: Error, Sendable, Hashable {
  /// The calls, or results.
  public let calls: [String]
}

extension UnusedCalls: CustomStringConvertible {
  /// A line for each call.
  public var description: String {
    (["\(calls.count) recorded calls were not made"] + calls.map { "  \($0)" })
      .joined(separator: "\n")
  }
}
