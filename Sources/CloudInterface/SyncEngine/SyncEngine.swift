import RecordModel

/// An engine that keeps an app's data and a database the same (`CKSyncEngine`).
///
/// An app takes a closure that makes its engine. In production the closure makes a
/// `CloudKitSyncEngine` of `RecordPackCloudKit`, in tests a `MockSyncEngine` of `MockSync`. Code
/// moves over from `CKSyncEngine` by removing the letters `CK`: ``SyncEngine/Event``,
/// ``SyncEngine/State``, ``SyncEngine/PendingRecordZoneChange``.
///
/// ```swift
/// engine = makeEngine(
///   SyncEngineConfiguration(
///     database: container.privateCloudDatabase, stateSerialization: stored, delegate: self))
/// ```
public protocol SyncEngine: AnyObject, Sendable, CustomStringConvertible {
  /// The database that the engine keeps in sync.
  var database: any CloudDatabase { get }

  /// The changes that are still to be sent, and what the engine knows about the server.
  var state: any SyncEngineState { get }

  /// Fetches changes now, and returns after the delegate has handled their events.
  ///
  /// Do not call this from the delegate: the call would wait for an event that waits for the call.
  ///
  /// - Throws: `CloudError`, the error of the operation.
  func fetchChanges(_ options: FetchChangesOptions) async throws

  /// Sends the pending changes now, and returns after the delegate has handled the events.
  ///
  /// Do not call this from the delegate: the call would wait for an event that waits for the call.
  ///
  /// - Throws: `CloudError`, the error of the operation.
  func sendChanges(_ options: SendChangesOptions) async throws

  /// Cancels the running operations. A request that the server already has may still succeed.
  func cancelOperations() async
}

extension SyncEngine {
  /// The settings of a new engine.
  public typealias Configuration = SyncEngineConfiguration
  /// The changes that are still to be sent, and what the engine knows about the server.
  public typealias State = SyncEngineState
  /// Something that an engine reports to its delegate.
  public typealias Event = SyncEngineEvent
  /// A record that is still to be saved or deleted.
  public typealias PendingRecordZoneChange = CloudInterface.PendingRecordZoneChange
  /// A zone that is still to be saved or deleted.
  public typealias PendingDatabaseChange = CloudInterface.PendingDatabaseChange
  /// The records of one request.
  public typealias RecordZoneChangeBatch = CloudInterface.RecordZoneChangeBatch
  /// The zones of a fetch.
  public typealias FetchChangesOptions = CloudInterface.FetchChangesOptions
  /// The records of a send.
  public typealias SendChangesOptions = CloudInterface.SendChangesOptions
  /// The reason for a fetch, and its options.
  public typealias FetchChangesContext = CloudInterface.FetchChangesContext
  /// The reason for a send, and its options.
  public typealias SendChangesContext = CloudInterface.SendChangesContext
  /// Whether the engine or the app started an operation.
  public typealias SyncReason = CloudInterface.SyncReason

  /// Fetches the changes of all zones; see ``fetchChanges(_:)``.
  public func fetchChanges() async throws { try await fetchChanges(FetchChangesOptions()) }

  /// Sends all pending changes; see ``sendChanges(_:)``.
  public func sendChanges() async throws { try await sendChanges(SendChangesOptions()) }
}
