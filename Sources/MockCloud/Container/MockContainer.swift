import CloudInterface
import Dispatch
import Foundation
import RecordModel
import RecordSchema
import RecordStore
import Synchronization

/// A container that behaves like CloudKit's server, in an SQLite file or in memory.
///
/// ```swift
/// let container = try MockContainer.inMemory()
/// let database = container.privateCloudDatabase
/// var note = DraftRecord(recordType: "Note")
/// note["title"] = "Hello"
/// let saved = try await database.save(note)
/// ```
///
/// The ``store`` property holds the container's data, which other code may read and fill at the
/// same time. The container handles requests one after the other, on its own queue: no request
/// blocks a thread of Swift's tasks.
public final class MockContainer: MockClient, StoredContainer {
  /// The contents of the container, as its file stores them.
  public let store: ContainerStore
  /// The rules of the server, where they differ or where sources disagree.
  public let rules: ServerRules
  /// The identifier in the container's metadata when it was opened.
  public let containerIdentifier: String?
  /// Returns the time of a request.
  let now: @Sendable () -> Date
  /// The parsed schema.
  let schemas = ContainerSchemas()
  /// The notifications of the devices.
  let notifications = DeviceInboxes()
  /// The files of fetched assets.
  let assetFiles = TemporaryAssets()
  /// The users who have signed in on the devices.
  let sessions = DeviceSessions()
  var container: MockContainer { self }
  var deviceKey: DeviceKey { DeviceKey() }
  private let queue = DispatchQueue(label: "RecordPack.MockContainer")
  private let state = Mutex(State())

  private struct State {
    /// The deleted records of the default zones whose referring records are still there.
    var cascades: [DatabaseKey: [RecordID]] = [:]
  }

  /// The schema by which requests are checked; nil for a container without one.
  package var currentSchema: CloudSchema? {
    get throws { try schema(of: store.info()) }
  }

  /// Returns the schema by which requests are checked. A container that never had a schema is not
  /// checked by one.
  func schema(of info: ContainerInfo) throws -> CloudSchema? {
    try info.schema == nil ? nil : schemas.schema(of: info, rules)?.schema
  }

  /// Creates a server above a store.
  ///
  /// - Parameters:
  ///   - store: the contents of the container.
  ///   - rules: the rules of the server.
  ///   - now: returns the time of a request, which the records that it saves get.
  /// - Throws: `ContainerStoreError` if the metadata cannot be read.
  public init(
    _ store: ContainerStore, rules: ServerRules = .native,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    self.store = store
    self.rules = rules
    self.now = now
    containerIdentifier = try store.info().identifier
  }

  /// Opens or creates a container file; see `ContainerStore.open(path:mode:info:limits:now:)`.
  ///
  /// - Throws: `ContainerStoreError`, with a case for each kind of file that is not a container.
  public static func open(
    path: String, mode: ContainerStore.OpenMode = .open, info: ContainerInfo = ContainerInfo(),
    rules: ServerRules = .native, now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> MockContainer {
    try MockContainer(
      .open(path: path, mode: mode, info: info, limits: rules.recordLimits, now: now),
      rules: rules, now: now)
  }

  /// Creates a container in memory, which exists as long as it is referenced.
  public static func inMemory(
    info: ContainerInfo = ContainerInfo(), rules: ServerRules = .native,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> MockContainer {
    try MockContainer(
      .inMemory(info: info, limits: rules.recordLimits, now: now), rules: rules, now: now)
  }

  /// Returns a copy in memory, with the same rules. Neither changes with the other.
  ///
  /// Devices, what they have received, a status of the account that was set, and deletions that are
  /// still to come are not copied.
  ///
  /// - Parameter now: returns the time of a request to the copy; nil for that of the container.
  public func fork(now: (@Sendable () -> Date)? = nil) throws -> MockContainer {
    try MockContainer(store.fork(now: now), rules: rules, now: now ?? self.now)
  }

  // MARK: Requests

  /// Handles a request of a device on the container's queue, if the account allows it.
  ///
  /// - Parameters:
  ///   - scope: the database; nil for a request that needs an account.
  ///   - items: the number of items in the request.
  ///   - body: gets the account that has signed in.
  func answering<T: Sendable>(
    _ device: DeviceKey, in scope: DatabaseScope? = nil, writes: Bool = false, items: Int = 0,
    _ body: @escaping @Sendable (_ account: String?) throws -> T
  ) async throws -> T {
    try await perform { [self] in
      let session = sessions.session(of: device)
      if scope != .public || writes { try AccountRule.check(session.status) }
      try RequestLimitRule.check(items: items, rules)
      return try body(session.account)
    }
  }

  /// Handles a request on the container's queue.
  ///
  /// - Throws: the error of `body`; `operationCancelled` if the task was cancelled before.
  func perform<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    guard !Task.isCancelled else { throw CloudError.cancelled }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }

  /// Changes the store in one transaction, which is rolled back if `body` throws, and sends the
  /// notifications about it.
  ///
  /// - Parameters:
  ///   - database: the database as its user sees it.
  ///   - device: the device that gets no notifications, because it sent the request.
  func changing<T>(
    in database: DatabaseKey, from device: DeviceKey? = nil,
    _ body: (AccountTransaction, Notifier) throws -> T
  ) throws -> T {
    let (result, pending) = try store.transaction(limits: rules.recordLimits, at: now()) {
      let transaction = try AccountTransaction($0, of: database, from: device?.name)
      let info = transaction.info
      let notifier = try Notifier(in: database.scope, of: containerIdentifier, $0) {
        $0.scope == .public
          ? GrantRule(try self.schemas.schema(of: info, self.rules), for: $0) : nil
      }
      let result = try body(transaction, notifier)
      return (result, try notifier.finish())
    }
    notifications.send(pending, from: device, sessions, rules.delivery, at: now())
    return result
  }

  // MARK: Changes that an app cannot make

  /// Sets the result of `accountStatus()`. Requests that need an account fail unless it is available.
  public func setAccountStatus(_ status: AccountStatus) { sessions.setStatus(status, of: nil) }

  /// Deletes a zone as a user does in the settings, not the app.
  ///
  /// Requests to a purged zone fail with `userDeletedZone`, and the change feed has the reason.
  ///
  /// - Parameters:
  ///   - zoneID: the zone of the private database.
  ///   - reason: `purged` for "Delete Data from iCloud", or `encryptedDataReset`.
  /// - Throws: `CloudError`: `zoneNotFound`.
  public func purgeRecordZone(
    withID zoneID: ZoneID, for reason: DeletedZone.Reason = .purged
  ) async throws {
    try await purgeRecordZone(zoneID, for: reason, of: nil)
  }

  func purgeRecordZone(
    _ zoneID: ZoneID, for reason: DeletedZone.Reason, of account: String?
  ) async throws {
    try await perform { [self] in
      try changing(in: DatabaseKey(scope: .private, account: account)) { transaction, notifier in
        try transaction.deleteZone(zoneID, for: reason, notifier)
      }
    }
  }

  /// Deletes the records that refer with `deleteSelf` to deleted records of a default zone. The server
  /// does this some time after a request (``ServerRules/defaultZoneCascade``).
  ///
  /// A record that has children, or whose target was saved again, stays. Pending deletions are
  /// lost when the container is closed.
  ///
  /// - Returns: the records that were deleted.
  @discardableResult
  public func finishDeferredDeletions() async throws -> [RecordID] {
    try await perform { [self] in
      let cascades = takeCascades()
      guard !cascades.isEmpty else { return [] }
      do {
        return try cascades.sorted { $0.key < $1.key }.flatMap { database, targets in
          try changing(in: database) { transaction, notifier in
            let request = ModifyRequest(transaction, rules: rules)
            return try request.cascade(from: targets, notifier)
          }
        }
      } catch {
        for (database, targets) in cascades { addCascades(targets, in: database) }
        throw error
      }
    }
  }

  // MARK: State

  func addCascades(_ recordIDs: [RecordID], in database: DatabaseKey) {
    guard !recordIDs.isEmpty else { return }
    state.withLock { $0.cascades[database, default: []] += recordIDs }
  }

  func takeCascades() -> [DatabaseKey: [RecordID]] {
    state.withLock { state in
      defer { state.cascades = [:] }
      return state.cascades
    }
  }
}
