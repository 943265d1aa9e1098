import CloudInterface
import RecordModel

/// A request to a private or shared database, and a change of the public one, needs an account.
///
/// Sources: Apple's documentation of `CKError.Code.notAuthenticated` and
/// `accountTemporarilyUnavailable`; messages as reported by many apps.
enum AccountRule {
  /// - Parameter writes: Whether the request changes the database.
  static func check(
    _ status: AccountStatus, for scope: DatabaseScope, writes: Bool
  ) throws(CloudError) {
    guard scope != .public || writes else { return }
    try check(status)
  }

  static func check(_ status: AccountStatus) throws(CloudError) {
    switch status {
    case .available: return
    case .temporarilyUnavailable:
      throw CloudError(
        .accountTemporarilyUnavailable,
        "Account temporarily unavailable due to bad or missing auth token")
    case .noAccount, .restricted, .couldNotDetermine:
      throw CloudError(.notAuthenticated, "This request requires an authenticated account")
    }
  }
}
