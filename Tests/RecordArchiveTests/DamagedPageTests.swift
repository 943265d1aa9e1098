import Foundation
import RecordBundle
import RecordModel
import StoreTestSupport
import Testing

@testable import RecordArchive
@testable import RecordStore

@Suite("A container with damaged pages")
struct DamagedPageTests {
  private static let pageSize = 16_384
  private static let zone = ZoneID(zoneName: "Notes")
  private static let names = (0..<80).map { "note-\($0)" }

  /// Text that only the row of a record has.
  private func text(of name: String) -> String { "unmistakable \(name)." }

  private func draft(_ name: String) -> DraftRecord {
    var draft = DraftRecord(
      recordType: "Note", recordID: RecordID(recordName: name, zoneID: Self.zone))
    draft["text"] = text(of: name) + String(repeating: "x", count: 900)
    return draft
  }

  /// Makes a container whose records fill several pages, with an asset, deletions and a subscription.
  ///
  /// - Parameter deletions: the number of deleted records, which leave free pages.
  private func makeContainer(at path: String, deletions: Int = 1) throws -> Data {
    let container = try ContainerStore.open(path: path, mode: .create)
    let database = container.database(.private)
    try database.save([RecordZone(zoneID: Self.zone)])
    let drafts = Self.names.map { name in
      var draft = draft(name)
      if name == "note-7" { draft["file"] = Asset(data: Data(repeating: 7, count: 40_000)) }
      return draft
    }
    try database.save(drafts)
    try database.save([CloudSubscription(subscriptionID: "all", kind: .database(recordType: nil))])
    let gone = (0..<deletions).map { draft("gone-\($0)") }
    try database.save(gone)
    try database.deleteRecords(gone.map(\.recordID))
    try container.close()
    return try bytes(of: path)
  }

  private func saved(_ path: String) throws -> Set<String> {
    var names: Set<String> = []
    try BundleReader(path: path).forEachRecord { record, _ in
      names.insert(record.recordID.recordName)
    }
    return names
  }

  @Test(
    "loses only the records of a damaged page: recover saves all others, and counts the lost ones")
  func pages() throws {
    try withFolder { folder in
      let whole = try makeContainer(at: folder + "/whole.sqlite", deletions: 30)
      // The inner page that leads to the records.
      #expect(stride(from: 0, to: whole.count, by: Self.pageSize).contains { whole[$0] == 5 })
      var leaves = 0
      for start in stride(from: Self.pageSize, to: whole.count, by: Self.pageSize)
      where whole[start + 3...start + 4].contains(where: { $0 != 0 }) {
        // The page has rows.
        let page = whole[start..<start + Self.pageSize]
        let lost = Self.names.filter { page.range(of: Data(text(of: $0).utf8)) != nil }
        leaves += lost.isEmpty ? 0 : 1
        var damaged = whole
        damaged.replaceSubrange(
          start..<start + Self.pageSize, with: Data(count: Self.pageSize))
        let (path, bundle) = ("\(folder)/\(start).sqlite", "\(folder)/saved.recordpack")
        try damaged.write(to: URL(fileURLWithPath: path))
        let report = try Archiver().recover(containerAt: path, to: bundle, overwrite: true)
        #expect(lost.isEmpty || !report.isComplete, "\(start)")
        #expect(try saved(bundle) == Set(Self.names).subtracting(lost), "\(start)")
        let loss = "\(lost.count) of \(Self.names.count) records of the private database"
        #expect(report.losses.contains(loss) == !lost.isEmpty, "\(start): \(report.losses)")
      }
      #expect(leaves > 5)
    }
  }

  @Test("loses only the records of the damaged pages, wherever they are")
  func severalPages() throws {
    try withFolder { folder in
      let whole = try makeContainer(at: folder + "/whole.sqlite")
      let pages = stride(from: Self.pageSize, to: whole.count, by: Self.pageSize).map { start in
        let page = whole[start..<start + Self.pageSize]
        return (start, Self.names.filter { page.range(of: Data(text(of: $0).utf8)) != nil })
      }.filter { !$0.1.isEmpty }
      for places in [[1, 3], [0, 4, pages.count - 1], [2, 3, 5]] {
        var (damaged, lost) = (whole, Set<String>())
        for (start, names) in places.map({ pages[$0] }) {
          damaged.replaceSubrange(
            start..<start + Self.pageSize, with: Data(count: Self.pageSize))
          lost.formUnion(names)
        }
        let (path, bundle) = (folder + "/damaged.sqlite", folder + "/saved.recordpack")
        try damaged.write(to: URL(fileURLWithPath: path))
        _ = try Archiver().recover(containerAt: path, to: bundle, overwrite: true)
        #expect(try saved(bundle) == Set(Self.names).subtracting(lost), "\(places)")
      }
    }
  }

  @Test("is named with the file and the remedy by whoever reads the page, and by verify")
  func messages() throws {
    try withFolder { folder in
      let path = folder + "/c.sqlite"
      var damaged = try makeContainer(at: path)
      let place = try #require(damaged.range(of: Data(text(of: "note-60").utf8)))
      let start = place.lowerBound / Self.pageSize * Self.pageSize
      damaged.replaceSubrange(start..<start + Self.pageSize, with: Data(count: Self.pageSize))
      try damaged.write(to: URL(fileURLWithPath: path))
      let container = try ContainerStore.open(path: path, leavingOut: DamageLog())
      let error = #expect(throws: ContainerStoreError.self) {
        try container.snapshot { try $0.forEachRecord(in: .private) { _ in } }
      }
      #expect(error?.description.contains("a page of '\(path)' is damaged") == true)
      #expect(error?.description.contains("recordpack recover") == true)
      #expect(error?.descriptionForClients.contains(path) == false)
      var found: [String] = []
      let report = try container.verify { found.append($0.place) }
      #expect(report.hasDamagedPages)
      #expect(found.contains("the table 'record'"), "\(found)")
    }
  }

  @Test("of a truncated file are those that are cut off", arguments: [0.95, 0.8, 0.5])
  func truncated(part: Double) throws {
    try withFolder { folder in
      let whole = try makeContainer(at: folder + "/whole.sqlite")
      let path = folder + "/cut.sqlite"
      let cut = whole.prefix(Int(Double(whole.count) * part))
      try cut.write(to: URL(fileURLWithPath: path))
      let (container, issues) = try ContainerStore.openDamaged(path: path)
      #expect(issues.map(\.place) == ["the file"])
      #expect(try !container.verify { _ in }.isIntact)
      let bundle = folder + "/saved.recordpack"
      let report = try Archiver().recover(containerAt: path, to: bundle, overwrite: true)
      #expect(!report.isComplete && report.issues.first == issues.first)
      // A page is there as a whole, or not at all.
      let left = cut.prefix(cut.count / Self.pageSize * Self.pageSize)
      let intact = Self.names.filter { left.range(of: Data(text(of: $0).utf8)) != nil }
      #expect(try saved(bundle).isSuperset(of: intact))
      #expect(try bytes(of: path) == cut)
      let damage = DamageLog()
      let read = try ContainerStore.open(path: path, leavingOut: damage)
      var count = 0
      try read.snapshot { try $0.forEachRecord(in: .private) { _ in count += 1 } }
      #expect(count == report.bundle.records && damage.count > 0)
    }
  }

  @Test("is not filled up to the size of a damaged header, which no disk has")
  func damagedSize() throws {
    try withFolder { folder in
      var bytes = try makeContainer(at: folder + "/whole.sqlite")
      // The number of pages.
      bytes.replaceSubrange(28..<32, with: [0xFF, 0xFF, 0xFF, 0xFE])
      let path = folder + "/damaged.sqlite"
      try bytes.write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: ContainerStoreError.self) {
        try ContainerStore.openDamaged(path: path)
      }
      #expect(error?.description.contains("it is truncated") == true)
    }
  }

  // MARK: Values

  private static let account = ContainerAccount(userRecordName: "_kenji")

  @Test(
    "does not get wrong values of users and zones that do not match their checksums",
    arguments: [
      "UPDATE setting SET value = replace(value, 'kenji', 'kenjo') WHERE name = 'accounts'",
      "UPDATE zone SET json = CAST(replace(json, 'right', 'wrong') AS BLOB) WHERE name = 'Notes'",
    ])
  func values(damage: String) throws {
    try withFolder { folder in
      let path = folder + "/c.sqlite"
      let container = try ContainerStore.open(path: path, mode: .create)
      var zone = RecordZone(zoneID: Self.zone)
      zone.otherMembers.set("x", to: .init(compact: "\"right\""))
      let original = zone
      var info = ContainerInfo()
      info.accounts = [Self.account]
      try container.setInfo(info)
      try container.database(.private).save([zone])
      let note = RecordID(recordName: "n", zoneID: Self.zone)
      try container.database(.private).save([DraftRecord(recordType: "Note", recordID: note)])
      try Archiver().run(from: [.container(container)], into: .bundle(path: folder + "/backup"))
      try container.transaction { try $0.db.execute(damage) }
      try container.close()
      let isZone = damage.contains("zone")
      let plain = RecordZone(zoneID: Self.zone)
      func check(_ source: ArchiveSource) throws {
        #expect(try source.info().accounts == (isZone ? [Self.account] : []))
        let zones = try source.zones().map(\.zone).filter { $0.zoneID == Self.zone }
        #expect(zones == [isZone ? plain : original])
        #expect(try source.records(named: "n").count == 1)
      }
      let report = try Archiver().recover(
        containerAt: path, to: folder + "/saved", overwrite: true)
      #expect(!report.isComplete)
      #expect(report.issues.map(\.keepsIdentity) == [isZone])
      try check(.open([folder + "/saved"]))
      let log = DamageLog()
      try check(.container(.open(path: path, leavingOut: log)))
      #expect(log.errors.map(\.keepsIdentity) == [isZone])
      // A backup replaces them.
      let damaged = try ContainerStore.open(path: path)
      var archiver = Archiver()
      archiver.conflictPolicy = .replace
      try archiver.run(from: [.open([folder + "/backup"])], into: .container(damaged))
      #expect(try damaged.verify { Issue.record("\($0)") }.isIntact)
      #expect(try damaged.info().accounts == [Self.account])
      #expect(try damaged.snapshot { try $0.zone(Self.zone, in: .private) } == original)
    }
  }
}
