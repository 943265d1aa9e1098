import CloudInterface
import RecordModel
import RecordStore

/// A database of a mock container.
///
/// Its calls do what the server does, as far as that is known (``ServerRules``). Errors of CloudKit
/// are `CloudError`, with the server's message where it is publicly known; others are those of the
/// store, `ContainerStoreError`. What one call changes is one transaction.
public struct MockDatabase: CloudDatabase {
  /// The container of the database.
  public let container: MockContainer
  /// The scope of the database.
  public let databaseScope: DatabaseScope
  /// The name of the device that the requests come from; nil for none. It is that of
  /// `lastModifiedUserDevice` in what it saves, and gets no notifications about that.
  public let deviceID: String?

  /// Answers a request on the container's queue, if the account allows it.
  func answering<T: Sendable>(
    writes: Bool = false, _ body: @escaping @Sendable (MockContainer) throws -> T
  ) async throws -> T {
    let (container, scope) = (container, databaseScope)
    return try await container.perform {
      try AccountRule.check(container.status, for: scope, writes: writes)
      return try body(container)
    }
  }

  /// Answers a request that changes nothing.
  func reading<T: Sendable>(
    _ body: @escaping @Sendable (ContainerSnapshot) throws -> T
  ) async throws -> T {
    try await answering { try $0.store.snapshot(body) }
  }

  /// Answers a request that changes the database, and sends the notifications about it.
  ///
  /// - Parameter count: the number of items in the request.
  func changing<T: Sendable>(
    items count: Int, _ body: @escaping @Sendable (ContainerTransaction, Notifier) throws -> T
  ) async throws -> T {
    let (scope, deviceID) = (databaseScope, deviceID)
    return try await answering(writes: true) { container in
      try RequestLimitRule.check(items: count, container.rules)
      return try container.changing(in: scope, from: deviceID, body)
    }
  }
}
