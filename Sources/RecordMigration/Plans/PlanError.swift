import Foundation

/// What is wrong with a plan, and where.
public struct PlanError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// Where.
  public let place: PlanPlace
  /// What was found, what could stand there, and what may have been meant.
  public let message: String

  init(_ place: PlanPlace, _ message: String) {
    self.place = place
    self.message = message
  }

  /// `file:line:column: message`.
  public var description: String { "\(place): error: \(message)" }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
