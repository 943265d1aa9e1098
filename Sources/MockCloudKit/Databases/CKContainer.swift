import CloudInterface
import Foundation
import RecordModel

/// https://developer.apple.com/documentation/cloudkit/ckcontainer
public final class CKContainer: NSObject, @unchecked Sendable {
  let backing: Backing

  init(backing: Backing) {
    ArchiveNames.register()
    self.backing = backing
    super.init()
  }

  /// https://developer.apple.com/documentation/cloudkit/ckcontainer/default()
  public class func `default`() -> CKContainer {
    CKContainer(identifier: "iCloud.com.example.default")
  }

  /// https://developer.apple.com/documentation/cloudkit/ckcontainer/init(identifier:)
  public convenience init(identifier containerIdentifier: String) {
    self.init(backing: Backing.named(containerIdentifier))
  }

  /// https://developer.apple.com/documentation/cloudkit/ckcontainer/containeridentifier
  public var containerIdentifier: String? { backing.container.containerIdentifier }

  // MARK: Databases

  /// https://developer.apple.com/documentation/cloudkit/ckcontainer/database(with:)
  public func database(with databaseScope: CKDatabase.Scope) -> CKDatabase {
    CKDatabase(backing, databaseScope)
  }

  /// https://developer.apple.com/documentation/cloudkit/ckcontainer/privateclouddatabase
  public var privateCloudDatabase: CKDatabase { database(with: .private) }
  /// https://developer.apple.com/documentation/cloudkit/ckcontainer/publicclouddatabase
  public var publicCloudDatabase: CKDatabase { database(with: .public) }
  /// https://developer.apple.com/documentation/cloudkit/ckcontainer/sharedclouddatabase
  public var sharedCloudDatabase: CKDatabase { database(with: .shared) }

  // MARK: The account

  /// https://developer.apple.com/documentation/cloudkit/ckcontainer/accountstatus()
  public func accountStatus() async throws -> CKAccountStatus {
    let status = try await translatingErrors { try await backing.container.accountStatus() }
    return CKAccountStatus(status)
  }

  /// https://developer.apple.com/documentation/cloudkit/ckcontainer/userrecordid()
  public func userRecordID() async throws -> CKRecord.ID {
    let id = try await translatingErrors { try await backing.container.userRecordID() }
    return CKRecord.ID(id)
  }

  /// Throws the framework's errors instead of the model's.
  func translatingErrors<T>(_ body: () async throws -> T) async throws -> T {
    do {
      return try await body()
    } catch {
      throw CKError.translating(error)
    }
  }
}

extension CKAccountStatus {
  init(_ status: AccountStatus) {
    switch status {
    case .couldNotDetermine: self = .couldNotDetermine
    case .available: self = .available
    case .restricted: self = .restricted
    case .noAccount: self = .noAccount
    case .temporarilyUnavailable: self = .temporarilyUnavailable
    }
  }
}
