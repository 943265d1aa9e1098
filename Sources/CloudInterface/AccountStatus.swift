/// Whether the app can use the user's iCloud account (`CKAccountStatus`).
public enum AccountStatus: Int, Sendable, Hashable, CaseIterable {
  /// The status is not known.
  case couldNotDetermine = 0
  /// The user has signed in, and the app may use the account.
  case available = 1
  /// The account is restricted by parental controls or device management.
  case restricted = 2
  /// No user has signed in.
  case noAccount = 3
  /// The account must be verified in the settings before the app can use it again.
  case temporarilyUnavailable = 4
}
