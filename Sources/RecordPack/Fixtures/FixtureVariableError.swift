import Foundation

/// An error of reading the file that the environment names for a container; see
/// ``MockCloud/MockContainer/fixture(environment:rules:now:)``.
public struct FixtureVariableError: Error, CustomStringConvertible, LocalizedError {
  /// The error of opening or importing the file.
  public let underlyingError: any Error

  init(_ error: any Error) { underlyingError = error }

  /// The name of the variable, and the error.
  public var description: String {
    "the environment variable \(MockContainer.fixtureVariable): \(underlyingError)"
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
