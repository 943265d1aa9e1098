/// What a step does with a value that does not fit. Whatever it is, it is counted and reported.
public enum MisfitPolicy: Sendable, Hashable {
  /// The migration ends with an error that names the record, and nothing is written.
  case fail
  /// The value is dropped.
  case null
  /// The value is kept as it is in another field.
  case keep(in: String)
  /// The record is left behind.
  case skip

  /// The name in a plan.
  var name: String {
    switch self {
    case .fail: "fail"
    case .null: "null"
    case .keep: "keep-in"
    case .skip: "skip"
    }
  }
}
