import CloudInterface
import Foundation

/// A device of a trial: the place where an app's store runs.
///
/// The device is killed and started again. The files in ``folder`` survive, and nothing else does.
public final class SyncTrialDevice: Sendable {
  /// The name of the device, such as `Phone`.
  public let name: String
  /// The app's container.
  public let container: any CloudContainer
  /// The folder for the app's files. Each start of the app has a copy of the files that the last
  /// start left.
  public let folder: URL
  private let makeEngine: @Sendable (SyncEngineConfiguration) -> any SyncEngine
  private let willWrite: @Sendable () throws -> Void

  init(
    name: String, container: any CloudContainer, folder: URL,
    makeEngine: @escaping @Sendable (SyncEngineConfiguration) -> any SyncEngine,
    willWrite: @escaping @Sendable () throws -> Void
  ) {
    self.name = name
    self.container = container
    self.folder = folder
    self.makeEngine = makeEngine
    self.willWrite = willWrite
  }

  /// Makes an engine, in place of `CloudKitSyncEngine(configuration)`.
  public func engine(_ configuration: SyncEngineConfiguration) -> any SyncEngine {
    makeEngine(configuration)
  }

  /// Call this before the store writes. It throws where a trial lets a write fail, as on a full
  /// disk, and after the trial has killed the app.
  ///
  /// - Throws: `CocoaError` with the code `fileWriteOutOfSpace`; `SimulatedCrash`.
  public func checkWrite() throws { try willWrite() }
}
