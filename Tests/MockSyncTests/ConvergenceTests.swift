import Foundation
import RecordPackTesting
import TestSupport
import Testing

/// Three devices that two users share, and one of a third user in a shared zone. They edit, delete,
/// crash, start again with older states, sign out and in, and switch users, while calls fail and zones
/// are purged and reset.
private final class Simulation {
  private let container: MockContainer
  private let testbed: SyncTestbed
  private var devices: [Device] = []
  private var random: SeededGenerator
  private var count = 0
  private var history: [String] = []
  /// The edits in the notes of each user.
  private var ledgers: [String: Ledger] = ["_mira": Ledger(), "_lena": Ledger()]

  /// The edits that the apps have acknowledged.
  struct Ledger {
    /// The words of each note, and the zone.
    var added: [String: Set<String>] = [:]
    var zones: [String: ZoneID] = [:]
    /// The notes that somebody has deleted, alone or with their zones.
    var deleted: Set<String> = []
    /// The deleted zones, each with the number of expired tokens of each device until then.
    var deletedZones: [ZoneID: [Int]] = [:]

    /// The notes that must be there in the end.
    var kept: [String: Set<String>] { added.filter { !deleted.contains($0.key) } }

    mutating func add(_ word: String, to id: RecordID) {
      added[id.recordName, default: []].insert(word)
      zones[id.recordName] = id.zoneID
      if deletedZones[id.zoneID] != nil { deleted.insert(id.recordName) }
    }

    mutating func delete(_ zoneID: ZoneID, _ expirations: [Int]) {
      for (name, zone) in zones where zone == zoneID { deleted.insert(name) }
      deletedZones[zoneID] = deletedZones[zoneID] ?? expirations
    }
  }

  private struct Device {
    let base: MockDevice
    var container: FaultInjectingContainer<MockDevice>
    let scope: DatabaseScope
    var store: WordStore
    var engine: MockSyncEngine
  }

  private static let orders: [FetchOrder] = [
    .oldestFirst, .childrenBeforeParents, .olderVersionLast, .shuffled(seed: 7),
  ]

  init(seed: UInt64) async throws {
    random = SeededGenerator(seed)
    let clock = ManualClock()
    var server = ServerRules.native
    server.maxResults = 1 + random.below(9)
    container = try MockContainer.inMemory(
      info: ContainerInfo(currentUserRecordName: "_mira"), rules: server, now: { clock.date })
    var rules = SyncRules()
    rules.fetchOrder = Self.orders[Int(seed % 4)]
    testbed = SyncTestbed(clock: clock, rules: rules)
    let kenji = try container.account("_kenji")
    let lena = try container.account("_lena")
    try await lena.privateCloudDatabase.save(RecordZone(zoneID: notes))
    try await share(with: kenji)
    for name in ["Phone", "Tablet", "Watch"] { addDevice(container.device(name), .private) }
    addDevice(kenji.device("Kenji"), .shared)
  }

  private func share(with kenji: MockAccount) async throws {
    let zoneID = ZoneID(zoneName: "Shared")
    let database = container.privateCloudDatabase
    try await database.save(RecordZone(zoneID: zoneID))
    try await database.save(RecordZone(zoneID: notes))
    let participant = ShareParticipant(
      permission: .readWrite, userIdentity: UserIdentity(userRecordName: "_kenji"))
    let share = DraftRecord(sharingZone: zoneID, participants: [participant])
    try await kenji.accept(try await database.save(share))
  }

  private func addDevice(_ base: MockDevice, _ scope: DatabaseScope) {
    let container = FaultInjectingContainer(base, clock: testbed.clock)
    container.faults.follow(FaultSchedule(seed: random.next(), .everyKind(0.02, crashes: 0.01)))
    let (store, engine) = start(
      container, scope, WordStore.Disk(user: scope == .shared ? "_kenji" : "_mira"), life: -1,
      state: nil)
    devices.append(
      Device(base: base, container: container, scope: scope, store: store, engine: engine))
  }

  private func start(
    _ container: FaultInjectingContainer<MockDevice>, _ scope: DatabaseScope,
    _ disk: WordStore.Disk, life: Int, state: SyncEngineStateSerialization?
  ) -> (WordStore, MockSyncEngine) {
    let testbed = testbed
    let store = WordStore(
      disk, life: life, isKilled: { container.isCrashed }, kill: { testbed.stop($0) })
    let engine = testbed.engine(for: store, on: container, scope: scope, state: state)
    store.start(engine)
    return (store, engine)
  }

  private func restart(_ index: Int, life: Int) {
    let device = devices[index]
    testbed.stop(device.engine)
    var disk = device.store.disk
    // The app's backup may be older than its data.
    let age = random.chance(4) ? random.below(5) : 0
    disk.states.removeLast(min(age, disk.states.count))
    note("\(device.base.name) starts with a state of \(age) updates ago, for \(life) events")
    devices[index].container = device.container.restarted()
    (devices[index].store, devices[index].engine) = start(
      devices[index].container, device.scope, disk, life: life, state: disk.states.last)
  }

  // MARK: Steps

  func run(steps: Int) async throws {
    for _ in 0..<steps {
      let index = random.below(devices.count)
      switch random.below(12) {
      case 0..<5: addWord(index)
      case 5: deleteNote(index)
      case 6: try await changeZones(index)
      case 7: try changeUser(index)
      case 8: restart(index, life: random.chance(2) ? random.below(40) : -1)
      default: try await sync(devices.indices.filter { $0 == index || random.chance(2) })
      }
    }
  }

  private func note(_ step: String) {
    history.append("\(step) as \(devices.map(\.store.disk.user))")
  }

  private func sync(_ indices: [Int]) async throws {
    note("sync of \(indices.map { devices[$0].base.name })")
    do {
      try await testbed.run(indices.map { devices[$0].engine })
    } catch is SimulatedCrash {
      // One of them was killed.
    }
    for index in devices.indices
    where devices[index].container.isCrashed || devices[index].engine.isStopped {
      restart(index, life: -1)
    }
  }

  private func addWord(_ index: Int) {
    let device = devices[index]
    count += 1
    let known = device.store.disk.all.keys.sorted()
    let id =
      random.chance(3) || known.isEmpty
      ? RecordID(recordName: "n\(count)", zoneID: random.pick(zones(of: device)))
      : random.pick(known)
    add(to: id, device)
  }

  private func add(to id: RecordID, _ device: Device) {
    note("\(device.base.name) adds w\(count) to \(id)")
    device.store.add("w\(count)", to: id, device.engine)
    ledgers[user(of: device)]?.add("w\(count)", to: id)
  }

  /// The user whose notes a device edits: the last one that its app has heard of.
  private func user(of device: Device) -> String {
    device.scope == .shared ? "_mira" : device.store.disk.user
  }

  /// The zones in which a device can make notes.
  private func zones(of device: Device) -> [ZoneID] {
    guard device.scope == .private else {
      return [ZoneID(zoneName: "Shared", ownerName: "_mira")]
    }
    let shared = user(of: device) == "_mira" ? [ZoneID(zoneName: "Shared")] : []
    return [notes] + shared + ownZones(of: device)
  }

  private func ownZones(of device: Device) -> [ZoneID] {
    let disk = device.store.disk
    return Set(disk.all.keys.map(\.zoneID)).union(disk.newZones).subtracting(disk.goneZones)
      .filter { $0.zoneName.hasPrefix("z") }.sorted()
  }

  private func deleteNote(_ index: Int) {
    let device = devices[index]
    guard let id = device.store.disk.all.keys.sorted().randomElement(using: &random) else { return }
    note("\(device.base.name) deletes \(id)")
    ledgers[user(of: device)]?.deleted.insert(id.recordName)
    device.store.delete(id, device.engine)
  }

  private func changeZones(_ index: Int) async throws {
    let device = devices[index]
    guard device.scope == .private else { return }
    count += 1
    guard random.chance(3), let zoneID = ownZones(of: device).randomElement(using: &random) else {
      let zoneID = ZoneID(zoneName: "z\(count)")
      device.store.create(zoneID, device.engine)
      return add(to: RecordID(recordName: "n\(count)", zoneID: zoneID), device)
    }
    if random.chance(2) { return try await purge(zoneID, device) }
    note("\(device.base.name) deletes \(zoneID)")
    ledgers[user(of: device)]?.delete(zoneID, expirations)
    device.store.delete(zoneID, device.engine)
  }

  /// Deletes a zone on the server, as the user does in the settings.
  private func purge(_ zoneID: ZoneID, _ device: Device) async throws {
    let user = user(of: device)
    // A device that has not heard of the success of its save would make the zone again.
    let disks = devices.map(\.store.disk).flatMap { [$0] + $0.others.values }
    guard !disks.contains(where: { $0.user == user && $0.newZones.contains(zoneID) }) else {
      return
    }
    do {
      try await container.account(user).purgeRecordZone(
        withID: zoneID, for: random.pick([.purged, .encryptedDataReset]))
      note("\(user) purges \(zoneID)")
      ledgers[user]?.delete(zoneID, expirations)
    } catch let error as CloudError {
      // Another device was faster.
      #expect([.zoneNotFound, .userDeletedZone].contains(error.code))
    }
  }

  private func changeUser(_ index: Int) throws {
    let device = devices[index]
    guard device.scope == .private else { return }
    let user = random.chance(3) ? nil : try container.account(random.pick(["_mira", "_lena"]))
    // Also while the engine works.
    let change: @Sendable () -> Void = { [base = device.base] in
      if let user { try? base.signIn(as: user) } else { base.signOut() }
    }
    let events = random.chance(2) ? 0 : 1 + random.below(12)
    note("\(device.base.name) has another user after \(events) events")
    if events == 0 { change() } else { device.store.after(events, change) }
  }

  // MARK: The end

  /// The number of expired tokens of the database on each device.
  private var expirations: [Int] {
    devices.map { device in
      device.container.faults.log.faults.count { fault in
        fault.operation == .databaseChanges && "\(fault.fault)".contains("changeTokenExpired")
      }
    }
  }

  /// Runs all devices without faults, and returns the notes of a user on each.
  ///
  /// A fetch without a token of the database has no deletions of zones. So a device whose token has
  /// expired keeps the notes of a zone that was deleted before. Apple's engineers say about such a
  /// fetch that a device hears only of deletions of its own records (Apple Developer Forums 813286);
  /// no source names zones.
  func settle(_ user: String) async throws -> [[String: Set<String>]] {
    for index in devices.indices {
      if devices[index].scope == .private {
        try devices[index].base.signIn(as: container.account(user))
      }
      devices[index].container.faults.follow(nil)
      devices[index].container.faults.removeAll()
      restart(index, life: -1)
    }
    try await testbed.run(devices.map(\.engine))
    let expirations = expirations
    return devices.enumerated().map { index, device in
      contents(
        device.store.disk.all.filter { id, _ in
          guard let before = ledger(user).deletedZones[id.zoneID] else { return true }
          return expirations[index] == before[index]
        })
    }
  }

  func ledger(_ user: String) -> Ledger { ledgers[user] ?? Ledger() }

  private func contents(_ all: [RecordID: WordStore.Note]) -> [String: Set<String>] {
    Dictionary(uniqueKeysWithValues: all.map { ($0.key.recordName, $0.value.words) })
  }

  /// The notes of a user on the server, in all zones or in the shared zone.
  func server(_ user: String, isShared: Bool) async throws -> [String: Set<String>] {
    var contents: [String: Set<String>] = [:]
    for record in try await container.account(user).privateCloudDatabase.records(ofType: "Note")
    where !isShared || record.recordID.zoneID.zoneName == "Shared" {
      contents[record.recordID.recordName] = Set(record["words"] as [String]? ?? [])
    }
    return contents
  }

  /// The steps, and the faults of each device.
  var log: String {
    history.joined(separator: "\n") + "\n"
      + devices.map { "\($0.base.name): \($0.container.faults.log)" }.joined(separator: "\n")
  }
}

@Suite("Convergence")
struct ConvergenceTests {
  /// `RECORDPACK_SYNC_SEEDS=1000` runs more, and `RECORDPACK_SYNC_SEED=7` one.
  static let seeds = {
    func number(_ name: String) -> UInt64? {
      ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
    if let seed = number("RECORDPACK_SYNC_SEED") { return seed..<seed + 1 }
    return 0..<(number("RECORDPACK_SYNC_SEEDS") ?? TestAmount.of(50, some: 10))
  }()

  @Test("devices end up equal, no edit is lost, and nothing deleted returns", arguments: seeds)
  func converge(seed: UInt64) async throws {
    let simulation = try await Simulation(seed: seed)
    try await simulation.run(steps: 60)
    for user in ["_mira", "_lena"] {
      let devices = try await simulation.settle(user)
      let ledger = simulation.ledger(user)
      let all = try await simulation.server(user, isShared: false)
      for device in devices.dropLast() {
        #expect(device == all, "seed \(seed), \(user)\n\(simulation.log)")
      }
      #expect(
        all.filter { !ledger.deleted.contains($0.key) } == ledger.kept,
        "seed \(seed), \(user)\n\(simulation.log)")
      #expect(
        ledger.deleted.isDisjoint(with: all.keys), "seed \(seed), \(user)\n\(simulation.log)")
      guard user == "_mira" else { continue }
      let shared = try await simulation.server(user, isShared: true)
      #expect(devices.last == shared, "seed \(seed)\n\(simulation.log)")
    }
  }
}
