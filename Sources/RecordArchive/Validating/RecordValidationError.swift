import Foundation
import RecordSchema

/// An error that prevents an export or import because of a schema.
public enum RecordValidationError: Error, Sendable, CustomStringConvertible, LocalizedError {
  /// Records do not match the schema.
  case failed(SchemaReport)
  /// There is no schema to validate against.
  case noSchema(source: String)

  /// A description of the error, with advice.
  public var description: String {
    switch self {
    case .failed(let report):
      "the records of \(report.records?.source ?? "the source") do not match \(report.to): "
        + report.findings.prefix(3).map { "\($0.rule) \($0.subject)" }.joined(separator: ", ")
        + (report.findings.count > 3 ? " and \(report.findings.count - 3) more" : "")
        + ". Nothing was written"
    case .noSchema(let source):
      "\(source) has no schema: name one with --schema, or create one with "
        + "'recordpack schema infer'"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
