import RecordPack
import TestSupport
import Testing

/// Bundles, whole and parts, are imported in any mixture; containers stay
/// intact, bundles are the same after a circle, and no tag is given twice.
@Suite("Bundles in any mixture")
struct ChangeTokenMixTests {
  @Test("leave intact containers and bundles", arguments: SeededGenerator.seeds(6))
  func mixture(seed: UInt64) async throws {
    var mixture = try Mixture(seed)
    for _ in 0..<30 { try await mixture.act() }
  }
}

private struct Mixture {
  private let seed: UInt64
  private var random: SeededGenerator
  private let folder: TestFolder
  private var bundles: [String] = []
  private var containers: [MockContainer] = []
  private var number = 0
  private let zones = ["A", "B", "C"].map { ZoneID(zoneName: $0) }
  private let info = ContainerInfo(currentUserRecordName: "_mira")

  init(_ seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed &* 101 &+ 5)
    folder = try TestFolder()
    containers = [try .inMemory(info: info)]
  }

  private var place: Comment { "seed \(seed), step \(number)" }

  private mutating func nextPath() -> String {
    number += 1
    return folder.path("\(number)")
  }

  mutating func act() async throws {
    let container = random.pick(containers)
    switch random.below(8) {
    case 0: try writeForeign()
    case 1, 2: try importSome(into: container)
    case 3, 4: try await change(container)
    case 5: try exportPart(of: container)
    default:
      let path = nextPath()
      containers.append(try container.checkedCopy(by: path, place))
      bundles.append(path)
    }
  }

  // MARK: What others wrote

  private mutating func tag() -> String? {
    random.pick([
      nil, "-", "-5", "+9", "0", "00", "Z", "zzzz", "zzzzzzzzzzzz", "not a tag", "é", "1 ", "7",
      "k", String(random.below(100), radix: 36), String(random.below(2000), radix: 36),
    ])
  }

  private func zoneID(_ zoneID: ZoneID, in scope: DatabaseScope) -> ZoneID {
    scope == .shared ? ZoneID(zoneName: zoneID.zoneName, ownerName: "_other") : zoneID
  }

  private mutating func writeForeign() throws {
    let path = nextPath()
    let writer = try BundleWriter(path: path, container: ContainerInfo())
    let known = zones.filter { _ in random.chance(2) }
    let scopes: [DatabaseScope] = random.chance(3) ? [.private, .shared] : [.private]
    let places = scopes.flatMap { scope in known.map { (zoneID($0, in: scope), scope) } }
    for (zoneID, scope) in places {
      try writer.write(RecordZone(zoneID: zoneID), database: scope)
    }
    for id in ["s1", "s2"] where random.chance(3) { try writer.write(subscription: id) }
    var deleted: [(RecordID, DatabaseScope)] = []
    for (zoneID, scope) in places {
      for index in 0..<8 {
        let recordID = RecordID(recordName: "r\(index)", zoneID: zoneID)
        if random.chance(2) {
          try writer.write(recordID, tag: tag(), text: "\(random.below(3))", in: scope)
        } else if random.chance(4) {
          deleted.append((recordID, scope))
        }
      }
    }
    for (recordID, scope) in deleted {
      try writer.write(DeletedRecord(recordID: recordID, recordChangeTag: tag()), database: scope)
    }
    for zoneID in zones where !known.contains(zoneID) && random.chance(3) {
      try writer.write(
        DeletedZone(zoneID: zoneID, reason: random.pick([.deleted, .purged])), database: .private)
    }
    _ = try writer.finish()
    bundles.append(path)
  }

  // MARK: What happens

  private mutating func importSome(into container: MockContainer) throws {
    guard !bundles.isEmpty else { return }
    let sources = try (0...random.below(3)).map { _ in
      try BundleReader(path: random.pick(bundles))
    }
    var archiver = Archiver()
    archiver.conflictPolicy = random.pick([.keep, .replace, .replace, .fail])
    let target = random.chance(2) ? try MockContainer.inMemory(info: info) : container
    do {
      try archiver.run(from: sources.map(ArchiveSource.bundle), into: .container(target))
      if target !== container { containers.append(target) }
    } catch is ArchiveError {
      // Another record with its name.
    }
    target.expectIntact("\(place), import of \(sources.count)")
  }

  private mutating func exportPart(of container: MockContainer) throws {
    var archiver = Archiver()
    archiver.filter = random.pick([
      RecordFilter(recordTypes: ["Note"]), RecordFilter(zoneIDs: [zones[0]]),
      RecordFilter(databases: [.private]),
    ])
    let path = nextPath()
    try archiver.export(container, to: path)
    #expect(try BundleReader(path: path).verify().isIntact, place)
    bundles.append(path)
  }

  private mutating func change(_ container: MockContainer) async throws {
    number += 1
    let zoneID = random.pick(zones)
    let recordID = RecordID(recordName: "r\(random.below(8))", zoneID: zoneID)
    let database = container.privateCloudDatabase
    do {
      switch random.below(7) {
      case 0: try await database.deleteRecord(withID: recordID)
      case 1: try await database.save(RecordZone(zoneID: zoneID))
      case 2 where random.chance(2): try await database.deleteRecordZone(withID: zoneID)
      default:
        let greatest = try container.greatestTag()
        var draft = DraftRecord(recordType: "Note", recordID: recordID)
        draft["text"] = "n\(number)"
        try await database.modifyRecords(saving: [draft], deleting: [], savePolicy: .allKeys)
        let saved = try await database.record(for: recordID)
        #expect(saved["text"] == "n\(number)", place)
        #expect(Int64(saved.systemFields.recordChangeTag ?? "", radix: 36) ?? 0 > greatest, place)
      }
    } catch is CloudError {
      // What does not exist cannot be changed.
    }
    container.expectIntact(place)
  }
}
