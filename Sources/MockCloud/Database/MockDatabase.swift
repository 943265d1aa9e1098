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
  /// The device that the requests come from, and so the user.
  let device: DeviceKey

  /// The name of the device that the requests come from; nil for none. It is that of
  /// `lastModifiedUserDevice` in what it saves, and gets no notifications about that.
  public var deviceID: String? { device.name }

  /// Answers a request on the container's queue, if the account allows it.
  ///
  /// - Parameter body: gets the container, and the database of the user who has signed in.
  func answering<T: Sendable>(
    writes: Bool = false, _ body: @escaping @Sendable (MockContainer, DatabaseKey) throws -> T
  ) async throws -> T {
    let (container, scope, device) = (container, databaseScope, device)
    return try await container.perform {
      let session = container.sessions.session(of: device)
      try AccountRule.check(session.status, for: scope, writes: writes)
      if scope == .shared { try container.store.makeParticipantIndex() }
      return try body(container, DatabaseKey(scope: scope, account: session.account))
    }
  }

  /// Answers a request that changes nothing.
  func reading<T: Sendable>(
    _ body: @escaping @Sendable (AccountSnapshot) throws -> T
  ) async throws -> T {
    try await answering { container, database in
      try container.store.snapshot { try body(AccountSnapshot($0, of: database)) }
    }
  }

  /// Answers a request that changes the database, and sends the notifications about it.
  ///
  /// - Parameter count: the number of items in the request.
  func changing<T: Sendable>(
    items count: Int, _ body: @escaping @Sendable (AccountTransaction, Notifier) throws -> T
  ) async throws -> T {
    let device = device
    return try await answering(writes: true) { container, database in
      try RequestLimitRule.check(items: count, container.rules)
      return try container.changing(in: database, from: device, body)
    }
  }

  /// Returns the grants that a request to read is judged by; nil for none.
  func grants(for snapshot: AccountSnapshot) throws -> GrantRule? {
    guard databaseScope == .public else { return nil }
    return GrantRule(
      try container.schemas.schema(of: snapshot.info, container.rules), for: snapshot.view,
      hasAccount: container.sessions.session(of: device).status == .available)
  }
}
