import CloudInterface
import Foundation
import RecordModel

public final class CKContainer: NSObject, @unchecked Sendable {
  /// The identifier of a container that is not in front of a certain mock container.
  private let identifier: String?
  private let fixed: Backing?
  /// The scope in which the container was made.
  private let home: BackingScope?

  init(backing: Backing) {
    ArchiveNames.register()
    identifier = nil
    fixed = backing
    home = nil
    super.init()
  }

  // Apple's default container is the first of the app's entitlements, which are not known here.
  public class func `default`() -> CKContainer {
    CKContainer(identifier: "iCloud.com.example.default")
  }

  public init(identifier containerIdentifier: String) {
    ArchiveNames.register()
    identifier = containerIdentifier
    fixed = nil
    home = BackingScope.current
    super.init()
  }

  /// The container that handles the next request.
  var backing: Backing {
    if let fixed { return fixed }
    let identifier = identifier ?? ""
    let scope =
      BackingScope.current?.request(of: home) ?? home.flatMap { $0.hasEnded ? nil : $0 }
    return scope?.backing(for: identifier) ?? BackingScope.processBacking(for: identifier)
  }

  public var containerIdentifier: String? { identifier ?? backing.container.containerIdentifier }

  public override var description: String {
    described(["containerIdentifier": containerIdentifier])
  }

  // MARK: Databases

  public func database(with databaseScope: CKDatabase.Scope) -> CKDatabase {
    CKDatabase(self, databaseScope)
  }

  public var privateCloudDatabase: CKDatabase { database(with: .private) }
  public var publicCloudDatabase: CKDatabase { database(with: .public) }
  public var sharedCloudDatabase: CKDatabase { database(with: .shared) }

  // MARK: The account

  public func accountStatus() async throws -> CKAccountStatus {
    let status = try await translatingErrors { try await backing.container.accountStatus() }
    return CKAccountStatus(status)
  }

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
