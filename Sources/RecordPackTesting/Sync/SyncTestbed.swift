import CloudInterface
import MockCloud
import MockSync
import RecordModel
import Synchronization
import Testing

/// Makes sync engines for the devices of a container, and runs them until nothing is left to do.
///
/// ```swift
/// let container = try MockContainer.inMemory()
/// let testbed = SyncTestbed()
/// let phone = testbed.engine(for: phoneStore, on: container.device("Phone"))
/// let tablet = testbed.engine(for: tabletStore, on: container.device("Tablet"))
/// phone.state.add(pendingRecordZoneChanges: [.saveRecord(note)])
/// try await testbed.run()
/// ```
///
/// The engines work only during ``run(_:maxMoves:maxEvents:)``, in the order in which they were made,
/// and when the app calls them. The testbed's clock stands still otherwise. So a test has the same
/// course in every run.
/// The testbed keeps engines and delegates alive.
public final class SyncTestbed: Sendable {
  /// The clock of all engines. Give it to `FaultInjectingContainer` and `MockContainer`, too.
  public let clock: ManualClock
  /// The behaviour of engines that get no rules of their own.
  public let rules: SyncRules
  private let recordsIssues: Bool
  private let issue: TestIssue
  private let state = Mutex(State())

  private struct State {
    var benches: [Bench] = []
    var misuses: [SyncEngineMisuse] = []
  }

  /// An engine with what the testbed knows about it.
  private final class Bench: Sendable {
    private let state = Mutex(Holder())
    /// Whether the app keeps the engine, and not the testbed.
    private let isWeak: Bool
    let name: String
    let log = Mutex(Log())

    private struct Holder {
      var engine: MockSyncEngine?
      weak var weakEngine: MockSyncEngine?
    }

    struct Log {
      var lines: [String] = []
      /// The number of lines that an expectation has seen.
      var seen = 0
      /// The number of events since the last call of `run`.
      var eventsInRun = 0
      var maxEvents = Int.max
      var isOverLimit = false
      /// Keeps the delegate alive.
      var delegate: (any SyncEngineDelegate)?
    }

    /// The engine; nil until it is made, and after the app has released it.
    var engine: MockSyncEngine? {
      get { state.withLock { $0.engine ?? $0.weakEngine } }
      set { state.withLock { ($0.engine, $0.weakEngine) = (isWeak ? nil : newValue, newValue) } }
    }

    init(_ name: String, _ delegate: any SyncEngineDelegate, isWeak: Bool) {
      self.name = name
      self.isWeak = isWeak
      log.withLock { $0.delegate = delegate }
    }

    func note(_ event: SyncEngineEvent) {
      let isOverLimit = log.withLock { log in
        log.lines.append("\(event)")
        log.eventsInRun += 1
        log.isOverLimit = log.eventsInRun > log.maxEvents
        return log.isOverLimit
      }
      if isOverLimit { engine?.stop() }
    }
  }

  /// Creates a testbed.
  ///
  /// - Parameters:
  ///   - clock: the clock of all engines.
  ///   - rules: the behaviour of the engines.
  ///   - recordsIssues: whether a use of an engine that CloudKit does not allow fails the test.
  ///     ``misuses`` has each in any case.
  ///   - fileID: the file in which such a failure is shown, with its module.
  ///   - filePath: the path of that file.
  ///   - line: the line at which such a failure is shown.
  ///   - column: the column.
  public init(
    clock: ManualClock = ManualClock(), rules: SyncRules = SyncRules(), recordsIssues: Bool = true,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.clock = clock
    self.rules = rules
    self.recordsIssues = recordsIssues
    issue = TestIssue(fileID, filePath, line, column)
  }

  // MARK: Engines

  /// Makes an engine for a device.
  ///
  /// - Parameters:
  ///   - delegate: the app's side of the sync.
  ///   - device: the device.
  ///   - scope: the database, `private` or `shared`.
  ///   - state: the state that the app has stored.
  ///   - automaticallySync: whether the engine syncs by itself.
  ///   - rules: the behaviour of the engine; nil for the testbed's rules.
  public func engine(
    for delegate: any SyncEngineDelegate, on device: some SyncDevice,
    scope: DatabaseScope = .private, state: SyncEngineStateSerialization? = nil,
    automaticallySync: Bool = true, rules: SyncRules? = nil
  ) -> MockSyncEngine {
    var configuration = SyncEngineConfiguration(
      database: device.database(with: scope), stateSerialization: state, delegate: delegate)
    configuration.automaticallySync = automaticallySync
    return engine(configuration, on: device, rules: rules)
  }

  /// Makes an engine with the app's own configuration.
  ///
  /// - Parameters:
  ///   - configuration: the database of the device, the stored state, and the delegate.
  ///   - device: the device, whose account and pushes the engine gets.
  ///   - rules: the behaviour of the engine; nil for the testbed's rules.
  public func engine(
    _ configuration: SyncEngineConfiguration, on device: some SyncDevice, rules: SyncRules? = nil
  ) -> MockSyncEngine {
    engine(configuration, on: device, rules: rules, isWeak: false)
  }

  /// Makes an engine that lives as long as the app keeps it. The testbed keeps the delegate alive.
  func weakEngine(
    _ configuration: SyncEngineConfiguration, on device: some SyncDevice
  ) -> MockSyncEngine {
    engine(configuration, on: device, rules: nil, isWeak: true)
  }

  private func engine(
    _ configuration: SyncEngineConfiguration, on device: some SyncDevice, rules: SyncRules?,
    isWeak: Bool
  ) -> MockSyncEngine {
    let scope = configuration.database.databaseScope
    let bench = Bench(
      scope == .private ? device.deviceName : "\(device.deviceName), \(scope.rawValue)",
      configuration.delegate, isWeak: isWeak)
    let engine = MockSyncEngine(
      configuration, account: device, signals: device.syncSignals, rules: rules ?? self.rules,
      clock: clock, isDriven: true, onMisuse: { [weak self] in self?.note($0) },
      onEvent: { [weak bench] in bench?.note($0) })
    bench.engine = engine
    state.withLock { $0.benches.append(bench) }
    return engine
  }

  /// Ends an engine as the end of the app's process does. A delegate may call this.
  public func stop(_ engine: any SyncEngine) {
    guard let bench = bench(of: engine) else { return }
    bench.engine?.stop()
    bench.log.withLock { $0.delegate = nil }
  }

  /// The uses of engines that CloudKit does not allow, in their order.
  public var misuses: [SyncEngineMisuse] { state.withLock { $0.misuses } }

  private func note(_ misuse: SyncEngineMisuse) {
    state.withLock { $0.misuses.append(misuse) }
    if recordsIssues { issue.report { throw misuse } }
  }

  private func bench(of engine: any SyncEngine) -> Bench? {
    state.withLock { $0.benches }.first { $0.engine === engine }
  }

  // MARK: Running

  /// Runs engines until none has anything scheduled, and moves the clock meanwhile.
  ///
  /// Engines that are not named stand still: the next call does the work that is due for them.
  ///
  /// - Parameters:
  ///   - engines: the engines that work; nil for all.
  ///   - maxMoves: the number of moves of the clock after which the engines should have come to rest.
  ///   - maxEvents: the number of events after which each engine should have come to rest.
  /// - Throws: ``SyncTestbedError`` if an engine does not come to rest, or if changes are pending that
  ///   nothing is going to send; an error of the database that is not a `CloudError`, such as
  ///   `SimulatedCrash`.
  public func run(
    _ engines: [any SyncEngine]? = nil, maxMoves: Int = 1000, maxEvents: Int = 100_000
  ) async throws {
    try await run({ engines }, maxMoves: maxMoves, maxEvents: maxEvents, rest: {})
  }

  /// Runs engines, and again after tasks of the app have given them more to do.
  ///
  /// - Parameters:
  ///   - engines: Returns the engines that work, among them those that the app has made meanwhile.
  ///   - maxMoves: The number of moves of the clock between two rests.
  ///   - maxEvents: The number of events of each engine, and of rests, in the whole run.
  ///   - rest: Lets tasks of the app run.
  func run(
    _ engines: @Sendable () -> [any SyncEngine]?, maxMoves: Int, maxEvents: Int,
    rest: @Sendable () async -> Void
  ) async throws {
    var (moves, rests) = (0, 0)
    var counted: [Bench] = []
    defer { for bench in counted { bench.log.withLock { $0.maxEvents = .max } } }
    while true {
      let benches = benches(engines())
      for bench in benches where !counted.contains(where: { $0 === bench }) {
        bench.log.withLock { ($0.eventsInRun, $0.maxEvents) = (0, maxEvents) }
        counted.append(bench)
      }
      try await performDue(benches)
      var next = Self.timeUntilNextWork(of: benches)
      if next == nil {
        await rest()
        next = Self.timeUntilNextWork(of: self.benches(engines()))
        (moves, rests) = (0, rests + 1)
      }
      guard let next else {
        let pending = pending(benches)
        if !pending.isEmpty { throw SyncTestbedError(.stillPending, pending) }
        return
      }
      guard moves < maxMoves, rests < maxEvents else {
        throw SyncTestbedError(
          .restless(moves: max(moves, rests)), pending(benches), repeatedEvents(of: benches))
      }
      moves += 1
      clock.advance(by: next)
    }
  }

  private func benches(_ engines: [any SyncEngine]?) -> [Bench] {
    engines.map { $0.compactMap { bench(of: $0) } } ?? state.withLock { $0.benches }
  }

  private static func timeUntilNextWork(of benches: [Bench]) -> Duration? {
    benches.compactMap { $0.engine?.timeUntilNextWork }.min()
  }

  /// Has engines do what is due, until nothing is.
  private func performDue(_ benches: [Bench]) async throws {
    var isDone = false
    while !isDone {
      isDone = true
      for bench in benches {
        guard let engine = bench.engine else { continue }
        await movingClock { await engine.waitUntilIdle() }
        if let time = engine.timeUntilNextWork, time <= .zero {
          await movingClock { await engine.performDue() }
          isDone = false
        }
        if let failure = engine.failure, bench.log.withLock({ $0.delegate }) != nil {
          // Thrown once.
          stop(engine)
          throw failure
        }
        if bench.log.withLock({ $0.isOverLimit }) {
          throw SyncTestbedError(
            .tooManyEvents(engine: bench.name), pending(benches), repeatedEvents(of: [bench]))
        }
      }
    }
  }

  /// Moves the clock while `body` waits for it: an injected fault may take some time.
  private func movingClock(_ body: () async -> Void) async {
    let mover = Task { [clock] in
      while (try? await clock.waitForSleep()) != nil { clock.advanceToNextSleeper() }
    }
    await body()
    mover.cancel()
    await mover.value
  }

  /// The events of the engines of a device, in the order in which the engines were made, one line each.
  func events(ofDevice name: String) -> [String] {
    state.withLock { $0.benches }.filter { $0.name == name || $0.name.hasPrefix("\(name), ") }
      .flatMap { $0.log.withLock { $0.lines } }
  }

  private func pending(_ benches: [Bench]) -> [String] {
    benches.compactMap { bench in
      guard let engine = bench.engine, !engine.isStopped,
        engine.syncsAutomatically, engine.isSignedIn
      else { return nil }
      let state = engine.state
      let changes =
        state.pendingDatabaseChanges.map { "\($0)" }
        + state.pendingRecordZoneChanges.map { "\($0)" }
        + (state.hasPendingUntrackedChanges ? ["untracked changes"] : [])
      guard !changes.isEmpty else { return nil }
      let rest = changes.count > 10 ? " and \(changes.count - 10) more" : ""
      return "\(bench.name): \(changes.prefix(10).joined(separator: ", "))\(rest)"
    }
  }

  // MARK: Events

  /// The events that engines repeat, one line each.
  private func repeatedEvents(of benches: [Bench]) -> [String] {
    benches.lazy.map { EventRepetition.find(in: $0.log.withLock { $0.lines }) }
      .first { !$0.isEmpty } ?? []
  }

  /// The events of an engine so far, one line each.
  ///
  /// - Parameters:
  ///   - engine: an engine of the testbed.
  ///   - stateUpdates: whether events `stateUpdate` are among them.
  public func events(of engine: any SyncEngine, stateUpdates: Bool = false) -> [String] {
    let lines = bench(of: engine)?.log.withLock { $0.lines } ?? []
    return stateUpdates ? lines : lines.filter { !$0.isStateUpdate }
  }

  /// Returns the events since the last call.
  package func takeEvents(of engine: any SyncEngine, stateUpdates: Bool) -> [String] {
    guard let bench = bench(of: engine) else { return [] }
    let lines = bench.log.withLock { log -> [String] in
      defer { log.seen = log.lines.count }
      return Array(log.lines[log.seen...])
    }
    return stateUpdates ? lines : lines.filter { !$0.isStateUpdate }
  }
}

extension String {
  fileprivate var isStateUpdate: Bool { self == "stateUpdate" }
}
