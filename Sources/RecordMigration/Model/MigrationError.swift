import Foundation
import RecordModel

/// Why a migration did not take place. Nothing was changed.
public enum MigrationError: Error, Sendable, CustomStringConvertible, LocalizedError {
  /// A value does not fit, and the step's policy is to fail.
  case misfit(MigrationMisfit)
  /// A record is not what the schema says that the migrations begin with.
  case sourceRecord(record: String, version: String, problem: String)
  /// A result is not what the target schema says.
  case result(record: String, version: String, problem: String)
  /// The steps do not make a migration.
  case invalid(String)
  /// There is no way between two versions.
  case noWay(String)
  /// The source does not have the schema that the migration begins with.
  case source(String)

  /// Two records would get one name.
  package static func collision(
    _ recordID: RecordID, _ existing: String, _ incoming: String
  ) -> MigrationError {
    .invalid(
      "two records would both be '\(recordID)' after the migration (\(existing); \(incoming)): a "
        + "record's name is unique in its zone. Nothing was written")
  }

  /// What was met, and what to do.
  public var description: String {
    switch self {
    case .misfit(let misfit):
      "\(misfit). Nothing was written; 'misfit: null', 'skip' or 'keep-in' in the step says what "
        + "to do with such values"
    case .sourceRecord(let record, let version, let problem):
      "\(record) does not have the schema of version '\(version)', which the migration begins "
        + "with: \(problem). Nothing was written"
    case .result(let record, let version, let problem):
      "\(record), migrated, does not have the schema of version '\(version)': \(problem). Nothing "
        + "was written"
    case .invalid(let message), .noWay(let message), .source(let message): message
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}

/// A value that does not fit into what a step makes of it.
public struct MigrationMisfit: Error, Sendable, Hashable, CustomStringConvertible {
  /// The step.
  public var step: String
  /// Where the step stands.
  public var place: PlanPlace?
  /// The record, by type and identity.
  public var record: String
  /// The field; nil where the record as a whole does not fit.
  public var field: String?
  /// What does not fit; the value of an encrypted field is never told.
  public var reason: String

  /// All of it in one sentence.
  public var description: String {
    (place.map { "\($0): " } ?? "") + "\(step): \(record)"
      + (field.map { ", field '\($0)'" } ?? "") + ": \(reason)"
  }
}
