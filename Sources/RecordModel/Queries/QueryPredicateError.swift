import Foundation

/// An error in a predicate: text that is not a predicate, or that CloudKit does not support.
public struct QueryPredicateError: Error, Sendable, Hashable, CustomStringConvertible,
  LocalizedError
{
  /// The column of the error, in characters from 1.
  public let column: Int
  /// What was found and what is expected.
  public let message: String

  init(_ column: Int, _ message: String) {
    self.column = column
    self.message = message
  }

  /// The column and the message.
  public var description: String { "predicate, column \(column): \(message)" }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
