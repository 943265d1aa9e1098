import Foundation

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
