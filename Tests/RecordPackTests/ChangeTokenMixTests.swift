import Foundation
import RecordPack
import TestSupport
import Testing

/// Bundles with and without histories, whole and parts, are imported in any mixture; containers stay
/// intact, bundles are the same after a circle, and no tag is given twice.
@Suite("Histories in any mixture")
struct ChangeTokenMixTests {
  private static let seeds: Range<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    let first = UInt64(environment["RECORDPACK_ATTACK_FIRST"] ?? "") ?? 0
    return first..<(first + (UInt64(environment["RECORDPACK_ATTACK_SEEDS"] ?? "") ?? 6))
  }()

  @Test("leave intact containers and bundles", arguments: seeds)
  func mixture(seed: UInt64) async throws {
    var mixture = try Mixture(seed)
    for _ in 0..<30 { try await mixture.act() }
  }
}

private struct Mixture {
  private var random: SeededGenerator
  private let seed: UInt64
  private let folder: TestFolder
  private var bundles: [String] = []
  private var containers: [MockContainer] = []
  private var number = 0
  private let isSingle = ProcessInfo.processInfo.environment["RECORDPACK_ATTACK_SINGLE"] != nil
  private var zones: [ZoneID] { ["A", "B", "C"].map { ZoneID(zoneName: $0) } }

  init(_ seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed &* 101 &+ 5)
    folder = try TestFolder()
    containers = [try .inMemory(info: ContainerInfo(currentUserRecordName: "_mira"))]
  }

  private mutating func path() -> String {
    number += 1
    return folder.path("\(number)")
  }

  private mutating func tag() -> String? {
    random.pick([
      nil, "-", "-5", "+9", "0", "00", "Z", "zzzz", "zzzzzzzzzzzz", "not a tag", "é", "1 ", "7",
      "k",
      String(random.below(100), radix: 36), String(random.below(2000), radix: 36),
    ])
  }

  private mutating func writeForeign() throws {
    let path = path()
    var info = ContainerInfo()
    if random.chance(3) { info.history = history() }
    let writer = try BundleWriter(path: path, container: info)
    let known = zones.filter { _ in random.chance(2) }
    let scopes: [DatabaseScope] = random.chance(3) ? [.public, .private, .shared] : [.private]
    func place(_ zoneID: ZoneID, _ scope: DatabaseScope) -> ZoneID {
      switch scope {
      case .public: .default
      case .private: zoneID
      case .shared: ZoneID(zoneName: zoneID.zoneName, ownerName: "_other")
      }
    }
    for scope in scopes where scope != .public {
      for zoneID in known {
        try writer.write(RecordZone(zoneID: place(zoneID, scope)), database: scope)
      }
    }
    if scopes.contains(.public) {
      // Zones come first, in the order of the databases.
    }
    for id in ["s1", "s2"] where random.chance(3) {
      try writer.write(
        CloudSubscription(subscriptionID: id, kind: .database(recordType: nil)), database: .private)
    }
    var names: [String: [Int]] = [:]
    for scope in scopes where scope != .public {
      for zoneID in known {
        let all = (0..<8).filter { _ in random.chance(2) }
        names["\(scope)\(zoneID)"] = all
        for index in all {
          let system = SystemFields(
            recordID: RecordID(recordName: "r\(index)", zoneID: place(zoneID, scope)),
            recordType: "Note", recordChangeTag: tag())
          let text = Field(name: "text", value: .string("\(random.below(3))"))
          try writer.write(ResultRecord(systemFields: system, fields: [text]), database: scope)
        }
      }
    }
    for scope in scopes where scope != .public {
      for zoneID in known {
        for index in 0..<8 where !(names["\(scope)\(zoneID)"] ?? []).contains(index) {
          guard random.chance(4) else { continue }
          try writer.write(
            Tombstone(
              recordID: RecordID(recordName: "r\(index)", zoneID: place(zoneID, scope)),
              recordChangeTag: tag()), database: scope)
        }
      }
    }
    for zoneID in zones where !known.contains(zoneID) && random.chance(3) {
      try writer.write(
        ZoneTombstone(zoneID: zoneID, reason: random.pick([.deleted, .purged])), database: .private)
    }
    try writer.finish()
    bundles.append(path)
  }

  private mutating func history() -> ContainerHistory? {
    let scopes = DatabaseScope.allCases.filter { _ in random.chance(2) }
    let databases = scopes.map { scope -> ContainerHistory.Database in
      let last = Int64(1 + random.below(200))
      var database = ContainerHistory.Database(
        scope: scope, lastChange: last, lineage: random.next())
      func upTo(_ limit: Int64, _ random: inout SeededGenerator) -> Int64 {
        random.chance(3) ? 0 : Int64(random.below(Int(limit) + 1))
      }
      database.loadedChange = upTo(last, &random)
      database.mergedChange = upTo(last, &random)
      for zoneID in zones where random.chance(2) {
        let owned =
          scope == .shared ? ZoneID(zoneName: zoneID.zoneName, ownerName: "_other") : zoneID
        let zoneLast = 1 + Int64(random.below(Int(last)))
        database.zones.append(
          ContainerHistory.Zone(
            zoneID: owned, lastChange: zoneLast,
            firstChange: 1 + Int64(random.below(Int(zoneLast)))))
      }
      return database
    }
    return databases.isEmpty ? nil : ContainerHistory(databases: databases)
  }

  mutating func act() async throws {
    let container = random.pick(containers)
    switch random.below(8) {
    case 0: try writeForeign()
    case 1, 2:
      guard !bundles.isEmpty else { return }
      let sources = try (0...(isSingle ? 0 : random.below(3))).map { _ in
        try BundleReader(path: random.pick(bundles))
      }
      var archiver = Archiver()
      archiver.conflictPolicy = random.pick([.keep, .replace, .replace, .fail])
      let target =
        random.chance(2)
        ? try MockContainer.inMemory(info: ContainerInfo(currentUserRecordName: "_mira"))
        : container
      do {
        try archiver.importBundles(sources, into: target)
        if target !== container { containers.append(target) }
      } catch is ImportError {
        // Another record with its name.
      }
      try verify(target, "import of \(sources.count)")
    case 3, 4: try await change(container)
    case 5:
      var archiver = Archiver()
      archiver.filter = random.pick([
        RecordFilter(recordTypes: ["Note"]), RecordFilter(zoneIDs: [zones[0]]),
        RecordFilter(databases: [.private]),
      ])
      let path = path()
      try archiver.export(container, to: path)
      #expect(try BundleReader(path: path).verify().isIntact, "seed \(seed)")
      bundles.append(path)
    default: try circle(container)
    }
  }

  private func verify(_ container: MockContainer, _ what: String) throws {
    _ = try container.store.verify { Issue.record("seed \(seed), \(what): \($0)") }
  }

  private mutating func circle(_ container: MockContainer) throws {
    let (first, second) = (path(), path())
    try Archiver().export(container, to: first)
    let copy = try MockContainer.inMemory()
    try Archiver().importBundle(BundleReader(path: first), into: copy)
    try Archiver().export(copy, to: second)
    #expect(
      FileManager.default.contents(atPath: first) == FileManager.default.contents(atPath: second),
      "seed \(seed)")
    #expect(try BundleReader(path: first).verify().isIntact, "seed \(seed)")
    try verify(copy, "copy")
    for scope in DatabaseScope.allCases {
      let (before, after) = (
        try container.store.snapshot { try $0.lastChange(in: scope) },
        try copy.store.snapshot { try $0.lastChange(in: scope) }
      )
      if after < before, ProcessInfo.processInfo.environment["RECORDPACK_ATTACK_STRICT"] != nil {
        Issue.record("seed \(seed): the last change \(before) is \(after) in a copy")
      }
    }
    bundles.append(first)
    containers.append(copy)
  }

  private mutating func change(_ container: MockContainer) async throws {
    number += 1
    let zoneID = random.pick(zones)
    let recordID = RecordID(recordName: "r\(random.below(8))", zoneID: zoneID)
    let database = container.privateCloudDatabase
    let greatest = try greatestTag(container)
    do {
      switch random.below(7) {
      case 0: try await database.deleteRecord(withID: recordID)
      case 1: try await database.save(RecordZone(zoneID: zoneID))
      case 2 where random.chance(2): try await database.deleteRecordZone(withID: zoneID)
      default:
        var draft = DraftRecord(recordType: "Note", recordID: recordID)
        draft["text"] = "n\(number)"
        try await database.modifyRecords(saving: [draft], deleting: [], savePolicy: .allKeys)
        let saved = try await database.record(for: recordID)
        #expect(saved["text"] == "n\(number)")
        let tag = Int64(saved.systemFields.recordChangeTag ?? "", radix: 36) ?? 0
        if tag <= greatest { Issue.record("seed \(seed): the tag \(tag) after \(greatest)") }
      }
    } catch is CloudError {}
    try verify(container, "change")
  }

  private func greatestTag(_ container: MockContainer) throws -> Int64 {
    var greatest: Int64 = 0
    func note(_ tag: String?) {
      guard let tag, tag.utf8.count <= 11, let number = Int64(tag, radix: 36) else { return }
      greatest = max(greatest, number)
    }
    try container.store.snapshot { snapshot in
      for scope in [DatabaseScope.private, .shared] {
        try snapshot.forEachRecord(in: scope) { note($0.systemFields.recordChangeTag) }
        try snapshot.forEachTombstone(in: scope) { note($0.recordChangeTag) }
      }
    }
    return greatest
  }
}
