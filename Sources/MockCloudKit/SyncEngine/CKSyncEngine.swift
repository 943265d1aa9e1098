import CloudInterface
import Foundation
import MockCloud
import MockSync
import RecordModel

/// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5
public final class CKSyncEngine: Sendable, CustomStringConvertible {
  /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/configuration
  public struct Configuration: Sendable, CustomStringConvertible {
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/configuration/database
    public var database: CKDatabase
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/configuration/stateserialization
    public var stateSerialization: CKSyncEngine.State.Serialization?
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/configuration/delegate
    public var delegate: any CKSyncEngineDelegate
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/configuration/automaticallysync
    public var automaticallySync = true
    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/configuration/subscriptionid
    public var subscriptionID: CKSubscription.ID?

    /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/configuration/init(database:stateserialization:delegate:)
    public init(
      database: CKDatabase, stateSerialization: CKSyncEngine.State.Serialization?,
      delegate: any CKSyncEngineDelegate
    ) {
      self.database = database
      self.stateSerialization = stateSerialization
      self.delegate = delegate
    }

    /// https://developer.apple.com/documentation/swift/customstringconvertible/description
    public var description: String { "CKSyncEngine.Configuration" }
  }

  /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/database
  public let database: CKDatabase
  /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/state-swift.property
  public let state: CKSyncEngine.State
  private let core: SyncEngineCore
  private var engine: MockSyncEngine { core.engine }

  /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/init(_:)
  public init(_ configuration: CKSyncEngine.Configuration) {
    database = configuration.database
    core = SyncEngineCore.core(for: configuration)
    state = State(core.engine.state)
    core.translator.setEngine(self)
  }

  /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/fetchchanges(_:)
  public func fetchChanges(_ options: FetchChangesOptions = .init()) async throws {
    try await database.translatingErrors { try await engine.fetchChanges(options.model) }
  }

  /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/sendchanges(_:)
  public func sendChanges(_ options: SendChangesOptions = .init()) async throws {
    try await database.translatingErrors { try await engine.sendChanges(options.model) }
  }

  /// https://developer.apple.com/documentation/cloudkit/cksyncengine-5sie5/canceloperations()
  public func cancelOperations() async { await engine.cancelOperations() }

  /// https://developer.apple.com/documentation/swift/customstringconvertible/description
  public var description: String { engine.description }
}

/// https://developer.apple.com/documentation/cloudkit/cksyncenginedelegate-1q7g8
public protocol CKSyncEngineDelegate: AnyObject, Sendable {
  /// https://developer.apple.com/documentation/cloudkit/cksyncenginedelegate-1q7g8/handleevent(_:syncengine:)
  func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async
  /// https://developer.apple.com/documentation/cloudkit/cksyncenginedelegate-1q7g8/nextrecordzonechangebatch(_:syncengine:)
  func nextRecordZoneChangeBatch(
    _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch?
  /// https://developer.apple.com/documentation/cloudkit/cksyncenginedelegate-1q7g8/nextfetchchangesoptions(_:syncengine:)
  func nextFetchChangesOptions(
    _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.FetchChangesOptions
}

extension CKSyncEngineDelegate {
  /// https://developer.apple.com/documentation/cloudkit/cksyncenginedelegate-1q7g8/nextfetchchangesoptions(_:syncengine:)
  public func nextFetchChangesOptions(
    _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.FetchChangesOptions {
    context.options
  }
}
