import Foundation

/// What is wrong with the text of an expression.
public struct ExpressionError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// Where in the text, counted in characters from 1.
  public let column: Int
  /// What was found, and what could stand there instead.
  public let message: String

  init(_ column: Int, _ message: String) {
    self.column = column
    self.message = message
  }

  /// Column and message.
  public var description: String { "column \(column): \(message)" }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

/// Why an expression has no value for a record: two values that do not go together, an overflow, a
/// division by zero. The step's misfit policy says what happens then.
///
/// Values are never quoted here: they may be encrypted.
public struct ExpressionFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where in the expression, counted in characters from 1.
  public let column: Int
  /// What does not go together.
  public let message: String

  init(_ column: Int, _ message: String) {
    self.column = column
    self.message = message
  }

  /// Column and message.
  public var description: String { "expression, column \(column): \(message)" }
}
