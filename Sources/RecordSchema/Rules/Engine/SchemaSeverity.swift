/// How much a finding matters, from nothing to most.
public enum SchemaSeverity: String, Sendable, Hashable, CaseIterable, Comparable {
  /// The rule does not run.
  case off
  /// Good to know.
  case info
  /// Worth a look: probably something was meant otherwise.
  case note
  /// May hurt somebody.
  case warning
  /// The server refuses it, or clients break.
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

  /// Orders by how much it matters.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }
}
