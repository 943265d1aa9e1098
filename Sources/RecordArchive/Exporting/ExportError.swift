import Foundation
import RecordModel

/// An error that prevents an export.
public enum ExportError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// These databases have content, but a response can contain only one.
  case severalDatabases([DatabaseScope])
  /// The response would exceed the size that an import accepts, in bytes.
  case responseTooLarge(limit: Int)

  /// A description of the error, with advice.
  public var description: String {
    switch self {
    case .severalDatabases(let databases):
      "\(databases.count) databases have records, and a response contains only one: "
        + "choose it with --database "
        + databases.map(\.rawValue).joined(separator: " or ")
    case .responseTooLarge(let limit):
      "the response would exceed \(limit) bytes, the limit of import: select a part with --zone, "
        + "--type or --since, or export a bundle"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
