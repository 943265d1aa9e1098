import Foundation
import RecordModel

/// Why nothing was exported.
public enum ExportError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// A response of Web Services is of one database, and these have something to write.
  case severalDatabases([DatabaseScope])

  /// What was met, and what to do.
  public var description: String {
    switch self {
    case .severalDatabases(let databases):
      "there are records in \(databases.count) databases, and a response of Web Services is of one: "
        + "choose it with --database "
        + databases.map(\.rawValue).joined(separator: " or ")
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
