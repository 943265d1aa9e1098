import CloudInterface
import Foundation
import MockCloud
import Synchronization

/// A device of a trial: the place where an app's store runs.
///
/// The device is killed and started again. The files in ``folder`` and the values of ``userDefaults``
/// survive, and nothing else does.
public final class SyncTrialDevice: Sendable {
  /// The name of the device, such as `Phone`.
  public var name: String { trialContainer.host.name }
  /// The app's container. Code that imports CloudKit need not take it: `CKContainer.default()` and
  /// `CKContainer(identifier:)` find it.
  public var container: any CloudContainer { trialContainer }
  /// The folder for the app's files. Each start of the app has a copy of the files that the last
  /// start left.
  public let folder: URL
  /// The clock of the device's engines. It moves when all engines wait.
  public let clock: ManualClock
  /// A notification centre of the device's own, for an app that takes one: all devices of a trial are in
  /// one process, and would hear each other's notifications in the default centre.
  public let notificationCenter = NotificationCenter()
  /// The name of the suite of ``userDefaults``, for an app that takes the name of an app group.
  public var suiteName: String {
    usesDefaults.withLock { $0 = true }
    return suite
  }
  private let suite: String
  private let usesDefaults = Mutex(false)
  private let trialContainer: SyncTrialContainer

  init(_ container: SyncTrialContainer, folder: URL, suite: String, clock: ManualClock) {
    (trialContainer, self.folder, self.suite, self.clock) = (container, folder, suite, clock)
  }

  /// The device's own values, for an app that takes them: `UserDefaults.standard` is the same for all
  /// devices of a trial. They survive the app, and end with the trial.
  public var userDefaults: UserDefaults {
    UserDefaults(suiteName: suiteName) ?? .standard
  }

  /// Whether the app has asked for values of its own.
  var storesDefaults: Bool { usesDefaults.withLock { $0 } }

  /// Forgets the values, at the end of a trial.
  func removeDefaults() {
    if storesDefaults {
      UserDefaults(suiteName: suite)?.removePersistentDomain(forName: suite)
    }
  }

  /// Makes an engine, in place of `CloudKitSyncEngine(configuration)`. Code that makes a `CKSyncEngine`
  /// does not need it.
  public func engine(_ configuration: SyncEngineConfiguration) -> any SyncEngine {
    trialContainer.makeEngine(configuration)
  }

  /// Call this before the store writes. It throws where a trial lets a write fail, as on a full
  /// disk, and after the trial has killed the app.
  ///
  /// - Throws: `CocoaError` with the code `fileWriteOutOfSpace`; `SimulatedCrash`.
  public func checkWrite() throws {
    try trialContainer.base.checkCrash()
    try trialContainer.host.checkWrite()
  }
}
