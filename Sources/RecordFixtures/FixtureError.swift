import Foundation
import RecordMigration
import RecordSchema

/// An error in a recipe or an anonymisation policy, with its location.
public struct FixtureError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The location in the file.
  public let location: PlanLocation
  /// A description of the error, with the allowed alternatives and a suggestion.
  public let message: String

  package init(_ location: PlanLocation, _ message: String) {
    (self.location, self.message) = (location, message)
  }

  /// Reads a document, and converts errors in its YAML.
  static func reading<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as YAMLError {
      throw FixtureError(
        PlanLocation(file: error.file, line: error.line, column: error.column), error.message)
    }
  }

  /// `file:line:column: error: message`.
  public var description: String { "\(location): error: \(message)" }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
