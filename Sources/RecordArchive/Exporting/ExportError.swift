import Foundation
import RecordModel

/// Why nothing was exported.
public enum ExportError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// A response is of one database, and these have something to write.
  case severalDatabases([DatabaseScope])
  /// A response would be larger than an import takes, which is this many bytes.
  case responseTooLarge(limit: Int)

  /// What was met, and what to do.
  public var description: String {
    switch self {
    case .severalDatabases(let databases):
      "there are records in \(databases.count) databases, and a response is of one: "
        + "choose it with --database "
        + databases.map(\.rawValue).joined(separator: " or ")
    case .responseTooLarge(let limit):
      "the response would have more than \(limit) bytes, and import takes no larger one: choose a "
        + "part with --zone, --type or --since, or export a bundle"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
