import RecordModel

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
}

extension CloudContainer {
  /// The database that all users of the app share.
  public var publicCloudDatabase: Database { database(with: .public) }
  /// The signed-in user's own database.
  public var privateCloudDatabase: Database { database(with: .private) }
  /// The database with what other users share with the signed-in user.
  public var sharedCloudDatabase: Database { database(with: .shared) }
}
