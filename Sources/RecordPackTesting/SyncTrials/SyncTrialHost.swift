import CloudInterface
import Foundation
import MockCloud
import MockSync
import RecordModel
import Synchronization

/// A device of a trial, with everything that survives a kill of the app.
final class SyncTrialHost: Sendable {
  let name: String
  let mock: MockDevice
  private let base: FaultInjectingContainer<MockDevice>
  private let testbed: SyncTestbed
  private let folder: URL
  private let state = Mutex(State())

  private struct State {
    var launches = 0
    var container: FaultInjectingContainer<MockDevice>?
    var store: (any SyncTrialStore)?
    var engines: [MockSyncEngine] = []
    /// Keeps them alive, since an engine does not.
    var delegates: [SyncTrialDelegate] = []
    var states: [SyncEngineStateSerialization] = []
    var startState: Int?
    var callCount = 0
    var kill: (call: Int, before: Bool)?
    var writeFails = false
    var handlesFetchedRecords = false
  }

  init(_ name: String, _ mock: MockDevice, _ testbed: SyncTestbed, _ folder: URL) {
    self.name = name
    self.mock = mock
    self.testbed = testbed
    self.folder = folder
    base = FaultInjectingContainer(mock, clock: testbed.clock)
  }

  var faults: Faults { base.faults }
  /// The record name of the user; nil if nobody has signed in.
  var user: String? { get async { try? await mock.userRecordID().recordName } }
  var store: (any SyncTrialStore)? {
    get { state.withLock { $0.store } }
    set { state.withLock { $0.store = newValue } }
  }
  var engines: [MockSyncEngine] { state.withLock { $0.engines } }
  var isKilled: Bool { state.withLock { $0.container?.isCrashed ?? true } }
  var callCount: Int { state.withLock { $0.callCount } }
  /// The states that the engines of the device have reported.
  var states: [SyncEngineStateSerialization] { state.withLock { $0.states } }
  /// The number of the state with which the next engine starts, among those that the engines have
  /// reported, below 0 for none; nil for the state that the app has stored.
  var startState: Int? {
    get { state.withLock { $0.startState } }
    set { state.withLock { $0.startState = newValue } }
  }
  /// Whether a write is still to fail.
  var isWaitingForWrite: Bool { state.withLock { $0.writeFails } }

  func failNextWrite() { state.withLock { $0.writeFails = true } }

  /// Lets the app be killed at a call of its delegate, counted from now.
  func killAt(_ call: Int, before: Bool) {
    state.withLock { $0.kill = ($0.callCount + call, before) }
  }

  // MARK: The app's process

  /// Makes what a new launch of the app gets.
  func newLaunch() throws -> SyncTrialDevice {
    let launch = state.withLock { state in
      state.launches += 1
      return state.launches
    }
    // The last launch may still write into its folder.
    let (old, new) = (launchFolder(launch - 1), launchFolder(launch))
    if launch == 1 {
      try FileManager.default.createDirectory(at: new, withIntermediateDirectories: true)
    } else {
      try FileManager.default.copyItem(at: old, to: new)
    }
    let container = base.restarted()
    state.withLock { $0.container = container }
    return SyncTrialDevice(
      name: name, container: container, folder: new,
      makeEngine: { [self] in engine($0, in: container) },
      willWrite: { [weak self] in
        try container.checkCrash()
        try self?.checkWrite()
      })
  }

  private func launchFolder(_ launch: Int) -> URL {
    folder.appendingPathComponent(String(launch), isDirectory: true)
  }

  private func engine(
    _ configuration: SyncEngineConfiguration, in container: FaultInjectingContainer<MockDevice>
  ) -> any SyncEngine {
    var configuration = configuration
    let delegate = SyncTrialDelegate(configuration.delegate, self)
    configuration.delegate = delegate
    state.withLock { state in
      guard let number = state.startState else { return }
      configuration.stateSerialization =
        state.states.indices.contains(number) ? state.states[number] : nil
      state.startState = nil
    }
    let engine = testbed.engine(configuration, on: container)
    state.withLock { state in
      state.engines.append(engine)
      state.delegates.append(delegate)
    }
    return engine
  }

  /// Kills the app.
  func kill() {
    let (container, engines) = state.withLock { state in
      defer {
        state.engines = []
        state.delegates = []
        state.store = nil
        state.kill = nil
      }
      return (state.container, state.engines)
    }
    container?.crash()
    for engine in engines { testbed.stop(engine) }
  }

  private func checkWrite() throws {
    let fails = state.withLock { state in
      let fails = state.writeFails && state.handlesFetchedRecords
      if fails { state.writeFails = false }
      return fails
    }
    if fails { throw CocoaError(.fileWriteOutOfSpace) }
  }

  // MARK: Calls of the delegate

  /// Makes a call of the app's delegate, or kills the app before or after it.
  ///
  /// - Returns: nil if the app was killed before the call.
  func call<Result>(_ event: SyncEngineEvent?, _ body: () async -> Result) async -> Result? {
    let kill = state.withLock { state in
      state.callCount += 1
      if case .stateUpdate(let update)? = event { state.states.append(update.stateSerialization) }
      if case .fetchedRecordZoneChanges? = event { state.handlesFetchedRecords = true }
      return state.kill?.call == state.callCount ? state.kill : nil
    }
    defer { state.withLock { $0.handlesFetchedRecords = false } }
    if let kill, kill.before {
      self.kill()
      return nil
    }
    let result = await body()
    if kill != nil { self.kill() }
    return result
  }
}

/// The delegate of an engine in a trial, which calls the app's delegate.
final class SyncTrialDelegate: SyncEngineDelegate {
  private let app: any SyncEngineDelegate
  private let host: SyncTrialHost

  init(_ app: any SyncEngineDelegate, _ host: SyncTrialHost) {
    self.app = app
    self.host = host
  }

  func handleEvent(_ event: SyncEngineEvent, syncEngine: any SyncEngine) async {
    _ = await host.call(event) { await app.handleEvent(event, syncEngine: syncEngine) }
  }

  func nextRecordZoneChangeBatch(
    _ context: SendChangesContext, syncEngine: any SyncEngine
  ) async -> RecordZoneChangeBatch? {
    await host.call(nil) {
      await app.nextRecordZoneChangeBatch(context, syncEngine: syncEngine)
    } ?? nil
  }

  func nextFetchChangesOptions(
    _ context: FetchChangesContext, syncEngine: any SyncEngine
  ) async -> FetchChangesOptions {
    await app.nextFetchChangesOptions(context, syncEngine: syncEngine)
  }
}
