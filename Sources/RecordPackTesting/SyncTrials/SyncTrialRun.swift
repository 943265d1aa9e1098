import CloudInterface
import Foundation
import MockCloud
import MockSync
import RecordArchive
import RecordModel
import Synchronization

/// One run of the steps of a trial, on a server of its own.
actor SyncTrialRun {
  /// The settings that all runs of an app's trials have in common.
  struct Settings: Sendable {
    var policies: SyncTrialPolicies
    var maxPendingChanges: Int
    var makeStore: SyncTrials.MakeStore
    /// Whether devices note the calls in which the app stores something.
    var comparesFiles = false
  }

  /// The number of moves of the clock in which devices come to rest.
  private static let maxMoves = 60

  let trial: SyncTrial
  let settings: Settings
  let container: MockContainer
  let testbed: SyncTestbed
  private let folder: URL
  /// Removes the folder at the end. The next run removes the folder of a killed process.
  private var temporaryFolder: TemporaryFolder?
  private let now: SyncTrialDates
  private var devices: [String: SyncTrialHost] = [:]
  var models: [String: SyncTrialModel] = [:]
  /// The number of items that the app itself had made for each user, at the first check.
  var ownItemCounts: [String: Int] = [:]
  /// Other events during the next request of a device to save records, by its name. Without a request
  /// in the device's next sync, they do not happen.
  var races: [String: @Sendable () async throws -> Void] = [:]
  /// The items that devices showed before a fetch that is to fail, by the device's name.
  var shownBeforeFailure: [String: [String: String]] = [:]
  /// The devices of a user whose storage is full, until they are checked.
  var fullDevices: Set<String> = []
  /// The devices with a fetch that is to fail, until they are checked.
  var failingFetches: Set<String> = []
  /// Dangers that have done no harm in the run.
  var warnings: [String] = []
  /// The permission of the second user for the items of the first.
  var sharing = ShareParticipant.Permission.none
  private var stepNumber = 0

  init(_ trial: SyncTrial, rules: SyncRules, _ settings: Settings) throws {
    self.trial = trial
    self.settings = settings
    let now = SyncTrialDates()
    self.now = now
    container = try MockContainer.inMemory(now: { now.next() })
    testbed = SyncTestbed(clock: ManualClock(date: Date()), rules: rules, recordsIssues: false)
    let made = try TemporaryFolder(in: Self.parentFolder())
    folder = URL(fileURLWithPath: made.path, isDirectory: true)
    temporaryFolder = made
  }

  /// Returns where the devices have their files: in memory, if the system has room there. Apps write with
  /// `Data.WritingOptions.atomic` and SQLite, which wait for a disk at each event.
  static func parentFolder() -> String {
    let (files, path) = (FileManager.default, "/dev/shm")
    let attributes = try? files.attributesOfFileSystem(forPath: path)
    let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
    guard free > 1 << 30, files.isWritableFile(atPath: path) else {
      return files.temporaryDirectory.path
    }
    return path
  }

  /// Makes the steps.
  ///
  /// - Returns: the first problem; nil if there is none.
  func run(_ steps: [SyncTrialStep]) async throws -> SyncTrialFinding? {
    defer {
      for host in hosts { host.end() }
      temporaryFolder = nil
    }
    let result = try await withTimeLimit(
      trial.timeLimit, maxActivity: trial.maxCalls, activity: { await self.activity }
    ) { try await self.firstProblem(steps) }
    if let result { return result }
    let cause =
      activity > trial.maxCalls
      ? "the app has made more than \(trial.maxCalls) calls."
      : "nothing has happened for \(trial.timeLimit), and a call of the app has not returned."
    let step = steps.indices.contains(stepNumber) ? steps[stepNumber].code : "the last step"
    let problem = SyncTrialFailure.Problem(.endless, "\(step) does not end: \(cause)")
    return SyncTrialFinding(problem: problem, stepCount: stepNumber + 1, evidence: evidence())
  }

  private var activity: Int { hosts.reduce(stepNumber) { $0 + $1.activity } }

  private func firstProblem(_ steps: [SyncTrialStep]) async throws -> SyncTrialFinding? {
    for (index, step) in steps.enumerated() {
      stepNumber = index
      if let problem = try await problem(of: step, isLast: index == steps.count - 1) {
        var evidence = evidence()
        if let item = problem.item { evidence.records = await records(about: item) }
        return SyncTrialFinding(problem: problem, stepCount: index + 1, evidence: evidence)
      }
    }
    return nil
  }

  /// The calls that the delegates on a device got.
  func calls(of device: String) -> SyncTrialHost.Calls { devices[device]?.calls ?? .init() }

  // MARK: Steps

  private func problem(
    of step: SyncTrialStep, isLast: Bool
  ) async throws -> SyncTrialFailure.Problem? {
    do {
      try await perform(step)
      if step == .settle { try await settle(checksNewDevice: isLast && !trial.isLong) }
    } catch let problem as SyncTrialFailure.Problem {
      return forbiddenCall ?? problem
    } catch let error as SyncTestbedError {
      return forbiddenCall ?? .init(.pending, error.description)
    }
    return forbiddenCall
  }

  /// A use of CloudKit that ends the process, or an engine that begins with the state of another.
  private var forbiddenCall: SyncTrialFailure.Problem? {
    if let misuse = testbed.misuses.first {
      if case .calledFromDelegate = misuse.kind { return .init(.forbiddenCall, misuse.description) }
      return .init(.foreignState, misuse.description)
    }
    return hosts.lazy.flatMap(\.exceptions).first.map { .init(.exception, $0) }
  }

  private func perform(_ step: SyncTrialStep) async throws {
    switch step {
    case .edit(let device, let edit): try await apply(edit, on: host(device))
    case .createMany(let device, let count, let size):
      try await createMany(count, size, on: host(device))
    case .sync(let device):
      let host = try await host(device)
      try await sync(host)
      try await checkFailedFetch(of: host)
    case .settle: break
    case .relaunch(let device): try await relaunch(host(device))
    case .relaunchWithState(let device, let state):
      try await relaunch(host(device), state: state)
    case .reinstall(let device):
      let host = try await host(device)
      leave(host)
      host.kill()
      try await launch(host, isNew: true)
    case .changeOwnItem(let device, let text): try await changeOwnItem(text, on: host(device))
    case .quit(let device): try await host(device).kill()
    case .killAtCall(let device, let call, let before):
      try await host(device).killAt(call, before: before)
    case .failWrite(let device): try await host(device).failNextWrite()
    case .editDuringSend(let device, let edit):
      let host = try await host(device)
      host.faults.run(.modifyRecords) { [weak self] _ in
        try await self?.apply(edit, on: host)
      }
    case .race(let device, let other):
      let other = try await host(other)
      try await race(with: device) { [weak self] in
        // A device that is syncing cannot begin another sync.
        if !other.isSyncing { try await self?.sync(other) }
      }
    case .failSaves(let device, let fault, let times):
      try await host(device).faults.fail(.modifyRecords, with: fault.fault, times: .times(times))
    case .fillStorage(let device):
      try await host(device).faults.fail(.modifyRecords, with: .quotaExceeded, times: .always)
      fullDevices.insert(device)
    case .failFetch(let device):
      let error = CloudError(.internalError)
      let host = try await host(device)
      host.faults.fail(.recordZoneChanges, with: .error(error))
      failingFetches.insert(device)
      shownBeforeFailure[device] = try await items(of: host)
    case .expireTokens(let device):
      let faults = try await host(device).faults
      faults.fail(.databaseChanges, with: .changeTokenExpired)
      faults.fail(.recordZoneChanges, with: .changeTokenExpired)
    case .deleteZones(let reason): try await deleteZones(reason)
    case .share(let permission, nil): try await share(permission)
    case .share(let permission, let device?):
      try await race(with: device) { [weak self] in try await self?.share(permission) }
    case .signOut(let device):
      let host = try await host(device)
      leave(host)
      host.mock.signOut()
    case .signIn(let device, let user):
      let host = try await host(device)
      leave(host)
      try host.mock.signIn(as: container.account(user))
    }
  }

  private func apply(_ edit: SyncTrialEdit, on host: SyncTrialHost) async throws {
    guard let store = host.store, let user = await host.user else { return }
    do {
      let items = try await host.inScope { try await store.items() }
      let before = items[edit.item]
      let owner = owner(of: edit, by: user)
      var edit = edit
      if case .create(let item, let text, let parent?) = edit, items[parent] == nil {
        edit = .create(item, text: text)
      }
      // A person sees the item that they change.
      if case .create = edit {} else if before == nil { return }
      do {
        try await makeEdits([edit], store, host)
      } catch let error where error is SimulatedCrash || host.isKilled {
        if let owner { models[owner, default: SyncTrialModel()].open(edit.item) }
        return
      }
      if let owner {
        models[owner, default: SyncTrialModel()].add(edit, on: host.name, before: before)
      }
    } catch {
      throw Self.threw(error, on: host)
    }
  }

  /// Makes edits later than the server's last record: an app may compare its own dates with the server's.
  private func makeEdits(
    _ edits: [SyncTrialEdit], _ store: SyncTrialStore, _ host: SyncTrialHost
  ) async throws {
    try await now.wait()
    try await host.inScope { try await store.make(edits) }
    await host.rest()
  }

  private func createMany(_ count: Int, _ size: Int, on host: SyncTrialHost) async throws {
    guard let store = host.store, let user = await host.user else { return }
    let edits = (0..<count).map { index -> SyncTrialEdit in
      let digits = String(index, radix: 16, uppercase: true)
      let tail = String(repeating: "0", count: 12 - digits.count) + digits
      let text = "item-\(tail)"
      // Text that does not become shorter when it is compressed is not needed: sizes count as they are.
      let fill = String(repeating: " long", count: max(0, size - text.count) / 5)
      return .create("00000000-0000-4000-8000-\(tail)", text: text + fill)
    }
    do {
      try await makeEdits(edits, store, host)
    } catch {
      throw Self.threw(error, on: host)
    }
    for edit in edits {
      models[user, default: SyncTrialModel()].add(edit, on: host.name, before: nil)
    }
  }

  private func changeOwnItem(_ text: String, on host: SyncTrialHost) async throws {
    guard let user = await host.user else { return }
    let items = try await items(of: host)
    let own = items.keys.filter { models[user]?.knows($0) != true }
    if let item = own.min() { try await apply(.change(item, text: text), on: host) }
  }

  /// Lets something happen once, during the next request of a device to save records.
  private func race(
    with device: String, _ event: @escaping @Sendable () async throws -> Void
  ) async throws {
    races[device] = event
    try await host(device).faults.run(.modifyRecords) { [weak self] _ in
      try await self?.takeRace(of: device)?()
    }
  }

  private func takeRace(of device: String) -> (@Sendable () async throws -> Void)? {
    races.removeValue(forKey: device)
  }

  private func sync(_ host: SyncTrialHost) async throws {
    defer { races[host.name] = nil }
    do {
      try await run([host])
    } catch let error as SyncTestbedError where error.kind == .stillPending {
      // The other devices may still help; `settle` decides.
    }
  }

  /// Lets devices work until neither their engines nor tasks of the app have anything to do.
  func run(_ hosts: [SyncTrialHost]) async throws {
    for host in hosts { host.isSyncing = true }
    defer { for host in hosts { host.isSyncing = false } }
    for host in hosts where host.syncsByHand { try await wake(host) }
    for host in hosts { await host.rest() }
    try await testbed.run(
      { hosts.flatMap(\.engines) }, maxMoves: Self.maxMoves, maxEvents: trial.maxEvents
    ) {
      for host in hosts { await host.rest() }
    }
  }

  /// Lets the app do what it does when a person opens it.
  func wake(_ host: SyncTrialHost) async throws {
    // The clock moves for engines that wait. An app that syncs by hand is opened after a while.
    if host.syncsByHand { testbed.clock.advance(by: .seconds(900)) }
    do {
      try await host.inScope { try await host.store?.wake() }
    } catch {
      throw Self.threw(error, on: host)
    }
  }

  private func deleteZones(_ reason: DeletedZone.Reason) async throws {
    let settings = try container.account(SyncTrialPlan.firstUser)
    let database = settings.privateCloudDatabase
    for zone in try await database.allRecordZones() where !zone.zoneID.isDefault {
      if reason == .deleted {
        _ = try await database.deleteRecordZone(withID: zone.zoneID)
      } else {
        try await settings.purgeRecordZone(withID: zone.zoneID, for: reason)
      }
    }
    let mayReturn = self.settings.policies.contains(.recreatesDeletedItems)
    models[SyncTrialPlan.firstUser]?.deleteAll(
      keepsPossible: reason == .encryptedDataReset || mayReturn)
  }

  /// Notes that a device loses the edits that it has not sent.
  private func leave(_ host: SyncTrialHost) {
    for user in models.keys { models[user]?.forget(host.name) }
  }

  // MARK: Devices

  var hosts: [SyncTrialHost] { devices.keys.sorted().compactMap { devices[$0] } }

  /// Returns a device; a new one is started.
  func host(_ name: String) async throws -> SyncTrialHost {
    if let host = devices[name] { return host }
    let user = name == SyncTrialPlan.guest ? SyncTrialPlan.secondUser : SyncTrialPlan.firstUser
    let device = try container.account(user).device(name)
    let host = SyncTrialHost(
      name, device, testbed, folder.appendingPathComponent(name, isDirectory: true),
      comparesFiles: settings.comparesFiles)
    devices[name] = host
    try await launch(host)
    return host
  }

  func relaunch(_ host: SyncTrialHost, state: Int? = nil) async throws {
    host.kill()
    host.start(withState: state)
    try await launch(host)
  }

  func launch(_ host: SyncTrialHost, isNew: Bool = false) async throws {
    do {
      let device = try host.newLaunch(isNew: isNew)
      host.store = try await host.inScope { try await settings.makeStore(device) }
      if await host.user != nil { try await host.waitForEngine() }
    } catch is SimulatedCrash {
      return
    } catch {
      throw Self.threw(error, on: host)
    }
  }

  func items(of host: SyncTrialHost) async throws -> [String: String] {
    do {
      return try await host.inScope { try await host.store?.items() ?? [:] }
    } catch {
      throw Self.threw(error, on: host)
    }
  }

  static func threw(_ error: any Error, on host: SyncTrialHost) -> SyncTrialFailure.Problem {
    .init(.threw, "the store on \(host.name) threw an error: \(error)")
  }
}

/// The dates of the server: those of the system's clock, with which apps compare, and never the same date
/// twice.
final class SyncTrialDates: Sendable {
  private let last = Mutex(Date.distantPast)

  func next() -> Date {
    last.withLock { last in
      last = max(Date(), last.addingTimeInterval(0.001))
      return last
    }
  }

  /// Waits until the system's clock has passed the last date.
  func wait() async throws {
    while last.withLock({ $0 }) >= Date() { try await Task.sleep(for: .milliseconds(1)) }
  }
}
