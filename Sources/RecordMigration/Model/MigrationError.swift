import Foundation
import RecordModel

/// An error that prevents a migration. Nothing was changed.
public enum MigrationError: Error, Sendable, CustomStringConvertible, LocalizedError {
  /// A value does not fit, and the step's policy is to fail.
  case misfit(MigrationMisfit)
  /// A record does not match the source schema.
  case sourceRecord(record: String, version: String, problem: String)
  /// A result does not match the target schema.
  case result(record: String, version: String, problem: String)
  /// The migration is invalid.
  case invalid(String)
  /// No migration path exists between two versions.
  case noPath(String)
  /// The source does not have the schema version of the first migration.
  case source(String)

  /// Returns the error for two records that would get the same name.
  package static func collision(
    _ recordID: RecordID, _ existing: String, _ incoming: String
  ) -> MigrationError {
    .invalid(
      "two records would both be '\(recordID)' after the migration (\(existing); \(incoming)): a "
        + "record's name is unique in its zone. Nothing was written")
  }

  /// A description of the error and how to resolve it.
  public var description: String {
    switch self {
    case .misfit(let misfit):
      "\(misfit). Nothing was written; 'misfit: null', 'skip' or 'keep-in' in the step specifies "
        + "what to do with such values"
    case .sourceRecord(let record, let version, let problem):
      "\(record) does not match the schema of version '\(version)', which the migration begins "
        + "with: \(problem). Nothing was written"
    case .result(let record, let version, let problem):
      "\(record), migrated, does not match the schema of version '\(version)': \(problem). Nothing "
        + "was written"
    case .invalid(let message), .noPath(let message), .source(let message): message
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}

/// A value that does not fit the change of a step.
public struct MigrationMisfit: Error, Sendable, Hashable, CustomStringConvertible {
  /// The title of the step.
  public var step: String
  /// The location of the step.
  public var location: PlanLocation?
  /// The type and ID of the record.
  public var record: String
  /// The field, or `nil` if the record as a whole does not fit.
  public var field: String?
  /// The reason. Never contains the value of an encrypted field.
  public var reason: String

  /// A description in one sentence.
  public var description: String {
    (location.map { "\($0): " } ?? "") + "\(step): \(record)"
      + (field.map { ", field '\($0)'" } ?? "") + ": \(reason)"
  }
}

/// An error in a plan, with its location.
public struct PlanError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The location.
  public let location: PlanLocation
  /// A description of the error, with the allowed alternatives and a suggestion.
  public let message: String
  /// The type, or `type.field`, with a wrong result. `nil` for other errors.
  let subject: String?

  package init(_ location: PlanLocation, _ message: String, about subject: String? = nil) {
    self.location = location
    self.message = message
    self.subject = subject
  }

  /// Returns the error at the location of an unanswered question about the same subject, if there
  /// is one.
  func pointing(at questions: [OpenQuestion]) -> PlanError {
    guard let subject, let question = questions.first(where: { $0.isAbout(subject) }) else {
      return self
    }
    return PlanError(
      PlanLocation(file: location.file, line: question.line, column: 3),
      "QUESTION \(question.number) is open: \(message)", about: subject)
  }

  /// `file:line:column: error: message`.
  public var description: String { "\(location): error: \(message)" }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
