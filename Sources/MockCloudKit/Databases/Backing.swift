import CloudInterface
import Foundation
import MockCloud
import RecordModel

/// What answers the requests to a `CKContainer`.
final class Backing: Sendable {
  let container: any CloudContainer
  /// Reads the content of assets.
  let contents: MockDatabase
  private let notifying: Task<Void, Never>

  init(_ container: some CloudContainer, assetsIn contents: MockContainer) {
    self.container = container
    self.contents = contents.privateCloudDatabase
    let changes = container.accountChanges()
    notifying = Task {
      for await _ in changes {
        NotificationCenter.default.post(name: .CKAccountChanged, object: nil)
      }
    }
  }

  deinit { notifying.cancel() }

  func database(with scope: DatabaseScope) -> any CloudDatabase {
    container.database(with: scope)
  }

  /// The mock containers of `CKContainer(identifier:)`, by identifier.
  static let registry = Locked<[String: Backing]>([:])

  static func named(_ identifier: String) -> Backing {
    registry.with { registry in
      if let known = registry[identifier] { return known }
      do {
        let mock = try MockContainer.inMemory(info: ContainerInfo(identifier: identifier))
        let backing = Backing(mock, assetsIn: mock)
        registry[identifier] = backing
        return backing
      } catch {
        preconditionFailure("a container in memory cannot be made: \(error)")
      }
    }
  }
}
