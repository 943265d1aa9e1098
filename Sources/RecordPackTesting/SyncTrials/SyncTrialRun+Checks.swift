import CloudInterface
import MockCloud
import MockSync
import RecordModel

extension SyncTrialRun {
  /// Lets all devices come to rest, and checks them.
  func settle(checksNewDevice: Bool, isSecond: Bool = false) async throws {
    (races, shownBeforeFailure) = ([:], [:])
    for host in hosts where host.isKilled { try await launch(host) }
    do {
      try await run(hosts)
    } catch let error as SyncTestbedError where error.kind == .stillPending {
      // The app may send when it wakes.
    }
    // There is room again. A person opens the app later.
    for host in hosts where fullDevices.remove(host.name) != nil {
      host.faults.removeAll()
      try await relaunch(host)
    }
    // Sooner or later an engine fetches a zone again whose changes have failed.
    for host in hosts where failingFetches.remove(host.name) != nil {
      for engine in host.engines { try? await engine.fetchChanges() }
    }
    for host in hosts { try await wake(host) }
    if sharing != .none { try await share(sharing) }
    var failure: SyncTestbedError?
    do {
      try await run(hosts)
    } catch let error as SyncTestbedError where error.kind == .stillPending {
      failure = error
    }
    // A device may have been killed in the meantime.
    if hosts.contains(where: \.isKilled) {
      return try await settle(checksNewDevice: checksNewDevice, isSecond: isSecond)
    }
    for host in hosts where await host.user != nil { try checkEngine(of: host) }
    let shown: [String: Shown]
    do {
      shown = try await checkItems()
    } catch let problem as SyncTrialFailure.Problem where problem.kind == .diverged && !isSecond {
      // A timer of the app fires again. A device may send what it got after the others woke.
      return try await settle(checksNewDevice: checksNewDevice, isSecond: true)
    }
    if let failure { throw failure }
    for host in hosts { checkPendingCount(of: host) }
    if hosts.contains(where: \.isWaitingForWrite) {
      throw SyncTrialFailure.Problem(
        .notTried,
        "the trial did not happen: the store does not call checkWrite() while it handles fetched "
          + "records.")
    }
    if checksNewDevice, let first = shown[SyncTrialPlan.firstUser] {
      try await checkNewDevice(first)
    }
  }

  private typealias Shown = (device: String, items: [String: String])

  /// Compares the devices of each user, and their items with the edits.
  private func checkItems() async throws -> [String: Shown] {
    var shown: [String: Shown] = [:]
    var guests: [Shown] = []
    for host in hosts {
      var items = try await items(of: host)
      let user = await host.user
      let foreign = items.filter { isForeign($0.key, to: user) }
      if user == SyncTrialPlan.secondUser, sharing != .none {
        guests.append((host.name, foreign))
        items = items.filter { foreign[$0.key] == nil }
      } else if let item = foreign.keys.min(),
        user != nil || !settings.policies.contains(.keepsDataAtSignOut)
      {
        throw SyncTrialFailure.Problem(
          .foreign, item: item,
          "\(host.name) shows the item \(item), which does not belong to its user.")
      }
      guard let user else { continue }
      if let other = shown[user] {
        try compare(other, (host.name, items))
      } else {
        shown[user] = (host.name, items)
      }
    }
    if let first = shown[SyncTrialPlan.firstUser] {
      let items = first.items.filter { isForeign($0.key, to: SyncTrialPlan.secondUser) }
      for guest in guests { try compare((first.device, items), guest) }
    }
    for user in shown.keys.sorted() {
      guard let (device, items) = shown[user] else { continue }
      if let problem = models[user, default: SyncTrialModel()].settle(items) { throw problem }
      let own = items.filter { models[user]?.knows($0.key) != true }
      try checkOwnItems(own, of: user, on: device)
    }
    return shown
  }

  /// Checks that an app does not make its own items again on each new device.
  private func checkOwnItems(
    _ items: [String: String], of user: String, on device: String
  ) throws {
    let before = ownItemCounts[user]
    ownItemCounts[user] = before ?? items.count
    guard let before, trial == .reinstall, items.count > before else { return }
    let list = items.sorted { $0.key < $1.key }.map { "\($0.key) ('\($0.value.prefix(60))')" }
    throw SyncTrialFailure.Problem(
      .doubled, item: items.keys.min(),
      "\(device) shows \(items.count) items that nobody added, and \(before) before the app was "
        + "installed anew: \(list.prefix(5).joined(separator: ", ")).")
  }

  /// Checks that a new device gets all items.
  private func checkNewDevice(_ first: Shown) async throws {
    let host = try await host("New")
    try await run([host])
    let (model, items) = (models[SyncTrialPlan.firstUser], try await items(of: host))
    // The app may make items of its own on the new device.
    func known(_ items: [String: String]) -> [String: String] {
      items.filter { model?.knows($0.key) == true }
    }
    try compare((first.device, known(first.items)), (host.name, known(items)))
    if trial == .reinstall {
      let own = items.filter { model?.knows($0.key) != true }
      try checkOwnItems(own, of: SyncTrialPlan.firstUser, on: host.name)
    }
  }

  /// Checks that a device still shows its items after a fetch that failed.
  func checkFailedFetch(of host: SyncTrialHost) async throws {
    guard let before = shownBeforeFailure.removeValue(forKey: host.name) else { return }
    let now = try await items(of: host)
    guard let item = before.keys.filter({ now[$0] == nil }).min() else { return }
    throw SyncTrialFailure.Problem(
      .missing, item: item,
      "\(host.name) no longer shows the item \(item) after a fetch that failed, and nobody deleted it."
    )
  }

  private func checkEngine(of host: SyncTrialHost) throws {
    guard host.engines.isEmpty else { return }
    throw SyncTrialFailure.Problem(
      .noEngine,
      host.hasMadeEngine
        ? "the app on \(host.name) has made an engine and does not keep it: nothing syncs from then on. "
          + "Store the engine in a property."
        : "the app on \(host.name) has not made an engine on the device's container, though a user has "
          + "signed in.")
  }

  /// Notes that an app gave an engine more pending changes than it can store at each change.
  private func checkPendingCount(of host: SyncTrialHost) {
    let most = host.engines.map(\.maxPendingCount).max() ?? 0
    guard most > settings.maxPendingChanges else { return }
    warnings.append(
      "\(host.name) had \(most) pending changes at a time, more than \(settings.maxPendingChanges). All "
        + "items arrived. The engine stores all pending changes at each change, and its memory grows with "
        + "them. Read \(SyncTrialCause.page(SyncTrial.backlog.article)), or set maxPendingChanges.")
  }

  private func compare(_ first: Shown, _ second: Shown) throws {
    guard first.items != second.items else { return }
    let names = Set(first.items.keys).union(second.items.keys)
    let item = names.filter { first.items[$0] != second.items[$0] }.min() ?? ""
    func shown(_ content: String?) -> String {
      content.map { "'\($0.prefix(200))'" } ?? "nothing"
    }
    throw SyncTrialFailure.Problem(
      .diverged, item: item,
      "\(first.device) and \(second.device) differ. For the item \(item), \(first.device) shows "
        + "\(shown(first.items[item])), and \(second.device) shows \(shown(second.items[item])).")
  }

  // MARK: Evidence

  /// The last events of each device, and the codes of the errors that the app was told.
  func evidence() -> SyncTrialEvidence {
    var evidence = SyncTrialEvidence()
    for host in hosts {
      var device = host.evidence
      let events = testbed.events(ofDevice: host.name).filter { $0 != "stateUpdate" }
      device.events = Array(events.suffix(8))
      evidence.devices.append(device)
    }
    return evidence
  }

  /// Returns the records of the server that have to do with an item, in words; not with the values of
  /// encrypted fields.
  func records(about item: String) async -> [String] {
    guard !trial.isLong, let user = try? container.account(SyncTrialPlan.firstUser) else {
      return []
    }
    let database = user.privateCloudDatabase
    var found: [ResultRecord] = []
    for zone in (try? await database.allRecordZones()) ?? [] {
      let changes = try? await database.recordZoneChanges(inZoneWith: zone.zoneID, since: nil)
      found += changes?.modificationResultsByID.values.compactMap { try? $0.get().record } ?? []
    }
    let related = found.filter { record in
      record.recordID.recordName.contains(item)
        || record.fields.contains { field in
          // An app may keep all its items in the bytes of one record.
          if case .bytes(let bytes) = field.value {
            String(decoding: bytes, as: UTF8.self).contains(item)
          } else {
            "\(field.value)".contains(item)
          }
        }
    }.sorted { $0.recordID < $1.recordID }
    if related.isEmpty { return ["The server has no record that names \(item)."] }
    return related.prefix(3).map { record in
      let fields = record.fields.sorted { $0.name < $1.name }.prefix(8).map { field in
        let value = field.isEncrypted ? "(encrypted)" : "\(field.value)"
        return "\(field.name) = \(value.count > 100 ? "\(value.prefix(99))…" : value)"
      }
      return "The server has \(record.recordType) \(record.recordID): "
        + fields.joined(separator: ", ")
    }
  }
}
