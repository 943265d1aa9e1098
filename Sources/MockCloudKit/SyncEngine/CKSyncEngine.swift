import CloudInterface
import Foundation
import MockCloud
import MockSync
import RecordModel

public final class CKSyncEngine: Sendable, CustomStringConvertible {
  public struct Configuration: Sendable, CustomStringConvertible {
    public var database: CKDatabase
    public var stateSerialization: CKSyncEngine.State.Serialization?
    public var delegate: any CKSyncEngineDelegate
    public var automaticallySync = true
    public var subscriptionID: CKSubscription.ID?

    public init(
      database: CKDatabase, stateSerialization: CKSyncEngine.State.Serialization?,
      delegate: any CKSyncEngineDelegate
    ) {
      self.database = database
      self.stateSerialization = stateSerialization
      self.delegate = delegate
    }

    public var description: String {
      "<Configuration database=\(database) automaticallySync=\(automaticallySync)>"
    }
  }

  public let database: CKDatabase
  public let state: CKSyncEngine.State
  private let core: SyncEngineCore
  private var engine: MockSyncEngine { core.engine }

  public init(_ configuration: CKSyncEngine.Configuration) {
    database = configuration.database
    core = SyncEngineCore.core(for: configuration)
    state = State(core.engine)
    core.translator.setEngine(self)
  }

  public func fetchChanges(_ options: FetchChangesOptions = .init()) async throws {
    try await database.translatingErrors { try await engine.fetchChanges(options.model) }
  }

  public func sendChanges(_ options: SendChangesOptions = .init()) async throws {
    try await database.translatingErrors { try await engine.sendChanges(options.model) }
  }

  public func cancelOperations() async { await engine.cancelOperations() }

  public var description: String { "<CKSyncEngine \("\(database.databaseScope)".capitalized)>" }
}

public protocol CKSyncEngineDelegate: AnyObject, Sendable {
  func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async
  func nextRecordZoneChangeBatch(
    _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.RecordZoneChangeBatch?
  func nextFetchChangesOptions(
    _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.FetchChangesOptions
}

extension CKSyncEngineDelegate {
  public func nextFetchChangesOptions(
    _ context: CKSyncEngine.FetchChangesContext, syncEngine: CKSyncEngine
  ) async -> CKSyncEngine.FetchChangesOptions {
    context.options
  }
}
