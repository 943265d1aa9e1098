import CloudInterface
import RecordModel

extension MockContainer {
  /// Returns whether the app can use the user's account.
  public func accountStatus() async throws -> AccountStatus { status }

  /// Sets what ``accountStatus()`` returns. Requests that need an account fail unless it is
  /// available.
  public func setAccountStatus(_ status: AccountStatus) { self.status = status }

  /// Returns the identifier of the signed-in user's record: the name in the container's metadata,
  /// or `__defaultOwner__`.
  ///
  /// - Throws: `CloudError`: `notAuthenticated` or `accountTemporarilyUnavailable`.
  public func userRecordID() async throws -> RecordID {
    try await perform { [self] in
      try AccountRule.check(status)
      let name = try store.info().currentUserRecordName
      return UserRecord.recordID(named: name ?? ZoneID.currentUserOwnerName)
    }
  }
}
