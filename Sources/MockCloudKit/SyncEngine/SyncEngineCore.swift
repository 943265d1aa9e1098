import CloudInterface
import Foundation
import MockCloud
import MockSync
import RecordModel

/// The engine behind a `CKSyncEngine`.
///
/// Two `CKSyncEngine`s share it if the second one continues the first: both have the same delegate and
/// database, and the second begins with the state that the delegate was last given. Changes that were
/// added since are then still pending. Apple's sample makes such a second engine in a task of its
/// initializer; its tests pass only if nothing is lost. Documentation does not mention the case. A second
/// engine with another state, or with none although the delegate was given one, begins anew.
final class SyncEngineCore: Sendable {
  let engine: MockSyncEngine
  let translator: DelegateTranslator
  private let database: ObjectIdentifier
  private let scope: CKDatabase.Scope

  private init(_ configuration: CKSyncEngine.Configuration, _ backing: Backing) {
    let database = configuration.database
    self.database = ObjectIdentifier(backing)
    scope = database.databaseScope
    let serialization = configuration.stateSerialization?.model
    translator = DelegateTranslator(
      configuration.delegate, RecordReader(backing), startingWith: serialization)
    var model = SyncEngineConfiguration(
      database: backing.database(with: DatabaseScope(scope)), stateSerialization: serialization,
      delegate: translator)
    model.automaticallySync = configuration.automaticallySync
    model.subscriptionID = configuration.subscriptionID
    if let maker = backing.container as? any SyncEngineMaker {
      engine = maker.makeEngine(model)
    } else {
      engine = MockSyncEngine(
        model, account: backing.container, signals: backing.signals, rules: backing.syncRules,
        clock: backing.clock
      ) { misuse in
        switch misuse.kind {
        case .calledFromDelegate: ClientException.raise(misuse.description)
        // Nothing is known of an exception. The app goes on, as on a device, and a test fails.
        case .stateOfOtherDatabase: TestScope.current?.recordFailure(misuse.description)
        case .unreadableState: break
        }
      }
    }
  }

  private struct WeakCore {
    weak var value: SyncEngineCore?
  }

  private static let living = Locked<[WeakCore]>([])

  /// Returns the engine that a configuration continues, or a new one.
  static func core(for configuration: CKSyncEngine.Configuration) -> SyncEngineCore {
    let backing = configuration.database.container.backing
    return living.with { living in
      living.removeAll { $0.value == nil }
      if let known = living.lazy.compactMap(\.value).first(where: {
        $0.isContinued(by: configuration, backing)
      }) {
        return known
      }
      let core = SyncEngineCore(configuration, backing)
      living.append(WeakCore(value: core))
      return core
    }
  }

  private func isContinued(
    by configuration: CKSyncEngine.Configuration, _ backing: Backing
  ) -> Bool {
    guard let delegate = translator.delegate, delegate === configuration.delegate else {
      return false
    }
    return database == ObjectIdentifier(backing) && scope == configuration.database.databaseScope
      && engine.syncsAutomatically == configuration.automaticallySync
      && engine.subscriptionID == configuration.subscriptionID
      && translator.hasDelivered(configuration.stateSerialization?.model)
  }
}
