import Foundation
import RecordModel

/// An error in a migration, a plan or an expression. A migration that throws it changed nothing.
///
/// Messages never contain encrypted values.
public struct MigrationError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The reason for an error.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The migration or a file is invalid.
    case invalid
    /// A plan has an error at ``MigrationError/location``.
    case plan
    /// The text of an expression or a date format has an error in ``MigrationError/column``.
    case expression
    /// An expression has no value for a record: incompatible values, an overflow, or a division by
    /// zero.
    case noValue
    /// A value does not fit, and the step's policy is to fail.
    case misfit
    /// A record does not match the schema of the first migration.
    case sourceRecord
    /// A result does not match the target schema.
    case result
    /// Two records would get the same name.
    case collision
    /// No migration path exists between two versions.
    case noPath
    /// The source does not have the schema version of the first migration.
    case source
  }

  /// The reason for the error.
  public let code: Code
  /// A description of the error, with the allowed alternatives and a suggestion.
  public let message: String
  /// The location of the error in a plan.
  public let location: PlanLocation?
  /// The column of the error in an expression, in Unicode scalars from 1.
  public let column: Int?
  /// The type, or `type.field`, with a wrong result of a plan. `nil` for other errors.
  let subject: String?

  package init(_ code: Code, _ message: String) {
    (self.code, self.message) = (code, message)
    (location, column, subject) = (nil, nil, nil)
  }

  package init(_ code: Code, _ column: Int, _ message: String) {
    (self.code, self.message, self.column) = (code, message, column)
    (location, subject) = (nil, nil)
  }

  /// Creates the error for a plan, or for a migration without one.
  package init(_ location: PlanLocation?, _ message: String, about subject: String? = nil) {
    (code, self.message, self.subject) = (location == nil ? .invalid : .plan, message, subject)
    (self.location, column) = (location, nil)
  }

  /// Creates the error for a value that does not fit the change of a step.
  init(misfit: String, _ step: MigrationStep) {
    self.init(
      .misfit,
      (step.location.map { "\($0): " } ?? "") + "\(step.title): \(misfit). Nothing was written; "
        + "\(step.policies) in the step specifies what to do with such values")
  }

  /// Returns the error for two records that would get the same name.
  ///
  /// - Parameter version: The version in which they have it. `nil` for the last one.
  package static func collision(
    _ recordID: RecordID, _ existing: String, _ incoming: String, in version: String? = nil
  ) -> MigrationError {
    let place = version.map { "in version '\($0)'" } ?? "after the migration"
    return MigrationError(
      .collision,
      "two records would both be '\(recordID)' \(place) (\(existing); \(incoming)): a "
        + "record's name is unique in its zone. Nothing was written")
  }

  /// Returns the error at the location of an unanswered question about the same subject, if there
  /// is one.
  func pointing(at questions: [OpenQuestion]) -> MigrationError {
    guard let subject, let location,
      let question = questions.first(where: { $0.isAbout(subject) })
    else { return self }
    return MigrationError(
      PlanLocation(file: location.file, line: question.line, column: 3),
      "QUESTION \(question.number) is open: \(message)", about: subject)
  }

  /// The location or column, if known, and the message.
  public var description: String {
    if let location { return "\(location): error: \(message)" }
    let prefix = column.map { "column \($0): " } ?? ""
    return (code == .noValue ? "expression, " : "") + prefix + message
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
