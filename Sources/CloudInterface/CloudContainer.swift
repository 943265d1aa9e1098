import RecordModel

import struct Foundation.URL

/// A container (`CKContainer`), as an app sees it.
///
/// ```swift
/// struct NoteStore {
///   let container: any CloudContainer
///
///   func note(named name: String) async throws -> ResultRecord {
///     let database = container.privateCloudDatabase
///     return try await database.record(for: RecordID(recordName: name))
///   }
/// }
/// ```
public protocol CloudContainer: Sendable {
  /// The type of the container's databases.
  associatedtype Database: CloudDatabase

  /// The identifier, such as `iCloud.com.example.app`, if it is known.
  var containerIdentifier: String? { get }

  /// Returns the database with a scope.
  func database(with databaseScope: DatabaseScope) -> Database

  /// Returns whether the app can use the user's account.
  func accountStatus() async throws -> AccountStatus

  /// Returns the identifier of the signed-in user's record.
  ///
  /// - Throws: `CloudError`: `notAuthenticated` or `accountTemporarilyUnavailable`.
  func userRecordID() async throws -> RecordID

  /// Returns the status of the account each time that it changes, and when another user signs in.
  ///
  /// The sequence ends with the task that reads it. CloudKit posts `CKAccountChanged` instead.
  func accountChanges() -> AsyncStream<AccountStatus>

  // MARK: Sharing

  /// Finds users to invite to a share.
  ///
  /// - Parameter lookupInfos: the record name, e-mail address or phone number of each user.
  /// - Returns: a participant with that identity, who has not accepted yet and may read, or the
  ///   error, for each: `unknownItem`.
  func shareParticipants(
    for lookupInfos: [UserIdentity.LookupInfo]
  ) async throws -> [UserIdentity.LookupInfo: Result<ShareParticipant, any Error>]

  /// Fetches the metadata of the shares behind links.
  ///
  /// - Returns: the metadata, or the error, for each link: `unknownItem` if there is no such share,
  ///   `participantMayNeedVerification` if the user is not invited.
  func shareMetadatas(
    for urls: [URL]
  ) async throws -> [URL: Result<ShareMetadata, any Error>]

  /// Accepts shares: their records are in the user's shared database from then on.
  ///
  /// - Returns: the share, or the error, for each.
  func accept(
    _ metadatas: [ShareMetadata]
  ) async throws -> [ShareMetadata: Result<ResultRecord, any Error>]

  /// Asks the owners of shares for access, on a share that allows it
  /// (`Share.allowsAccessRequests`).
  ///
  /// The owner or an administrator sees the user among the share's `requesters`, and adds a
  /// participant, denies or blocks the user.
  ///
  /// - Returns: success, or the error, for each link: `unknownItem` if there is no share or it does
  ///   not take requests, `participantAlreadyInvited` for a participant, `permissionFailure` for a
  ///   user who is blocked.
  func requestShareAccess(for urls: [URL]) async throws -> [URL: Result<Void, any Error>]
}

extension CloudContainer {
  /// The database that all users of the app share.
  public var publicCloudDatabase: Database { database(with: .public) }
  /// The signed-in user's own database.
  public var privateCloudDatabase: Database { database(with: .private) }
  /// The database with what other users share with the signed-in user.
  public var sharedCloudDatabase: Database { database(with: .shared) }

  /// Finds a user to invite to a share.
  ///
  /// - Throws: `CloudError`: `unknownItem`.
  public func shareParticipant(
    forUserRecordID userRecordID: RecordID
  ) async throws -> ShareParticipant {
    try await shareParticipant(for: .init(userRecordName: userRecordID.recordName))
  }

  /// Finds a user to invite to a share.
  ///
  /// - Throws: `CloudError`: `unknownItem`.
  public func shareParticipant(
    forEmailAddress emailAddress: String
  ) async throws -> ShareParticipant {
    try await shareParticipant(for: .init(emailAddress: emailAddress))
  }

  /// Finds a user to invite to a share.
  ///
  /// - Throws: `CloudError`: `unknownItem`.
  public func shareParticipant(
    forPhoneNumber phoneNumber: String
  ) async throws -> ShareParticipant {
    try await shareParticipant(for: .init(phoneNumber: phoneNumber))
  }

  private func shareParticipant(
    for lookupInfo: UserIdentity.LookupInfo
  ) async throws -> ShareParticipant {
    try await shareParticipants(for: [lookupInfo]).result(for: lookupInfo)
  }

  /// Fetches the metadata of the share behind a link.
  ///
  /// - Throws: `CloudError`: `unknownItem` if there is no such share,
  ///   `participantMayNeedVerification` if the user is not invited.
  public func shareMetadata(for url: URL) async throws -> ShareMetadata {
    try await shareMetadatas(for: [url]).result(for: url)
  }

  /// Asks the owner of a share for access; see ``requestShareAccess(for:)-([URL])``.
  ///
  /// - Throws: `CloudError`: `unknownItem` if there is no share or it does not take requests.
  public func requestShareAccess(for url: URL) async throws {
    try await requestShareAccess(for: [url]).result(for: url)
  }

  /// Accepts a share: its records are in the user's shared database from then on.
  ///
  /// - Returns: the share.
  @discardableResult
  public func accept(_ metadata: ShareMetadata) async throws -> ResultRecord {
    try await accept([metadata]).result(for: metadata)
  }
}

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
