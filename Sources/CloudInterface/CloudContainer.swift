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

  /// Fetches what the user may know about the shares behind links.
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
}

extension CloudContainer {
  /// The database that all users of the app share.
  public var publicCloudDatabase: Database { database(with: .public) }
  /// The signed-in user's own database.
  public var privateCloudDatabase: Database { database(with: .private) }
  /// The database with what other users share with the signed-in user.
  public var sharedCloudDatabase: Database { database(with: .shared) }
}
