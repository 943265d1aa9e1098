import CloudInterface
import Dispatch
import Foundation
import RecordModel
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
/// What lies in the container is in its ``store``, which other code may read and fill at the same
/// time. Requests are answered one after the other, on a queue of the container: none of them holds
/// up a thread of Swift's tasks.
public final class MockContainer: CloudContainer, StoredContainer {
  /// The contents of the container, as they lie in its file.
  public let store: ContainerStore
  /// What the server allows, where it is known to differ or where sources disagree.
  public let rules: ServerRules
  /// The identifier in the container's metadata when it was opened.
  public let containerIdentifier: String?
  /// Returns the time of a request.
  let now: @Sendable () -> Date
  /// The parsed schema.
  let schemas = ContainerSchemas()
  /// What the devices have received.
  let notifications = NotificationBox()
  /// The files of assets that were asked for.
  let assetFiles = AssetFiles()
  /// Who has signed in on the devices.
  let sessions = SessionBox()
  private let queue = DispatchQueue(label: "RecordPack.MockContainer")
  private let state = Mutex(State())

  private struct State {
    /// The deleted records of the default zones whose referring records are still there.
    var cascades: [DatabaseKey: [RecordID]] = [:]
  }

  /// Creates a server above a store.
  ///
  /// - Parameters:
  ///   - store: the contents of the container.
  ///   - rules: what the server allows.
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

  /// Returns the database with a scope.
  public func database(with databaseScope: DatabaseScope) -> MockDatabase {
    MockDatabase(container: self, databaseScope: databaseScope, device: DeviceKey())
  }

  // MARK: Requests

  /// Answers a request on the container's queue.
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
    let (result, pending) = try store.changing(limits: rules.recordLimits, at: now()) {
      let info = try $0.info()
      let view = AccountView(database.scope, of: database.account, in: info)
      let notifier = try Notifier(in: database.scope, of: containerIdentifier, $0) {
        $0.scope == .public
          ? GrantRule(try self.schemas.schema(of: info, self.rules), for: $0) : nil
      }
      let result = try body(AccountTransaction($0, view), notifier)
      return (result, try notifier.finish())
    }
    notifications.send(pending, from: device, sessions, rules.delivery)
    return result
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
