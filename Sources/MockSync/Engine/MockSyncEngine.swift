import CloudInterface
import RecordModel
import Synchronization

/// An engine with the behaviour of `CKSyncEngine`, on any `CloudDatabase`.
///
/// ```swift
/// let engine = MockSyncEngine(
///   SyncEngineConfiguration(
///     database: device.privateCloudDatabase, stateSerialization: nil, delegate: store),
///   account: device, clock: clock)
/// ```
///
/// The engine calls its delegate for one event at a time. It works by itself at the times of its
/// clock, so a test that moves the clock does not wait. Where Apple's documentation and devices
/// differ, ``SyncRules`` decides.
///
/// The engine does not keep its delegate alive (Apple's `CKSyncEngineConfiguration.h`), and does
/// nothing without it.
public final class MockSyncEngine: SyncEngine {
  /// The database that the engine keeps in sync.
  public let database: any CloudDatabase
  /// The behaviour of the engine.
  public let rules: SyncRules
  let account: (any CloudContainer)?
  let engineState: EngineState
  let schedule: Schedule
  /// The versions that come once more; nil if the rules do not ask for them.
  let versions: RecordVersions?
  /// One fetch, send or check of the account at a time.
  let operations = SerialGate()
  /// One call of the delegate at a time.
  private let callbacks = SerialGate()
  private let delegate: Mutex<WeakDelegate>
  private let onMisuse: @Sendable (SyncEngineMisuse) -> Void
  private let onEvent: @Sendable (SyncEngineEvent) -> Void
  private let clock: SyncClock
  private let live = Mutex(Live())
  package let subscriptionID: String?
  let hasSignals: Bool

  private struct WeakDelegate { weak var value: (any SyncEngineDelegate)? }

  private struct Live {
    var observation: (any Sendable)?
    /// Whether the account can be used, as of the last check.
    var isSignedIn = false
    var fetch: RunningFetch?
    /// Cancels the request that is under way.
    var cancelRequest: (@Sendable () -> Void)?
    /// The number of calls of `cancelOperations`.
    var cancelCount = 0
    var failure: (any Error)?
  }

  /// The engines whose delegates' calls the task belongs to.
  @TaskLocal static var calling: Set<ObjectIdentifier> = []

  /// Creates an engine, which begins to work soon.
  ///
  /// - Parameters:
  ///   - configuration: The database, the stored state and the delegate.
  ///   - account: The container whose account the engine watches; nil for a database without
  ///     accounts.
  ///   - signals: The pushes and account changes of the device; nil for none.
  ///   - rules: The behaviour about which sources disagree.
  ///   - clock: The clock of everything that the engine does by itself.
  ///   - onMisuse: Called for a use of the engine that CloudKit does not allow.
  public convenience init(
    _ configuration: SyncEngineConfiguration, account: (any CloudContainer)? = nil,
    signals: (any SyncSignals)? = nil, rules: SyncRules = SyncRules(),
    clock: some Clock<Duration> = ContinuousClock(),
    onMisuse: @escaping @Sendable (SyncEngineMisuse) -> Void = { _ in }
  ) {
    self.init(
      configuration, account: account, signals: signals, rules: rules, clock: clock,
      isDriven: false, onMisuse: onMisuse, onEvent: { _ in })
  }

  /// Creates an engine, and calls `onEvent` before each event.
  ///
  /// - Parameter isDriven: Whether the engine works only when ``performDue()`` is called.
  package init(
    _ configuration: SyncEngineConfiguration, account: (any CloudContainer)?,
    signals: (any SyncSignals)?, rules: SyncRules, clock: some Clock<Duration>, isDriven: Bool,
    onMisuse: @escaping @Sendable (SyncEngineMisuse) -> Void,
    onEvent: @escaping @Sendable (SyncEngineEvent) -> Void
  ) {
    database = configuration.database
    subscriptionID = configuration.subscriptionID
    hasSignals = signals != nil
    self.account = account
    self.rules = rules
    self.onMisuse = onMisuse
    self.onEvent = onEvent
    self.clock = SyncClock(clock)
    delegate = Mutex(WeakDelegate(value: configuration.delegate))
    schedule = Schedule(
      self.clock, rules, isAutomatic: configuration.automaticallySync, isDriven: isDriven)
    var content = EngineState.Content(rules)
    if let serialization = configuration.stateSerialization {
      do {
        content = try EngineState.Content(
          serialization.data, of: database.databaseScope, rules)
      } catch {
        onMisuse(error as? SyncEngineMisuse ?? SyncEngineMisuse(.unreadableState))
      }
    }
    engineState = EngineState(content, of: database.databaseScope, schedule)
    versions = rules.fetchOrder == .olderVersionLast ? RecordVersions() : nil
    start(signals)
  }

  deinit { schedule.stop() }

  private func start(_ signals: (any SyncSignals)?) {
    let observation = signals?.observe { [weak self] in self?.receive($0) }
    live.withLock { $0.observation = observation }
    // The first check of the account also schedules the first sync.
    schedule.accountChanged()
    guard !schedule.isDriven else { return }
    let wakes = schedule.wakes
    // A task of its own, which inherits the values of the creator's task, such as the running test.
    Self.$calling.withValue([]) {
      _ = Task { [weak self] in
        for await _ in wakes {
          guard let engine = self else { return }
          Task { await engine.performDue() }
        }
      }
    }
  }

  private func receive(_ signal: SyncSignal) {
    switch signal {
    case .accountChanged: schedule.accountChanged()
    case .notification(let notification):
      guard notification.databaseScope == database.databaseScope else { return }
      if case .recordZone(let zoneID) = notification.kind {
        engineState.with { $0.unfetched.add(zoneID) }
      }
      schedule.pushed()
    }
  }

  // MARK: The protocol

  /// The changes that are still to be sent, and what the engine knows about the server.
  public var state: any SyncEngineState { engineState }

  /// The database and the number of pending changes in one line.
  public var description: String {
    let (records, zones) = engineState.with { ($0.records.count, $0.zones.count) }
    return "engine of the \(database.databaseScope.rawValue) database, \(records) records and "
      + "\(zones) zones pending"
  }

  /// Fetches changes now; see `SyncEngine`. A call during a fetch of the same zones joins it.
  ///
  /// - Throws: `CloudError`; ``SyncEngineMisuse`` if the delegate calls; any other error of the
  ///   database, which ends the engine.
  public func fetchChanges(_ options: FetchChangesOptions) async throws {
    try checkCaller("fetchChanges")
    let running = live.withLock { $0.fetch }
    if let running, running.scope == .all || running.scope == options.scope {
      return try await running.result()
    }
    try await perform {
      try await $0.fetch(FetchChangesContext(reason: .manual, options: options))
    }
  }

  /// Sends the pending changes now; see `SyncEngine`.
  ///
  /// - Throws: `CloudError`; ``SyncEngineMisuse`` if the delegate calls; any other error of the
  ///   database, which ends the engine.
  public func sendChanges(_ options: SendChangesOptions) async throws {
    try checkCaller("sendChanges")
    try await perform {
      try await $0.send(SendChangesContext(reason: .manual, options: options))
    }
  }

  /// Cancels the running operations and the scheduled sync, and returns when they have ended.
  public func cancelOperations() async {
    guard (try? checkCaller("cancelOperations")) != nil else { return }
    schedule.cancelSync()
    let cancel = live.withLock { live in
      live.cancelCount += 1
      return live.cancelRequest
    }
    cancel?()
    await operations.run {}
  }

  /// Ends the engine as the end of the process does: no event, request or sync comes any more.
  ///
  /// A delegate may call this, for a test of a crash.
  public func stop() {
    schedule.stop()
    let cancel = live.withLock { live in
      live.observation = nil
      return live.cancelRequest
    }
    cancel?()
  }

  private func checkCaller(_ function: String) throws {
    guard Self.calling.contains(ObjectIdentifier(self)) else { return }
    let misuse = SyncEngineMisuse(.calledFromDelegate(function: function))
    onMisuse(misuse)
    throw misuse
  }

  // MARK: Operations

  /// Runs an operation that the app has asked for, in a task that is not cancelled with the app's.
  private func perform(
    _ operation: @escaping @Sendable (MockSyncEngine) async throws -> Void
  ) async throws {
    schedule.begin()
    defer { schedule.end() }
    let count = cancelCount
    try await Task { [self] in
      try await operations.run {
        try await ending {
          guard cancelCount == count else { throw Self.cancelled }
          try await checkAccount()
          guard isSignedIn else { return }
          try await operation(self)
        }
      }
    }.value
  }

  /// Does what is due.
  package func performDue() async {
    let due = schedule.takeDue()
    guard !due.isEmpty else { return }
    for work in due {
      switch work {
      case .account:
        await operations.run { try? await ending { try await checkAccount() } }
      case .state: try? await deliverState()
      case .sync: await operations.run { try? await ending { try await sync() } }
      }
    }
    schedule.end()
  }

  /// Runs an operation. An error that is not a `CloudError` ends the engine.
  private func ending(_ operation: () async throws -> Void) async throws {
    do {
      try checkRunning()
      try await operation()
    } catch let error as CloudError {
      throw error
    } catch let error as EngineStopped {
      throw live.withLock { $0.failure } ?? error
    } catch {
      live.withLock { $0.failure = $0.failure ?? error }
      stop()
      throw error
    }
  }

  /// Fetches and sends what is scheduled.
  private func sync() async throws {
    try await checkAccount()
    guard isSignedIn else { return }
    let needs = schedule.takeNeeds()
    if needs.fetches {
      do {
        try await fetch(FetchChangesContext(reason: .scheduled, options: FetchChangesOptions()))
      } catch let error as CloudError {
        // The next sync does both.
        if isToBeRepeated(error) { return }
      }
    }
    guard schedule.takeNeedsSend() || needs.sends, engineState.with({ $0.hasPending }) else {
      return
    }
    try await send(SendChangesContext(reason: .scheduled, options: SendChangesOptions()))
  }

  /// Notes whether the account can be used.
  func setSignedIn(_ isSignedIn: Bool) -> Bool {
    live.withLock { live in
      defer { live.isSignedIn = isSignedIn }
      return live.isSignedIn
    }
  }

  /// The fetch that is running.
  func setRunningFetch(_ fetch: RunningFetch?) { live.withLock { $0.fetch = fetch } }

  // MARK: Requests

  /// A number that changes with each cancellation.
  var cancelCount: Int { live.withLock { $0.cancelCount } }

  /// Makes a request that `cancelOperations` can cancel.
  ///
  /// - Parameter count: The value of ``cancelCount`` when the operation began.
  func request<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (any CloudDatabase) async throws -> Value
  ) async throws -> Value {
    try checkRunning()
    // The changes of one account must not reach the database of another account.
    guard cancelCount == count, !schedule.needsAccountCheck else { throw Self.cancelled }
    let database = database
    let task = Task { try await body(database) }
    live.withLock { $0.cancelRequest = { task.cancel() } }
    if cancelCount != count || schedule.isStopped { task.cancel() }
    defer { live.withLock { $0.cancelRequest = nil } }
    let result = await task.result
    try checkRunning()
    do {
      return try result.get()
    } catch is CancellationError {
      throw Self.cancelled
    }
  }

  private static var cancelled: CloudError {
    CloudError(.operationCancelled, "the operation was cancelled")
  }

  private func checkRunning() throws {
    if schedule.isStopped { throw EngineStopped() }
  }

  // MARK: The delegate

  /// Reports an event, and returns when the delegate has handled it.
  func deliver(_ event: SyncEngineEvent) async throws {
    try await callingDelegate { delegate, engine in
      engine.onEvent(event)
      await delegate.handleEvent(event, syncEngine: engine)
    }
  }

  /// Reports the state as it is when the delegate is free.
  func deliverState() async throws {
    try await callingDelegate { delegate, engine in
      engine.schedule.deliversState()
      let event = SyncEngineEvent.stateUpdate(
        .init(stateSerialization: engine.engineState.serialization()))
      engine.onEvent(event)
      await delegate.handleEvent(event, syncEngine: engine)
    }
  }

  /// Calls the delegate when no other call is running.
  func callingDelegate<Value: Sendable>(
    _ body: (any SyncEngineDelegate, MockSyncEngine) async -> Value
  ) async throws -> Value {
    try await callbacks.run {
      try checkRunning()
      guard let delegate = delegate.withLock({ $0.value }) else {
        stop()
        throw EngineStopped()
      }
      let calling = Self.calling.union([ObjectIdentifier(self)])
      let value = await Self.$calling.withValue(calling) { await body(delegate, self) }
      try checkRunning()
      return value
    }
  }

  // MARK: Tests

  /// The time until the next work, on the engine's clock; nil if there is none.
  package var timeUntilNextWork: Duration? {
    schedule.nextDeadline.map { max(.zero, $0 - clock.elapsed()) }
  }

  /// The number of calls that have joined the running fetch.
  package var joinedCount: Int { live.withLock { $0.fetch }?.joinedCount ?? 0 }

  /// Whether the engine syncs by itself.
  package var syncsAutomatically: Bool { schedule.isAutomatic }

  /// Whether the account could be used at the last check.
  package var isSignedIn: Bool { live.withLock { $0.isSignedIn } }

  /// A number that grows with each change of the pending changes of records.
  package var pendingRevision: Int { engineState.with { $0.records.revision } }

  /// The pending changes of records in order, each with a number that no other change of the engine has
  /// had, and the revision of the list. The numbers grow.
  package var numberedPendingChanges:
    (revision: Int, changes: [(number: Int, change: PendingRecordZoneChange)])
  {
    engineState.with { ($0.records.revision, $0.records.numbered) }
  }

  /// The maximum number of pending changes of records so far.
  package var maxPendingCount: Int { engineState.with { $0.maxRecordCount } }

  /// Whether the engine was stopped.
  public var isStopped: Bool { schedule.isStopped }

  /// The error that has ended the engine, if it is not a `CloudError`.
  package var failure: (any Error)? { live.withLock { $0.failure } }

  /// Waits until no operation runs or is due.
  package func waitUntilIdle() async { await schedule.waitUntilIdle() }
}

/// The engine was stopped: its operations end.
struct EngineStopped: Error, CustomStringConvertible {
  let description = "the engine was stopped"
}
