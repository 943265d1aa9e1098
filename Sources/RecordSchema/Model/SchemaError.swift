import Foundation

/// An error in a schema, in its configuration, or in records that no schema can describe.
public enum SchemaError: LocalizedError, Sendable, CustomStringConvertible {
  /// A schema file has a syntax error.
  case syntax(SchemaDocument)
  /// A configuration file has an error. Line and column are counted from 1.
  case configuration(file: String, line: Int, column: Int, message: String)
  /// Records have more fields and types than `RecordCensus.maxKinds`.
  case tooManyFields(source: String)

  init(_ error: YAMLError) {
    self = .configuration(
      file: error.file, line: error.line, column: error.column, message: error.message)
  }

  /// The error with its place: for syntax errors with an excerpt, the expected tokens and a hint.
  public var description: String {
    switch self {
    case .syntax(let document): document.diagnosticText()
    case .configuration(let file, let line, let column, let message):
      "\(file):\(line):\(column): error: \(message)"
    case .tooManyFields(let source):
      "\(source): the records have more than \(RecordCensus.maxKinds) different fields and types, "
        + "more than any schema can have"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
