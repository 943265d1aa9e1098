import RecordPack
import TestSupport
import Testing

/// Three devices of one user that change notes and synchronize them, while calls fail, apps are
/// killed, and the user signs out and in.
struct SyncSimulation<Engine: TestEngine> {
  private let mock: MockContainer
  private let clock: ManualClock
  private var devices: [Device] = []
  private var random: SeededGenerator
  private var wordCount = 0
  /// The words that were added to each note that nobody has deleted, and the deleted notes.
  private(set) var added: [String: Set<String>] = [:]
  private(set) var deleted: Set<String> = []
  /// What each app has seen.
  private(set) var crashes = 0
  private(set) var failures = 0

  private struct Device {
    var container: FaultInjectingContainer<MockDevice>
    var storage: DeviceStorage
    var engine: Engine
  }

  init(seed: UInt64) throws {
    random = SeededGenerator(seed)
    let clock = ManualClock(advancesWhenSleeping: true)
    self.clock = clock
    var rules = ServerRules.native
    rules.maxResults = 1 + random.below(9)
    mock = try MockContainer.inMemory(rules: rules, now: { clock.date })
    for name in ["Phone", "Tablet", "Watch"] {
      let container = FaultInjectingContainer(mock.device(name), clock: clock)
      let mock = mock
      var schedule = FaultSchedule(
        seed: random.next(), .everyKind(0.03, crashes: 0.02))
      schedule.addAction("signed out", probability: 0.02) {
        mock.setAccountStatus(.noAccount)
      }
      container.faults.follow(schedule)
      let storage = DeviceStorage(clock) { try container.checkCrash() }
      let engine = try Engine(container.privateCloudDatabase, storage)
      devices.append(Device(container: container, storage: storage, engine: engine))
    }
  }

  /// Changes and synchronizes at random.
  mutating func run(steps: Int) async throws {
    try await mock.privateCloudDatabase.save(RecordZone(zoneID: notes))
    for _ in 0..<steps {
      let index = random.below(devices.count)
      let action = random.below(10)
      if random.chance(3) { mock.setAccountStatus(.available) }
      do {
        switch action {
        case 0..<5: try await addWord(at: index)
        case 5: try await deleteNote(at: index)
        default: try await devices[index].engine.sync()
        }
      } catch is SimulatedCrash {
        crashes += 1
        try restart(index)
      } catch is CloudError {
        failures += 1
      }
      if devices[index].container.isCrashed { try restart(index) }
    }
  }

  /// Synchronizes all devices without faults until nothing changes any more, and returns what each
  /// device has.
  mutating func settle() async throws -> [[String: Set<String>]] {
    mock.setAccountStatus(.available)
    for index in devices.indices {
      devices[index].container.faults.follow(nil)
      devices[index].container.faults.removeAll()
      try restart(index)
    }
    for _ in 0..<2 {
      for device in devices { try await device.engine.sync() }
    }
    var contents: [[String: Set<String>]] = []
    for device in devices { contents.append(await device.engine.contents()) }
    return contents
  }

  /// What the server has.
  func server() async throws -> [String: Set<String>] {
    var contents: [String: Set<String>] = [:]
    for record in try await mock.privateCloudDatabase.records(ofType: "Note") {
      contents[record.recordID.recordName] = Set(DraftRecord(record).words)
    }
    return contents
  }

  /// What was injected, for a failed test.
  var log: String {
    devices.map { "\($0.container.name): \($0.container.faults.log)" }.joined(separator: "\n")
  }

  // MARK: Steps

  private mutating func addWord(at index: Int) async throws {
    let contents = await devices[index].engine.contents()
    // A note of the device, or a new one: names are never used again.
    let known = contents.keys.sorted()
    wordCount += 1
    let note = random.chance(4) || known.isEmpty ? "n\(wordCount)" : random.pick(known)
    try await devices[index].engine.add("w\(wordCount)", to: note)
    added[note, default: []].insert("w\(wordCount)")
  }

  private mutating func deleteNote(at index: Int) async throws {
    let known = await devices[index].engine.contents().keys.sorted()
    guard let note = known.randomElement(using: &random) else { return }
    deleted.insert(note)
    try await devices[index].engine.delete(note)
  }

  private mutating func restart(_ index: Int) throws {
    let container = devices[index].container.restarted()
    let storage = DeviceStorage(devices[index].storage) { try container.checkCrash() }
    let engine = try Engine(container.privateCloudDatabase, storage)
    devices[index] = Device(container: container, storage: storage, engine: engine)
  }
}

extension FaultInjectingContainer<MockDevice> {
  /// The name of the device.
  fileprivate var name: String { base.name }
}
