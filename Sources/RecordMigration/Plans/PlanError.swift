import Foundation

/// What is wrong with a plan, and where.
public struct PlanError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// Where.
  public let place: PlanPlace
  /// What was found, what could stand there, and what may have been meant.
  public let message: String
  /// The type, or `type.field`, that comes out wrong; nil for other mistakes.
  let subject: String?

  init(_ place: PlanPlace, _ message: String, about subject: String? = nil) {
    self.place = place
    self.message = message
    self.subject = subject
  }

  /// The error at the question of a plan that nobody has answered yet, where there is one about it.
  func pointing(at questions: [OpenQuestion]) -> PlanError {
    guard let subject, let question = questions.first(where: { $0.isAbout(subject) }) else {
      return self
    }
    return PlanError(
      PlanPlace(file: place.file, line: question.line, column: 3),
      "QUESTION \(question.number) is open: \(message)", about: subject)
  }

  /// `file:line:column: message`.
  public var description: String { "\(place): error: \(message)" }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
