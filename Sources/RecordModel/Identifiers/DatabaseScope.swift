/// A database of a container (`CKDatabase.Scope`).
public enum DatabaseScope: String, Sendable, Hashable, Codable, CaseIterable {
  /// The database that all users of the app share; it has only the default zone.
  case `public`
  /// The signed-in user's own database.
  case `private`
  /// The records that other users have shared with the signed-in user.
  case shared
}

extension DatabaseScope: Comparable {
  /// Orders databases as in a bundle: public, private, shared.
  public static func < (lhs: DatabaseScope, rhs: DatabaseScope) -> Bool { lhs.rank < rhs.rank }

  /// The position in that order, which container files store: 0, 1 or 2.
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
