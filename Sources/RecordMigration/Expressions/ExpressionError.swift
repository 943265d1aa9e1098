import Foundation

/// An error in the text of an expression.
public struct ExpressionError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The column of the error, in characters from 1.
  public let column: Int
  /// A description of the error and what is allowed instead.
  public let message: String

  init(_ column: Int, _ message: String) {
    self.column = column
    self.message = message
  }

  /// The column and the message.
  public var description: String { "column \(column): \(message)" }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

/// An error thrown if an expression has no value for a record: incompatible values, an overflow, or
/// a division by zero. The step's misfit policy then applies.
///
/// Messages never contain values, because they may be encrypted.
public struct ExpressionFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The column in the expression, in characters from 1.
  public let column: Int
  /// A description of the error.
  public let message: String

  init(_ column: Int, _ message: String) {
    self.column = column
    self.message = message
  }

  /// The column and the message.
  public var description: String { "expression, column \(column): \(message)" }
}
