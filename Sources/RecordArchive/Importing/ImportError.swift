import Foundation
import RecordModel

/// Why nothing was imported.
public enum ImportError: Error, Sendable, CustomStringConvertible, LocalizedError {
  /// A record is there already with another content, and the policy is to fail.
  case conflict(RecordConflict)
  /// A zone is there already, described otherwise.
  case zoneConflict(ZoneID, DatabaseScope)
  /// A subscription is there already, described otherwise.
  case subscriptionConflict(String, DatabaseScope)
  /// The responses hold errors or what cannot be read, and nothing else; the first of them.
  case onlyErrors(String)
  /// No response has the zone or record type that was selected; what they have.
  case notSelected(String, known: [String])

  /// Both sides of a conflict.
  public struct RecordConflict: Sendable, Hashable {
    /// The database.
    public var database: DatabaseScope
    /// The identity both have.
    public var recordID: RecordID
    /// The record that is there: type, change tag and date of modification.
    public var existing: String
    /// The record that comes.
    public var incoming: String
    /// The fields in which they differ, without values.
    public var differingFields: [String]
  }

  /// What was met, and what to do.
  public var description: String {
    switch self {
    case .conflict(let conflict):
      "record '\(conflict.recordID)' of the \(conflict.database) database is there already: "
        + "there is \(conflict.existing), and \(conflict.incoming) was to come"
        + (conflict.differingFields.isEmpty
          ? "" : "; they differ in \(conflict.differingFields.joined(separator: ", "))")
        + ". Nothing was imported; --on-conflict keep or replace says which one to take"
    case .zoneConflict(let zoneID, let scope):
      "zone '\(zoneID)' of the \(scope) database is there already, described otherwise. Nothing was "
        + "imported; --on-conflict keep or replace says which one to take"
    case .subscriptionConflict(let id, let scope):
      "subscription '\(id)' of the \(scope) database is there already, and watches something else. "
        + "Nothing was imported; --on-conflict keep or replace says which one to take"
    case .onlyErrors(let first):
      "the responses hold errors only; there is nothing to import: \(first)"
    case .notSelected(let name, let known):
      "there is no \(name) in the responses; "
        + (known.isEmpty
          ? "there is none at all"
          : "there is: \(known.prefix(12).joined(separator: ", "))\(known.count > 12 ? ", …" : "")")
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
