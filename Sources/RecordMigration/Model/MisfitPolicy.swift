/// The policy for a value that does not fit. With every policy, the value is counted and reported.
public enum MisfitPolicy: Sendable, Hashable {
  /// The migration ends with an error that names the record, and nothing is written.
  case fail
  /// The value is dropped.
  case null
  /// The value is stored unchanged in another field.
  case keep(in: String)
  /// The record is left behind.
  case skip

  /// The name of the policy in a plan.
  var name: String {
    switch self {
    case .fail: "fail"
    case .null: "null"
    case .keep: "keep-in"
    case .skip: "skip"
    }
  }
}
