import CloudInterface
import Foundation
import RecordModel

public final class CKDatabase: NSObject, @unchecked Sendable {
  public enum Scope: Int, Sendable {
    /// The database that all users of the app share.
    case `public` = 1
    /// The database of the user.
    case `private` = 2
    /// The database with the zones and records that other users share with the user.
    case shared = 3
  }

  public let databaseScope: CKDatabase.Scope

  let container: CKContainer

  init(_ container: CKContainer, _ scope: Scope) {
    databaseScope = scope
    self.container = container
    super.init()
  }

  public override var description: String { described(["databaseScope": databaseScope]) }

  /// The database that handles the next request.
  var database: any CloudDatabase { container.backing.database(with: DatabaseScope(databaseScope)) }
  var reader: RecordReader { RecordReader(container.backing) }

  /// Throws the framework's errors instead of the model's.
  func translatingErrors<T>(_ body: () async throws -> T) async throws -> T {
    do {
      return try await body()
    } catch {
      throw await reader.error(error)
    }
  }
}

extension DatabaseScope {
  init(_ scope: CKDatabase.Scope) {
    switch scope {
    case .public: self = .public
    case .private: self = .private
    case .shared: self = .shared
    }
  }
}
