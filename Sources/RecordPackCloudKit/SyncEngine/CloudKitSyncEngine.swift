#if canImport(CloudKit)
  import CloudInterface
  import CloudKit
  import Foundation
  import RecordModel

  /// CloudKit's engine (`CKSyncEngine`), for code that takes a `SyncEngine`.
  ///
  /// ```swift
  /// let container = CloudKitContainer(CKContainer.default())
  /// let engine = CloudKitSyncEngine(
  ///   SyncEngineConfiguration(
  ///     database: container.privateCloudDatabase, stateSerialization: stored, delegate: store))
  /// ```
  ///
  /// Events, batches, errors and states are converted. An app that has stored a state of
  /// `CKSyncEngine` keeps it: see `SyncEngineStateSerialization.init(_:)`.
  public final class CloudKitSyncEngine: SyncEngine {
    /// CloudKit's engine.
    public let engine: CKSyncEngine
    /// The changes that are still to be sent, and what the engine knows about the server.
    public let state: any SyncEngineState
    /// The database that the engine keeps in sync.
    public let database: any CloudDatabase
    private let adapter: CloudKitDelegate

    /// Creates an engine, which begins to work soon.
    ///
    /// - Parameters:
    ///   - configuration: The database, which has to be a ``CloudKitDatabase``, the stored state and
    ///     the delegate. The engine does not keep the delegate alive.
    ///   - onError: Called for each value that cannot be converted: a stored state of another engine,
    ///     a fetched record with a value that has no counterpart, a name that CloudKit rejects. The
    ///     default writes the error to the system's log.
    public init(
      _ configuration: SyncEngineConfiguration,
      onError: @escaping @Sendable (any Error) -> Void = { NSLog("RecordPack: %@", "\($0)") }
    ) {
      guard let database = configuration.database as? CloudKitDatabase else {
        preconditionFailure("a CloudKitSyncEngine needs a CloudKitDatabase")
      }
      self.database = database
      adapter = CloudKitDelegate(configuration.delegate, database, onError)
      var stored: CKSyncEngine.State.Serialization?
      do {
        stored = try configuration.stateSerialization.map { try .init($0) }
      } catch {
        onError(error)
      }
      var ckConfiguration = CKSyncEngine.Configuration(
        database: database.database, stateSerialization: stored, delegate: adapter)
      ckConfiguration.automaticallySync = configuration.automaticallySync
      ckConfiguration.subscriptionID = configuration.subscriptionID
      engine = CKSyncEngine(ckConfiguration)
      state = CloudKitState(engine.state, onError)
      // An event may have come already; it waits.
      adapter.setEngine(self)
    }

    /// Fetches changes now; see `SyncEngine`.
    public func fetchChanges(_ options: FetchChangesOptions) async throws {
      try await callingCloudKit { try await engine.fetchChanges(.init(options)) }
    }

    /// Sends the pending changes now; see `SyncEngine`.
    public func sendChanges(_ options: SendChangesOptions) async throws {
      try await callingCloudKit { try await engine.sendChanges(.init(options)) }
    }

    /// Cancels the running operations.
    public func cancelOperations() async { await engine.cancelOperations() }

    /// The description of CloudKit's engine.
    public var description: String { engine.description }
  }

  extension SyncEngineStateSerialization {
    /// Creates a serialization from one of CloudKit, such as one that an app has stored before it
    /// moved to `SyncEngine`.
    public init(_ serialization: CKSyncEngine.State.Serialization) {
      self.init { try JSONEncoder().encode(serialization) }
    }
  }

  extension CKSyncEngine.State.Serialization {
    /// Creates CloudKit's serialization from one of a ``CloudKitSyncEngine``.
    ///
    /// - Throws: `DecodingError` for a serialization of another engine.
    public init(_ serialization: SyncEngineStateSerialization) throws {
      self = try JSONDecoder().decode(Self.self, from: serialization.data)
    }
  }
#endif
