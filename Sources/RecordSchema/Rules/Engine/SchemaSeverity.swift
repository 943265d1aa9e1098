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

  /// Orders from least to most severe.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.position < rhs.position }
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
  var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
