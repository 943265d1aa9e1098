/// Which of a container's three databases a record lives in (`CKDatabase.Scope`).
public enum DatabaseScope: String, Sendable, Hashable, Codable, CaseIterable {
  /// The database every user of the app sees; it has the default zone only.
  case `public`
  /// The signed-in user's own database.
  case `private`
  /// What other users have shared with the signed-in user.
  case shared
}

extension DatabaseScope: Comparable {
  /// The order databases take in a bundle: public, private, shared.
  public static func < (lhs: DatabaseScope, rhs: DatabaseScope) -> Bool { lhs.rank < rhs.rank }

  /// The position in that order, and the number a container file stores: 0, 1 or 2.
  package var rank: Int {
    switch self {
    case .public: 0
    case .private: 1
    case .shared: 2
    }
  }

  package init?(rank: Int) {
    guard let scope = Self.allCases.first(where: { $0.rank == rank }) else { return nil }
    self = scope
  }
}
