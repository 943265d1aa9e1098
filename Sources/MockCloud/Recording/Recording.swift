import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

/// The calls of a recording, and what each returned.
public struct Recording: Sendable {
  /// The identifier of the recorded container, if it was known.
  public let containerIdentifier: String?
  /// The calls, in the order in which they ended.
  public let calls: [RecordedCall]
  /// What is wrong with the line after the last call, if anything: the process was killed while it
  /// wrote it, or the file was damaged. What follows it was not read.
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
  /// - Throws: ``RecordingError`` for what is not a recording, or a newer one.
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
  public let number: Int
  /// The position among the calls in the order in which they began, from 1.
  public let begin: Int
  /// The database; nil for a call of the container.
  public let databaseScope: DatabaseScope?
  /// What was called.
  public let operation: CloudOperation
  /// The call with its arguments; nil if they could not be recorded.
  public let call: CloudCall?
  /// What it returned or threw; nil if that could not be recorded.
  public let result: Result<CloudResponse, any Error>?
  /// Why a part of the call could not be recorded, such as a number that is not finite.
  public let problem: String?
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

/// An error of a recording.
public struct RecordingError: Error, Sendable, Hashable {
  /// The number of the line, from 1; nil for the whole recording.
  public let line: Int?
  /// What is wrong; never with the value of an encrypted field.
  public let message: String

  init(_ message: String, line: Int? = nil) {
    self.message = message
    self.line = line
  }
}

extension RecordingError: CustomStringConvertible, LocalizedError {
  /// The line and the message.
  public var description: String { line.map { "line \($0): \(message)" } ?? message }

  /// The same text as ``description``.
  public var errorDescription: String? { description }
}
