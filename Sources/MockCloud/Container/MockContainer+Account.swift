import CloudInterface
import RecordModel

import struct Foundation.URL

/// The container as its signed-in user sees it. ``account(_:nameComponents:emailAddress:phoneNumber:)``
/// returns it as other users do.
extension MockContainer {
  private var device: DeviceKey { DeviceKey() }

  /// Returns whether the app can use the user's account.
  public func accountStatus() async throws -> AccountStatus {
    sessions.session(of: device).status
  }

  /// Sets what ``accountStatus()`` returns. Requests that need an account fail unless it is
  /// available.
  public func setAccountStatus(_ status: AccountStatus) {
    sessions.setStatus(status, of: nil)
  }

  /// Returns the status of the account each time that it changes.
  public func accountChanges() -> AsyncStream<AccountStatus> { sessions.stream(to: device) }

  /// Returns the identifier of the signed-in user's record: the name in the container's metadata,
  /// or `__defaultOwner__`.
  ///
  /// - Throws: `CloudError`: `notAuthenticated` or `accountTemporarilyUnavailable`.
  public func userRecordID() async throws -> RecordID { try await userRecordID(of: device) }

  func userRecordID(of device: DeviceKey) async throws -> RecordID {
    try await perform { [self] in
      let session = sessions.session(of: device)
      try AccountRule.check(session.status)
      let view = AccountView(.private, of: session.account, in: try store.info())
      return UserRecord.recordID(named: view.user)
    }
  }

  /// Finds users to invite to a share; see `CloudContainer`.
  public func shareParticipants(
    for lookupInfos: [UserIdentity.LookupInfo]
  ) async throws -> [UserIdentity.LookupInfo: Result<ShareParticipant, any Error>] {
    try await shareParticipants(for: lookupInfos, device)
  }

  /// Fetches what the user may know about the shares behind links; see `CloudContainer`.
  public func shareMetadatas(
    for urls: [URL]
  ) async throws -> [URL: Result<ShareMetadata, any Error>] {
    try await shareMetadatas(for: urls, device)
  }

  /// Accepts shares; see `CloudContainer`.
  public func accept(
    _ metadatas: [ShareMetadata]
  ) async throws -> [ShareMetadata: Result<ResultRecord, any Error>] {
    try await accept(metadatas, device)
  }
}
