/// The severity of a finding, from least to most severe.
public enum SchemaSeverity: String, Sendable, Hashable, CaseIterable, Comparable {
  /// The rule does not run.
  case off
  /// For information.
  case info
  /// Probably a mistake, worth a look.
  case note
  /// May harm some users or apps.
  case warning
  /// The server rejects it, or clients fail.
  case error

  private var rank: Int {
    switch self {
    case .off: 0
    case .info: 1
    case .note: 2
    case .warning: 3
    case .error: 4
    }
  }

  /// Orders from least to most severe.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }
}
