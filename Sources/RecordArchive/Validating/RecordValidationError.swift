import Foundation
import RecordSchema

/// Why records were not exported or imported.
public enum RecordValidationError: Error, Sendable, CustomStringConvertible, LocalizedError {
  /// Records do not fit the schema.
  case failed(SchemaReport)
  /// There is no schema to hold the records against.
  case noSchema(source: String)

  /// What was met, and what to do.
  public var description: String {
    switch self {
    case .failed(let report):
      "the records of \(report.records?.source ?? "the source") do not fit \(report.to): "
        + report.findings.prefix(3).map { "\($0.rule) \($0.subject)" }.joined(separator: ", ")
        + (report.findings.count > 3 ? " and \(report.findings.count - 3) more" : "")
        + ". Nothing was written"
    case .noSchema(let source):
      "\(source) comes without a schema: name one with --schema, or make one with "
        + "'recordpack schema infer'"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
