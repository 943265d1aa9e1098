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
  /// Whether the device notes the calls in which the app stores something.
  private let comparesFiles: Bool
  private let state: Mutex<State>

  /// The calls of delegates.
  struct Calls {
    /// The number of calls.
    var count = 0
    /// The numbers of the calls before which the app or an engine has made requests, from 1.
    var afterRequests: Set<Int> = []
    /// The numbers of the calls in which the app has stored something; nil if that is not known.
    var storing: Set<Int>?
    /// The number of states that the delegates were given.
    var states = 0
  }

  private struct WeakEngine { weak var value: MockSyncEngine? }

  private struct State {
    var launches = 0
    var container: FaultInjectingContainer<MockDevice>?
    /// Code of the app finds the container there.
    var scope: TestScope?
    var device: SyncTrialDevice?
    var store: SyncTrialStore?
    /// The engines that the app has made since its start. The app keeps them alive.
    var engines: [WeakEngine] = []
    var activity = 0
    /// The number of requests of apps that were killed.
    var requestsAfterKills = 0
    var exceptions: [String] = []
    var states: [(database: DatabaseScope, serialization: SyncEngineStateSerialization)] = []
    /// The states with which the first engine of each database starts; nil for those that the app has stored.
    var startStates: [DatabaseScope: SyncEngineStateSerialization?] = [:]
    var callCount = 0
    var callsAfterRequests: Set<Int> = []
    /// The app's files after the last call, by their paths.
    var files: [String: Data]?
    var storingCalls: Set<Int> = []
    var kill: (call: Int, before: Bool)?
    var writeFails = false
    var handlesFetchedRecords = false
    var isSyncing = false
    var evidence: SyncTrialEvidence.Device

    init(name: String) { evidence = .init(name: name) }
  }

  init(
    _ name: String, _ mock: MockDevice, _ testbed: SyncTestbed, _ folder: URL, comparesFiles: Bool
  ) {
    self.name = name
    state = Mutex(State(name: name))
    self.comparesFiles = comparesFiles
    self.mock = mock
    self.testbed = testbed
    self.folder = folder
    base = FaultInjectingContainer(mock, clock: testbed.clock)
  }

  var faults: Faults { base.faults }
  /// The record name of the user; nil if nobody has signed in.
  var user: String? { get async { try? await mock.userRecordID().recordName } }
  var store: SyncTrialStore? {
    get { state.withLock { $0.store } }
    set { state.withLock { $0.store = newValue } }
  }
  /// The engines that the app keeps.
  var engines: [MockSyncEngine] { state.withLock { $0.engines }.compactMap(\.value) }
  /// Whether the app has an engine that does not sync by itself.
  var syncsByHand: Bool { engines.contains { !$0.syncsAutomatically } }
  /// Whether the app has made an engine since its start.
  var hasMadeEngine: Bool { state.withLock { !$0.engines.isEmpty } }
  /// The uses of CloudKit for which Apple's framework raises an exception.
  var exceptions: [String] { state.withLock { $0.exceptions } }
  /// The errors that the app was told; the run knows the events.
  var evidence: SyncTrialEvidence.Device { state.withLock { $0.evidence } }
  /// Whether the device is syncing.
  var isSyncing: Bool {
    get { state.withLock { $0.isSyncing } }
    set { state.withLock { $0.isSyncing = newValue } }
  }
  var isKilled: Bool { state.withLock { $0.container?.isCrashed ?? true } }
  /// The calls that the delegates of the device got.
  var calls: Calls {
    state.withLock { state in
      // An app can store its data elsewhere.
      let storing = state.storingCalls.isEmpty ? nil : state.storingCalls
      return Calls(
        count: state.callCount, afterRequests: state.callsAfterRequests,
        storing: storing, states: state.states.count)
    }
  }
  /// Lets the engines of the next launch start with the states as they were when the engines had reported
  /// a state.
  ///
  /// - Parameter number: the number of the state, below 0 for none; nil for the states that the app has
  ///   stored.
  func start(withState number: Int?) {
    state.withLock { state in
      state.startStates = [:]
      guard let number else { return }
      let states = state.states.prefix(number + 1)
      for database in DatabaseScope.allCases {
        state.startStates[database] = .some(states.last { $0.database == database }?.serialization)
      }
    }
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
  ///
  /// - Parameter isNew: whether the app is installed anew, without what it has stored.
  func newLaunch(isNew: Bool = false) throws -> SyncTrialDevice {
    let (launch, last) = state.withLock { state in
      state.launches += 1
      return (state.launches, state.device)
    }
    if launch == 1 || isNew {
      try FileManager.default.createDirectory(
        at: launchFolder(launch), withIntermediateDirectories: true)
      last?.removeDefaults()
    } else {
      try copyFiles(toLaunch: launch)
    }
    let faulty = base.restarted()
    let container = SyncTrialContainer(base: faulty, host: self)
    let device = SyncTrialDevice(
      container, folder: launchFolder(launch),
      suite: "\(folder.deletingLastPathComponent().lastPathComponent).\(name)",
      clock: testbed.clock)
    let scope = TestScope(container: { container }) { [weak self] message in
      guard !faulty.isCrashed else { return }
      self?.state.withLock { $0.exceptions.append(message) }
    }
    state.withLock { ($0.container, $0.scope, $0.device) = (faulty, scope, device) }
    return device
  }

  private func launchFolder(_ launch: Int) -> URL {
    folder.appendingPathComponent(String(launch), isDirectory: true)
  }

  /// Copies the files that the last launch has left. Its objects may still write, and close their files: SQLite
  /// moves its log into the database then. A copy counts if nothing has changed meanwhile.
  private func copyFiles(toLaunch launch: Int) throws {
    let (old, new) = (launchFolder(launch - 1), launchFolder(launch))
    for _ in 0..<100 {
      let before = try? files(ofLaunch: launch - 1)
      let isCopied = (try? FileManager.default.copyItem(at: old, to: new)) != nil
      if isCopied, let before, before == (try? files(ofLaunch: launch - 1)) { return }
      try? FileManager.default.removeItem(at: new)
    }
    throw CocoaError(.fileReadUnknown)
  }

  /// The files of a launch by their paths, and its folders without content.
  private func files(ofLaunch launch: Int) throws -> [String: Data] {
    let folder = launchFolder(launch)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .reduce(into: [:]) { files, path in
        files[path] = (try? Data(contentsOf: folder.appendingPathComponent(path))) ?? Data()
      }
  }

  func engine(
    _ configuration: SyncEngineConfiguration, in container: SyncTrialContainer
  ) -> MockSyncEngine {
    var configuration = configuration
    let database = configuration.database.databaseScope
    configuration.delegate = SyncTrialDelegate(configuration.delegate, of: database, self)
    // An app that begins without a state has none that could be older than its data.
    if let start = state.withLock({ $0.startStates.removeValue(forKey: database) }),
      configuration.stateSerialization != nil
    {
      configuration.stateSerialization = start
    }
    let engine = testbed.weakEngine(configuration, on: container)
    let isKilled = state.withLock { state in
      state.activity += 1
      guard state.container?.isCrashed == false, !container.base.isCrashed else { return true }
      state.engines.append(WeakEngine(value: engine))
      return false
    }
    // An app that was killed while it made the engine.
    if isKilled { testbed.stop(engine) }
    return engine
  }

  /// Runs code of the app, which finds the device's container.
  func inScope<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async rethrows -> Value {
    try await TestScope.$current.withValue(state.withLock { $0.scope }) { try await body() }
  }

  // MARK: Tasks of the app

  /// Notes that the app or an engine makes a request.
  func noteRequest() {
    state.withLock { state in
      state.activity += 1
      state.callsAfterRequests.insert(state.callCount + 1)
    }
  }

  /// Ends code of a killed app that repeats its requests without end: they do not return any more.
  func holdEndlessRequest() async {
    let isEndless = state.withLock { state in
      state.requestsAfterKills += 1
      return state.requestsAfterKills > 10_000
    }
    if isEndless { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
  }

  /// Notes the errors of a request that no engine makes: an app has made it by itself.
  func note(_ errors: [any Error], of operation: CloudOperation) {
    switch operation {
    case .databaseChanges, .recordZoneChanges, .modifyRecords, .modifyRecordZones,
      .modifySubscriptions, .accountStatus, .userRecordID:
      return
    default: break
    }
    let codes = errors.compactMap { ($0 as? CloudError)?.code.name }
    state.withLock { state in
      for text in codes.map({ "\(operation.rawValue) (\($0))" })
      where !state.evidence.requestErrors.contains(text) {
        state.evidence.requestErrors.append(text)
      }
    }
  }

  /// A number that grows with each call of the app and its delegates.
  var activity: Int {
    state.withLock { $0.activity } + engines.reduce(0) { $0 + $1.pendingRevision }
  }

  /// Waits until tasks that the app has made of its own have run, as far as that can be seen from here:
  /// they come before a task that is made later, and cause calls.
  func rest() async {
    for _ in 0..<50 {
      let before = activity
      for _ in 0..<3 { await Task.detached {}.value }
      await MainActor.run {}
      if activity == before { return }
    }
  }

  /// Waits until a new launch has made an engine, which may be in a task of its own; not for long, since
  /// an app may do without.
  func waitForEngine() async throws {
    for _ in 0..<100 where !hasMadeEngine && !isKilled {
      await rest()
      try await Task.sleep(for: .milliseconds(1))
    }
    await rest()
  }

  /// Kills the app.
  func kill() {
    let (container, engines) = state.withLock { state in
      defer { (state.engines, state.store, state.kill) = ([], nil, nil) }
      return (state.container, state.engines.compactMap(\.value))
    }
    container?.crash()
    for engine in engines { testbed.stop(engine) }
  }

  /// Forgets what outlives the app, at the end of the trial.
  func end() {
    kill()
    let device = state.withLock { state in
      defer { (state.device, state.scope) = (nil, nil) }
      return state.device
    }
    device?.removeDefaults()
  }

  /// Notes whether the app has stored something since the last call.
  private func compareFiles() {
    let files = try? files(ofLaunch: state.withLock { $0.launches })
    state.withLock { state in
      if files == nil || files != state.files || state.device?.storesDefaults == true {
        state.storingCalls.insert(state.callCount)
      }
      state.files = files
    }
  }

  func checkWrite() throws {
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
  func call<Result>(
    _ event: SyncEngineEvent?, of database: DatabaseScope, _ body: () async -> Result
  ) async -> Result? {
    let kill = state.withLock { state in
      state.callCount += 1
      state.activity += 1
      if let event { state.evidence.note(event) }
      if case .stateUpdate(let update)? = event {
        state.states.append((database, update.stateSerialization))
      }
      if case .fetchedRecordZoneChanges? = event { state.handlesFetchedRecords = true }
      return state.kill?.call == state.callCount ? state.kill : nil
    }
    defer { state.withLock { $0.handlesFetchedRecords = false } }
    if let kill, kill.before {
      self.kill()
      return nil
    }
    let result = await inScope(body)
    await Task.detached {}.value
    if comparesFiles { compareFiles() }
    if kill != nil { self.kill() }
    return result
  }
}
