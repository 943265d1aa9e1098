import Foundation
import RecordModel

/// An error that prevents an import.
public enum ImportError: Error, Sendable, CustomStringConvertible, LocalizedError {
  /// A record exists with other content, and the policy is `.fail`.
  case conflict(RecordConflict)
  /// A zone exists with another description, and the policy is `.fail`.
  case zoneConflict(ZoneID, DatabaseScope)
  /// A subscription exists with other content, and the policy is `.fail`.
  case subscriptionConflict(String, DatabaseScope)
  /// The responses contain only errors, or content that cannot be read; the first of them.
  case onlyErrors(String)

  /// The two records of a conflict.
  public struct RecordConflict: Sendable, Hashable {
    /// The database.
    public var database: DatabaseScope
    /// The identity of both records.
    public var recordID: RecordID
    /// The existing record: type, change tag and modification date.
    public var existing: String
    /// The incoming record, likewise.
    public var incoming: String
    /// The names of the fields that differ.
    public var differingFields: [String]
  }

  /// A description of the error, with advice.
  public var description: String {
    switch self {
    case .conflict(let conflict):
      "record '\(conflict.recordID)' of the \(conflict.database) database already exists: "
        + "it is \(conflict.existing), the imported one \(conflict.incoming)"
        + (conflict.differingFields.isEmpty
          ? "" : "; they differ in \(conflict.differingFields.joined(separator: ", "))")
        + ". Nothing was imported; use --on-conflict keep or replace"
    case .zoneConflict(let zoneID, let scope):
      "zone '\(zoneID)' of the \(scope) database already exists with another description. "
        + "Nothing was imported; use --on-conflict keep or replace"
    case .subscriptionConflict(let id, let scope):
      "subscription '\(id)' of the \(scope) database already exists with other content. "
        + "Nothing was imported; use --on-conflict keep or replace"
    case .onlyErrors(let first):
      "the responses contain only errors: \(first)"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
