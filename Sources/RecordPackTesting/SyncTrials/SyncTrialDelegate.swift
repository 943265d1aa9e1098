import CloudInterface
import RecordModel
import Synchronization

/// The delegate of an engine in a trial, which calls the app's delegate.
final class SyncTrialDelegate: SyncEngineDelegate {
  private struct App { weak var delegate: (any SyncEngineDelegate)? }

  /// An engine does not keep its delegate alive.
  private let app: Mutex<App>
  private let database: DatabaseScope
  private let host: SyncTrialHost

  init(_ delegate: any SyncEngineDelegate, of database: DatabaseScope, _ host: SyncTrialHost) {
    app = Mutex(App(delegate: delegate))
    self.database = database
    self.host = host
  }

  private var delegate: (any SyncEngineDelegate)? { app.withLock { $0.delegate } }

  func handleEvent(_ event: SyncEngineEvent, syncEngine: any SyncEngine) async {
    _ = await host.call(event, of: database) {
      await delegate?.handleEvent(event, syncEngine: syncEngine)
    }
  }

  func nextRecordZoneChangeBatch(
    _ context: SendChangesContext, syncEngine: any SyncEngine
  ) async -> RecordZoneChangeBatch? {
    await host.call(nil, of: database) {
      await delegate?.nextRecordZoneChangeBatch(context, syncEngine: syncEngine)
    } ?? nil
  }

  func nextFetchChangesOptions(
    _ context: FetchChangesContext, syncEngine: any SyncEngine
  ) async -> FetchChangesOptions {
    await host.inScope {
      await delegate?.nextFetchChangesOptions(context, syncEngine: syncEngine) ?? context.options
    }
  }
}
