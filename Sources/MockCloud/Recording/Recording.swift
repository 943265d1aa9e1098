import Foundation
import RecordCoding
import RecordModel
import RecordSchema

/// The calls of a recording, and what each returned.
///
/// ```swift
/// let recording = try container.recording()
/// for call in recording.calls { print(call) }
/// ```
///
/// ``RecordingContainer/recording()`` returns the calls so far, and ``init(path:)`` reads a file.
/// ``ReplayingContainer`` plays a recording back to the app.
public struct Recording: Sendable {
  /// The identifier of the recorded container, if it was known.
  package let containerIdentifier: String?
  /// The calls, in the order in which they ended.
  public let calls: [RecordedCall]
  /// The error of the line after the last call, if any: the process was killed while it wrote the
  /// line, or the file was damaged. The lines after it were not read.
  public let damage: RecordingError?

  /// Reads a file.
  ///
  /// - Throws: ``RecordingError`` for a file that is not a recording, or a newer one; an error of the
  ///   system if it cannot be read.
  public init(path: String) throws {
    try self.init(Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Reads JSON Lines.
  ///
  /// - Throws: ``RecordingError`` for data that is not a recording, or a newer one.
  public init(_ data: Data) throws {
    var reader = RecordingReader(data)
    containerIdentifier = try reader.header()
    var calls: [RecordedCall] = []
    var damage: RecordingError?
    do {
      while let call = try reader.next() { calls.append(call) }
    } catch let error as RecordingError {
      damage = error
    }
    self.calls = calls
    self.damage = damage
  }
}

/// A call of a ``Recording``.
public struct RecordedCall: Sendable {
  /// The position among the calls in the order in which they ended, from 1.
  package let number: Int
  /// The position among the calls in the order in which they began, from 1.
  package let begin: Int
  /// The database; nil for a call of the container.
  public let databaseScope: DatabaseScope?
  /// The operation.
  public let operation: CloudOperation
  /// The call with its arguments; nil if they could not be recorded.
  public let call: CloudCall?
  /// The response or the error; nil if it could not be recorded.
  public let result: Result<CloudResponse, any Error>?
  /// Why a part of the call could not be recorded, such as a number that is not finite.
  package let problem: String?
  /// The line.
  package let json: JSONValue
}

extension RecordedCall: CustomStringConvertible {
  /// The call in a few words, without values of records.
  public var description: String {
    call?.description
      ?? operation.rawValue + (databaseScope.map { " in the \($0.rawValue) database" } ?? "")
  }
}

extension RecordedCall {
  /// The result in a few words, without values of records, identities of users, and links: what was
  /// returned, or the error.
  package var resultSummary: String {
    switch result {
    case nil: "not recorded"
    case .failure(let error): Self.name(of: error)
    case .success(let response): summary(of: response)
    }
  }

  /// Whether the call, or an item of it, failed.
  package var hasFailed: Bool {
    switch result {
    case nil: false
    case .failure: true
    case .success(let response): !response.itemErrors.isEmpty
    }
  }

  private func summary(of response: CloudResponse) -> String {
    func count(_ entries: [CloudResponse.Entry]) -> Int { entries.count { $0.error == nil } }
    func nonZero(_ count: Int, _ verb: String) -> String { count == 0 ? "" : "\(count) \(verb)" }
    let (found, deleted) = (count(response.results), count(response.deletions))
    var parts: [String]
    switch operation {
    case .modifyRecords, .modifyRecordZones, .modifySubscriptions:
      parts = [nonZero(found, "saved"), nonZero(deleted, "deleted")]
    case .databaseChanges, .recordZoneChanges:
      parts = ["\(found) changed", nonZero(deleted, "deleted")]
    case .records, .query, .continueQuery: parts = [Phrase.count(found, "record")]
    case .allRecordZones, .recordZones: parts = [Phrase.count(found, "zone")]
    case .allSubscriptions, .subscriptions: parts = [Phrase.count(found, "subscription")]
    case .shareParticipants: parts = [Phrase.count(found, "user")]
    case .shareMetadatas, .accept, .requestShareAccess: parts = [Phrase.count(found, "share")]
    case .accountStatus: parts = [response.accountStatus.map { "\($0)" } ?? ""]
    case .userRecordID: parts = response.results.compactMap(\.item.recordID?.recordName)
    }
    if response.moreComing { parts.append("more coming") }
    let errors = Dictionary(grouping: response.itemErrors.map(Self.name), by: \.self)
      .mapValues(\.count).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    parts += errors.map { "\($0.value) \($0.key)" }
    let shown = parts.filter { !$0.isEmpty }.joined(separator: ", ")
    return shown.isEmpty ? "nothing" : shown
  }

  private static func name(of error: any Error) -> String {
    if let error = error as? CloudError { return error.code.name }
    return (error as? RecordedError)?.type ?? "\(type(of: error))"
  }
}

/// An error of a recording: it cannot be read, or it does not have the result of a call.
public struct RecordingError: Error, Sendable, Hashable {
  /// The problem.
  public enum Code: Sendable, Hashable {
    /// The file is not a recording, is a newer one, or is damaged.
    case unreadable
    /// The app's call is not the next recorded call.
    case differs
    /// No unused recorded call is equal to the app's call.
    case noMatch
    /// All recorded calls, or results, have been used.
    case noneLeft
    /// The next result belongs to another operation.
    case otherResult
    /// The recording does not have the result of the call.
    case notRecorded
    /// The app did not make all recorded calls.
    case unusedCalls
  }

  /// The problem.
  public let code: Code
  /// The problem in one line; never with the value of an encrypted field.
  public let message: String
  /// The number of the line in the file, from 1; nil for other errors, and for the whole file.
  public let line: Int?
  /// The number of the app's call, from 1; nil for other errors.
  public let callNumber: Int?
  /// The differences between the app's call and the expected call; empty for another operation.
  public let differences: [CallDifference]
  private let details: [String]

  init(_ code: Code, _ message: String, line: Int? = nil, details: [String] = []) {
    self.code = code
    self.message = message
    self.line = line
    self.details = details
    callNumber = nil
    differences = []
  }

  /// Creates the error of a call for which the recording has no result.
  init(
    _ code: Code, _ callNumber: Int, _ call: CloudCall, expected: String? = nil,
    differences: [CallDifference] = [], note: String? = nil
  ) {
    let problem =
      switch code {
      case .differs: "is not the next call of the recording"
      case .noMatch: "is not in the recording, or was replayed before"
      case .noneLeft: "comes after the last recorded call"
      case .otherResult: "does not have the next result"
      case .notRecorded, .unreadable, .unusedCalls: "has no recorded result"
      }
    self.code = code
    message = "call \(callNumber) \(problem)"
    line = nil
    self.callNumber = callNumber
    self.differences = differences
    details =
      ["found \(call)"] + [expected.map { "expected \($0)" }].compactMap(\.self)
      + differences.map { "at \($0)" } + [note].compactMap(\.self)
  }
}

extension RecordingError: CustomStringConvertible, LocalizedError {
  /// The message, and a line for each detail: the call, the expected call, each difference.
  public var description: String {
    ([line.map { "line \($0): \(message)" } ?? message] + details.map { "  \($0)" })
      .joined(separator: "\n")
  }

  /// The same text as ``description``.
  public var errorDescription: String? { description }
}
