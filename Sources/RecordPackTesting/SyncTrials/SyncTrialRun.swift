import CloudInterface
import Foundation
import MockCloud
import MockSync
import RecordModel
import Synchronization

/// One run of the steps of a trial, on a server of its own.
actor SyncTrialRun {
  /// The number of moves of the clock in which devices come to rest.
  private static let maxMoves = 60

  private let trial: SyncTrial
  private let maxPendingChanges: Int
  private let makeStore: SyncTrials.MakeStore
  private let container: MockContainer
  private let testbed: SyncTestbed
  private let folder: URL
  private var devices: [String: SyncTrialHost] = [:]
  private var models: [String: SyncTrialModel] = [:]
  /// The devices that sync during the next request of another device, by its name. Without a request
  /// in the next sync, there is no race.
  private var races: [String: SyncTrialHost] = [:]

  init(
    _ trial: SyncTrial, maxPendingChanges: Int, _ makeStore: @escaping SyncTrials.MakeStore
  ) throws {
    self.trial = trial
    self.maxPendingChanges = maxPendingChanges
    self.makeStore = makeStore
    let clock = ManualClock()
    // The clock stands still while devices work, and an app compares the dates of records.
    let last = Mutex(Date.distantPast)
    container = try MockContainer.inMemory(now: {
      last.withLock { last in
        last = max(clock.date, last.addingTimeInterval(0.001))
        return last
      }
    })
    testbed = SyncTestbed(clock: clock, rules: trial.rules, recordsIssues: false)
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("sync-trial-\(UUID().uuidString)", isDirectory: true)
  }

  /// Makes the steps.
  ///
  /// - Returns: the first problem, and the number of steps up to it; nil if there is none.
  func run(_ steps: [SyncTrialStep]) async throws -> (problem: SyncTrialFailure.Problem, at: Int)? {
    defer {
      for host in hosts { host.kill() }
      try? FileManager.default.removeItem(at: folder)
    }
    for (index, step) in steps.enumerated() {
      if let problem = try await problem(of: step, isLast: index == steps.count - 1) {
        return (problem, index + 1)
      }
    }
    return nil
  }

  /// The number of calls that the delegates on a device got, and of the states that they were given.
  func counts(of device: String) -> (calls: Int, states: Int) {
    devices[device].map { ($0.callCount, $0.states.count) } ?? (0, 0)
  }

  // MARK: Steps

  private func problem(
    of step: SyncTrialStep, isLast: Bool
  ) async throws -> SyncTrialFailure.Problem? {
    do {
      try await perform(step)
      if step == .settle { try await settle(checksNewDevice: isLast && !trial.isLong) }
    } catch let problem as SyncTrialFailure.Problem {
      return problem
    } catch let error as SyncTestbedError {
      return .init(.pending, error.description)
    }
    if let misuse = testbed.misuses.first { return .init(.forbiddenCall, misuse.description) }
    return hosts.lazy.compactMap { self.tooManyChanges($0) }.first
  }

  private func tooManyChanges(_ host: SyncTrialHost) -> SyncTrialFailure.Problem? {
    let most = host.engines.map(\.maxPendingCount).max() ?? 0
    guard most > maxPendingChanges else { return nil }
    return .init(
      .tooManyChanges,
      "\(host.name) had \(most) pending changes at a time, more than \(maxPendingChanges). The engine "
        + "stores all of them at each change, and its memory grows with them.")
  }

  private func perform(_ step: SyncTrialStep) async throws {
    switch step {
    case .edit(let device, let edit): try await apply(edit, on: host(device))
    case .createMany(let device, let count): try await createMany(count, on: host(device))
    case .sync(let device): try await sync(host(device))
    case .settle: break
    case .relaunch(let device): try await relaunch(host(device))
    case .relaunchWithState(let device, let state):
      try await relaunch(host(device), state: state)
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
      let (host, other) = (try await host(device), try await host(other))
      races[host.name] = other
      host.faults.run(.modifyRecords) { [weak self] _ in try await self?.race(host) }
    case .failSaves(let device, let fault, let times):
      try await host(device).faults.fail(.modifyRecords, with: fault.fault, times: .times(times))
    case .expireTokens(let device):
      let faults = try await host(device).faults
      faults.fail(.databaseChanges, with: .changeTokenExpired)
      faults.fail(.recordZoneChanges, with: .changeTokenExpired)
    case .deleteZones(let reason): try await deleteZones(reason)
    case .signOut(let device):
      let host = try await host(device)
      await leave(host)
      host.mock.signOut()
    case .signIn(let device, let user):
      let host = try await host(device)
      await leave(host)
      try host.mock.signIn(as: container.account(user))
    }
  }

  private func apply(_ edit: SyncTrialEdit, on host: SyncTrialHost) async throws {
    guard let store = host.store, let user = await host.user else { return }
    do {
      let items = try await store.items()
      let before = items[edit.item]
      var edit = edit
      if case .create(let item, let text, let parent?) = edit, items[parent] == nil {
        edit = .create(item, text: text)
      }
      // A person sees the item that they change.
      if case .create = edit {} else if before == nil { return }
      do {
        try await store.apply([edit])
      } catch let error where error is SimulatedCrash || host.isKilled {
        models[user, default: SyncTrialModel()].open(edit.item)
        return
      }
      models[user, default: SyncTrialModel()].add(edit, on: host.name, before: before)
    } catch {
      throw Self.threw(error, on: host)
    }
  }

  private func createMany(_ count: Int, on host: SyncTrialHost) async throws {
    guard let store = host.store, let user = await host.user else { return }
    let edits = (0..<count).map { index -> SyncTrialEdit in
      let digits = String(index, radix: 16, uppercase: true)
      let tail = String(repeating: "0", count: 12 - digits.count) + digits
      return .create("00000000-0000-4000-8000-\(tail)", text: "item-\(tail)")
    }
    do {
      try await store.apply(edits)
    } catch {
      throw Self.threw(error, on: host)
    }
    for edit in edits {
      models[user, default: SyncTrialModel()].add(edit, on: host.name, before: nil)
    }
  }

  /// Lets the other device of a race sync, once.
  private func race(_ host: SyncTrialHost) async throws {
    guard let other = races.removeValue(forKey: host.name) else { return }
    try await sync(other)
  }

  private func sync(_ host: SyncTrialHost) async throws {
    defer { races[host.name] = nil }
    do {
      try await testbed.run(host.engines, maxMoves: Self.maxMoves)
    } catch let error as SyncTestbedError where error.kind == .stillPending {
      // The other devices may still help; `settle` decides.
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
    models[SyncTrialPlan.firstUser]?.deleteAll(keepsPossible: reason == .encryptedDataReset)
  }

  /// Notes that a device leaves its account.
  private func leave(_ host: SyncTrialHost) async {
    if let user = await host.user { models[user]?.forget(host.name) }
  }

  // MARK: Devices

  /// Returns a device; a new one is started.
  private func host(_ name: String) async throws -> SyncTrialHost {
    if let host = devices[name] { return host }
    let device = try container.account(SyncTrialPlan.firstUser).device(name)
    let host = SyncTrialHost(
      name, device, testbed, folder.appendingPathComponent(name, isDirectory: true))
    devices[name] = host
    try await launch(host)
    return host
  }

  private func relaunch(_ host: SyncTrialHost, state: Int? = nil) async throws {
    host.kill()
    host.startState = state
    try await launch(host)
  }

  private func launch(_ host: SyncTrialHost) async throws {
    do {
      let device = try host.newLaunch()
      host.store = try await makeStore(device)
    } catch is SimulatedCrash {
      return
    } catch {
      throw Self.threw(error, on: host)
    }
  }

  // MARK: Checks

  /// Lets all devices come to rest, and checks them.
  private func settle(checksNewDevice: Bool) async throws {
    races = [:]
    for host in hosts where host.isKilled { try await launch(host) }
    try await testbed.run(hosts.flatMap(\.engines), maxMoves: Self.maxMoves)
    // A device may have been killed in the meantime.
    if hosts.contains(where: \.isKilled) {
      return try await settle(checksNewDevice: checksNewDevice)
    }
    var shown: [String: (device: String, items: [String: String])] = [:]
    for host in hosts {
      let items = try await items(of: host)
      guard let user = await host.user else {
        if let item = items.keys.min() {
          throw SyncTrialFailure.Problem(
            .foreign,
            "\(host.name) shows the item \(item), which does not belong to its user.")
        }
        continue
      }
      if let other = shown[user] {
        try compare(other, (host.name, items))
      } else {
        shown[user] = (host.name, items)
      }
    }
    for user in shown.keys.sorted() {
      guard let (_, items) = shown[user] else { continue }
      if let problem = models[user, default: SyncTrialModel()].settle(items) { throw problem }
    }
    if hosts.contains(where: \.isWaitingForWrite) {
      throw SyncTrialFailure.Problem(
        .notTried,
        "the trial did not happen: the store does not call checkWrite() while it handles fetched "
          + "records.")
    }
    if checksNewDevice, let first = shown[SyncTrialPlan.firstUser] {
      let host = try await host("New")
      try await testbed.run(host.engines, maxMoves: Self.maxMoves)
      try compare(first, (host.name, try await items(of: host)))
    }
  }

  private var hosts: [SyncTrialHost] { devices.keys.sorted().compactMap { devices[$0] } }

  private func items(of host: SyncTrialHost) async throws -> [String: String] {
    do {
      return try await host.store?.items() ?? [:]
    } catch {
      throw Self.threw(error, on: host)
    }
  }

  private func compare(
    _ first: (device: String, items: [String: String]),
    _ second: (device: String, items: [String: String])
  ) throws {
    guard first.items != second.items else { return }
    let names = Set(first.items.keys).union(second.items.keys)
    let item = names.filter { first.items[$0] != second.items[$0] }.min() ?? ""
    func shown(_ content: String?) -> String {
      content.map { "'\($0.prefix(200))'" } ?? "nothing"
    }
    throw SyncTrialFailure.Problem(
      .diverged,
      "\(first.device) and \(second.device) differ. For the item \(item), \(first.device) shows "
        + "\(shown(first.items[item])), and \(second.device) shows \(shown(second.items[item])).")
  }

  private static func threw(
    _ error: any Error, on host: SyncTrialHost
  ) -> SyncTrialFailure.Problem {
    .init(.threw, "the store on \(host.name) threw an error: \(error)")
  }
}
