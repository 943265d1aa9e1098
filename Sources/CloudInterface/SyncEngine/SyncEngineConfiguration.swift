import RecordModel

/// The settings of a new engine (`CKSyncEngine.Configuration`).
///
/// ```swift
/// let engine = MockSyncEngine(
///   SyncEngineConfiguration(
///     database: device.privateCloudDatabase, stateSerialization: nil, delegate: app),
///   account: device, rules: rules)
/// ```
public struct SyncEngineConfiguration: Sendable {
  /// The database to keep in sync: a private or shared one.
  public var database: any CloudDatabase
  /// The newest state that the app has stored; nil for the first engine on a device.
  public var stateSerialization: SyncEngineStateSerialization?
  /// The app's side of the sync. An engine does not keep it alive (Apple's
  /// `CKSyncEngineConfiguration.h`).
  public var delegate: any SyncEngineDelegate
  /// Whether the engine fetches and sends by itself. Without it, only
  /// ``SyncEngine/fetchChanges(_:)`` and ``SyncEngine/sendChanges(_:)`` do.
  public var automaticallySync = true
  /// A database subscription of an earlier implementation, which the engine uses; nil lets the
  /// engine find or make one.
  public var subscriptionID: String?

  /// Creates settings.
  public init(
    database: any CloudDatabase, stateSerialization: SyncEngineStateSerialization?,
    delegate: any SyncEngineDelegate
  ) {
    self.database = database
    self.stateSerialization = stateSerialization
    self.delegate = delegate
  }
}

extension SyncEngineConfiguration: CustomStringConvertible {
  /// The settings in one line.
  public var description: String {
    "\(database.databaseScope.rawValue) database, "
      + (stateSerialization == nil ? "without a state" : "with a state")
      + (automaticallySync ? "" : ", only on request")
  }
}
