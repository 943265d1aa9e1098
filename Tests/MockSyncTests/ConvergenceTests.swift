import Foundation
import RecordPackTesting
import TestSupport
import Testing

/// Three devices of a user, and one of another user in a shared zone, that edit, delete, crash, start
/// again with older states, and sign out and in, while calls fail.
private final class Simulation {
  private let container: MockContainer
  private let testbed: SyncTestbed
  private let mira: MockAccount
  private var devices: [Device] = []
  private var random: SeededGenerator
  private var count = 0
  /// The words of each note; the zones and notes that somebody has deleted.
  private(set) var added: [String: Set<String>] = [:]
  private(set) var deleted: Set<String> = []
  private var deletedZones: Set<ZoneID> = []
  private(set) var crashes = 0

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
    mira = try container.account("_mira")
    let kenji = try container.account("_kenji")
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
    let (store, engine) = start(container, scope, WordStore.Disk(), life: -1, state: nil)
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
    crashes += 1
    var disk = device.store.disk
    // The app's backup may be older than its data.
    let age = random.chance(4) ? random.below(5) : 0
    disk.states.removeLast(min(age, disk.states.count))
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
      case 6: changeZones(index)
      case 7: try signOutOrIn(index)
      case 8: restart(index, life: random.chance(2) ? random.below(40) : -1)
      default: try await sync(devices.indices.filter { $0 == index || random.chance(2) })
      }
    }
  }

  private func sync(_ indices: [Int]) async throws {
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
    let disk = device.store.disk
    count += 1
    let known = disk.all.keys.sorted()
    let zones = zones(of: device)
    let id =
      random.chance(3) || known.isEmpty
      ? RecordID(recordName: "n\(count)", zoneID: random.pick(zones)) : random.pick(known)
    device.store.add("w\(count)", to: id, device.engine)
    added[id.recordName, default: []].insert("w\(count)")
    if deletedZones.contains(id.zoneID) { deleted.insert(id.recordName) }
  }

  /// The zones in which a device can make notes.
  private func zones(of device: Device) -> [ZoneID] {
    guard device.scope == .private else {
      return [ZoneID(zoneName: "Shared", ownerName: "_mira")]
    }
    let disk = device.store.disk
    return [notes, ZoneID(zoneName: "Shared")]
      + Set(disk.all.keys.map(\.zoneID)).union(disk.newZones).subtracting(disk.goneZones)
      .filter { $0.zoneName.hasPrefix("z") }.sorted()
  }

  private func deleteNote(_ index: Int) {
    let device = devices[index]
    guard let id = device.store.disk.all.keys.sorted().randomElement(using: &random) else { return }
    deleted.insert(id.recordName)
    device.store.delete(id, device.engine)
  }

  private func changeZones(_ index: Int) {
    let device = devices[index]
    guard device.scope == .private else { return }
    count += 1
    let own = zones(of: device).filter { $0.zoneName.hasPrefix("z") }
    guard random.chance(3), let zoneID = own.randomElement(using: &random) else {
      let zoneID = ZoneID(zoneName: "z\(count)")
      device.store.create(zoneID, device.engine)
      device.store.add(
        "w\(count)", to: RecordID(recordName: "n\(count)", zoneID: zoneID), device.engine)
      added["n\(count)", default: []].insert("w\(count)")
      return
    }
    // All notes of the zone go with it, also those that the device does not know.
    for other in devices {
      for id in other.store.disk.all.keys where id.zoneID == zoneID {
        deleted.insert(id.recordName)
      }
    }
    deletedZones.insert(zoneID)
    device.store.delete(zoneID, device.engine)
  }

  private func signOutOrIn(_ index: Int) throws {
    let device = devices[index]
    guard device.scope == .private else { return }
    if random.chance(2) { device.base.signOut() } else { try device.base.signIn(as: mira) }
  }

  // MARK: The end

  /// Runs all devices without faults, and returns the notes of each.
  ///
  /// A fetch without a token of the database has no deletions of zones, so that a device whose token
  /// has expired keeps the notes of a zone that was deleted before. No source says that it would not.
  func settle() async throws -> [[String: Set<String>]] {
    for index in devices.indices {
      if devices[index].scope == .private { try devices[index].base.signIn(as: mira) }
      devices[index].container.faults.follow(nil)
      devices[index].container.faults.removeAll()
      restart(index, life: -1)
    }
    try await testbed.run(devices.map(\.engine))
    return devices.map { device in
      let hasExpired = device.container.faults.log.faults.contains { fault in
        fault.operation == .databaseChanges && "\(fault.fault)".contains("changeTokenExpired")
      }
      return contents(
        device.store.disk.all.filter { !hasExpired || !deletedZones.contains($0.key.zoneID) })
    }
  }

  private func contents(_ all: [RecordID: WordStore.Note]) -> [String: Set<String>] {
    Dictionary(uniqueKeysWithValues: all.map { ($0.key.recordName, $0.value.words) })
  }

  /// The notes of the server, in all zones or in the shared zone.
  func server(isShared: Bool) async throws -> [String: Set<String>] {
    var contents: [String: Set<String>] = [:]
    for record in try await container.privateCloudDatabase.records(ofType: "Note")
    where !isShared || record.recordID.zoneID.zoneName == "Shared" {
      contents[record.recordID.recordName] = Set(record["words"] as [String]? ?? [])
    }
    return contents
  }

  var log: String {
    devices.map { "\($0.base.name): \($0.container.faults.log)" }.joined(separator: "\n")
  }
}

@Suite("Convergence")
struct ConvergenceTests {
  /// `RECORDPACK_SYNC_SEEDS=1000` runs more.
  static let seeds =
    ProcessInfo.processInfo.environment["RECORDPACK_SYNC_SEEDS"].flatMap(UInt64.init) ?? 50

  @Test("devices end up equal, no edit is lost, and nothing deleted returns", arguments: 0..<seeds)
  func converge(seed: UInt64) async throws {
    let simulation = try await Simulation(seed: seed)
    try await simulation.run(steps: 60)
    let devices = try await simulation.settle()
    let all = try await simulation.server(isShared: false)
    let shared = try await simulation.server(isShared: true)
    for device in devices.dropLast() {
      #expect(device == all, "seed \(seed)\n\(simulation.log)")
    }
    #expect(devices.last == shared, "seed \(seed)\n\(simulation.log)")
    let kept = simulation.added.filter { !simulation.deleted.contains($0.key) }
    #expect(
      all.filter { !simulation.deleted.contains($0.key) } == kept,
      "seed \(seed)\n\(simulation.log)")
    #expect(simulation.deleted.isDisjoint(with: all.keys), "seed \(seed)\n\(simulation.log)")
  }
}
