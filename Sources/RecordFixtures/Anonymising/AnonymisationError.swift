import Foundation
import RecordMigration
import RecordModel

/// Why records cannot be anonymised.
public enum AnonymisationError: Error, Sendable, Hashable {
  /// The key cannot be used.
  case key(String)
  /// Fields that no rule of the policy names, and there is no default.
  case unnamed([UnnamedField])
  /// A rule does not fit the values of a field. The location is that of the rule in its file.
  case rule(recordType: String, field: String, reason: String, PlanLocation?)
  /// The source cannot be anonymised.
  case source(String)

  /// A field that no rule names.
  public struct UnnamedField: Sendable, Hashable {
    /// The record type.
    public var recordType: String
    /// The name of the field.
    public var name: String
    /// The name of the type of its values in Web Services.
    public var typeName: String
  }
}

extension AnonymisationError: CustomStringConvertible, LocalizedError {
  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .key(let reason): reason
    case .source(let reason): reason
    case .rule(let type, let field, let reason, let location):
      (location.map { "\($0): error: " } ?? "") + "the rule for \(type).\(field): \(reason)"
    case .unnamed(let fields):
      "the policy has no rule for \(Self.list(fields)); name them under 'types', or set 'default'"
    }
  }

  private static func list(_ fields: [UnnamedField]) -> String {
    let shown = fields.prefix(8).map { "\($0.recordType).\($0.name) (\($0.typeName))" }
    let rest = fields.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? ", and \(rest) more" : "")
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
