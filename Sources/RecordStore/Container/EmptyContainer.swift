import Foundation
import RecordModel
import Synchronization

/// An empty container in memory, which is made once per process: to copy its pages takes a tenth of
/// the time of creating the tables.
final class EmptyContainer: Sendable {
  static let usual = EmptyContainer(hasIdentityIndex: true)
  /// Without the index of names, which a load builds at its end.
  static let toFill = EmptyContainer(hasIdentityIndex: false)

  private let hasIdentityIndex: Bool
  private let made = Mutex<ContainerStore?>(nil)

  private init(hasIdentityIndex: Bool) { self.hasIdentityIndex = hasIdentityIndex }

  /// Returns the container, which nothing may change.
  func store() throws -> ContainerStore {
    try made.withLock { made in
      if let made { return made }
      let store = try StoreConnection.translating {
        let db = try StoreConnection.temporary(":memory:")
        try db.execute("PRAGMA page_size = \(StoreSchema.pageSize)")
        try db.atomically {
          // Each copy would parse the views, too.
          try ContainerStore.initialize(
            db, ContainerInfo(), hasViews: false, hasIdentityIndex: hasIdentityIndex)
        }
        return ContainerStore(
          ConnectionPool(writer: db), path: nil, isReadOnly: false, limits: .cloudKit,
          now: { Date() })
      }
      // Copies know the metadata, too.
      _ = try store.info()
      made = store
      return store
    }
  }
}
