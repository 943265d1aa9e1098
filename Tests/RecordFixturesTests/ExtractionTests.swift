import Foundation
import RecordArchive
import RecordBundle
import RecordModel
import RecordStore
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("An extraction")
struct ExtractionTests {
  private let folder: TestFolder
  private let zoneID = ZoneID(zoneName: "Chats")
  private let path: String

  init() throws {
    folder = try TestFolder()
    path = folder.path("part.recordpack")
  }

  private func id(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: zoneID) }

  /// A chat with a share, five messages with pictures, and a stranger.
  private func makeSource() throws -> ArchiveSource {
    let container = try ContainerStore.inMemory(
      info: ContainerInfo(
        identifier: "iCloud.chats", schemaVersion: "7", currentUserRecordName: "_mira"))
    let database = container.database(.private)
    try database.save([
      RecordZone(zoneID: zoneID), RecordZone(zoneName: "Other"), RecordZone(zoneName: "Gone"),
    ])
    var chat = DraftRecord(recordType: "Chat", recordID: id("chat"))
    chat.share = Reference(recordID: id("share"))
    var drafts = [chat, DraftRecord(recordType: "cloudkit.share", recordID: id("share"))]
    for number in 0..<5 {
      var message = DraftRecord(recordType: "Message", recordID: id("m\(number)"))
      message.parent = Reference(recordID: id("chat"))
      message["picture"] = Asset(
        data: Data(repeating: UInt8(number), count: 300_000 * (number % 2)))
      message["author"] = Reference(recordID: id("nobody"))
      drafts.append(message)
    }
    drafts.append(
      DraftRecord(
        recordType: "Chat", recordID: RecordID(recordName: "x", zoneID: ZoneID(zoneName: "Other"))))
    try database.save(drafts)
    try database.deleteZone(ZoneID(zoneName: "Gone"))
    try database.save([CloudSubscription(subscriptionID: "s", kind: .zone(zoneID, recordType: nil))]
    )
    return .container(container)
  }

  private func extract(
    _ names: [String], _ change: (inout Extraction) -> Void = { _ in }
  ) throws -> (part: BundleReader, report: ExtractionReport) {
    let source = try makeSource()
    var extraction = Extraction(of: source)
    change(&extraction)
    let report = try extraction.write(to: path) { ask in
      for name in names {
        for found in try source.records(named: name) { try ask(found.record, found.database) }
      }
    }
    return (try BundleReader(path: path), report)
  }

  private func names(_ part: BundleReader) throws -> [String] {
    var names: [String] = []
    try part.forEachRecord { record, _ in names.append(record.recordID.recordName) }
    return names.sorted()
  }

  @Test("has the records, their zones, what they need, and the metadata of the container")
  func needed() throws {
    let (part, report) = try extract(["m1", "m2"])
    #expect(try names(part) == ["chat", "m1", "m2", "share"])
    #expect(report.asked == 2 && report.records == 4)
    #expect(
      report.added == [
        .init(recordType: "Chat", relation: .parents): 1,
        .init(recordType: "cloudkit.share", relation: .shares): 1,
      ])
    #expect(report.missing == [.private: [id("nobody")]])
    #expect(report.assets == 2 && report.missingAssets == 0)
    #expect(try part.zones().allSatisfy { $0.zone.zoneID.zoneName != "Other" })
    #expect(part.container.identifier == "iCloud.chats" && part.container.schemaVersion == "7")
    #expect(try part.verify().isIntact)
    #expect(
      part.sections.allSatisfy { ![.zoneTombstone, .tombstone, .subscription].contains($0.kind) })
  }

  @Test("counts a record that is missing in two databases twice")
  func missing() throws {
    let store = try ContainerStore.inMemory()
    for scope in [DatabaseScope.public, .private] {
      var note = DraftRecord(recordType: "Note", recordID: RecordID(recordName: "note"))
      note["author"] = Reference(recordID: RecordID(recordName: "nobody"))
      try store.database(scope).save([note])
    }
    let source = ArchiveSource.container(store)
    let report = try Extraction(of: source).write(to: path) { ask in
      for found in try source.records(named: "note") { try ask(found.record, found.database) }
    }
    let nobody: Set = [RecordID(recordName: "nobody")]
    #expect(report.missing == [.public: nobody, .private: nobody])
    #expect(report.missingRecords == 2)
  }

  @Test("has the children only where they are asked for, and their needs")
  func children() throws {
    let (part, report) = try extract(["chat"]) { $0.closure.depths[.children] = 1 }
    #expect(try names(part) == ["chat", "m0", "m1", "m2", "m3", "m4", "share"])
    #expect(report.added[.init(recordType: "Message", relation: .children)] == 5)
    #expect(try names(extract(["chat"]).part) == ["chat", "share"])
    #expect(try names(extract(["chat"]) { $0.closure = .nothing }.part) == ["chat"])
  }

  @Test("counts the steps of each path, and adds no steps of two paths")
  func paths() throws {
    let container = try ContainerStore.inMemory()
    // a refers to d, d to e; d is also a child of a, and g a child of e.
    let records = [("a", nil, "d"), ("d", "a", "e"), ("e", nil, nil), ("g", "e", nil)]
    try container.database(.public).save(
      records.map { name, parent, target in
        var draft = DraftRecord(recordType: "Note", recordID: RecordID(recordName: name))
        draft.parent = (parent as String?).map { Reference(recordID: RecordID(recordName: $0)) }
        if let target = target as String? {
          draft["to"] = Reference(recordID: RecordID(recordName: target))
        }
        return draft
      })
    let source = ArchiveSource.container(container)
    func extracted(_ references: Int, _ children: Int) throws -> [String] {
      var extraction = Extraction(of: source)
      extraction.closure = ExtractionClosure(
        depths: [.references: references, .children: children])
      try extraction.write(to: path) { ask in
        for found in try source.records(named: "a") { try ask(found.record, found.database) }
      }
      return try names(try BundleReader(path: path))
    }
    // By its parent, d leads to e; by the reference, to children of its own.
    #expect(try extracted(1, 1) == ["a", "d", "e"])
    #expect(try extracted(2, 1) == ["a", "d", "e", "g"])
    #expect(try extracted(1, 2) == ["a", "d", "e", "g"])
  }

  @Test("has no subscription of any account")
  func subscriptionsOfAccounts() throws {
    var info = ContainerInfo(currentUserRecordName: "_mira")
    let subscription = CloudSubscription(
      subscriptionID: "their secret", kind: .database(recordType: nil))
    info.accounts = [
      ContainerAccount(userRecordName: "_kenji", subscriptions: [.init(subscription, to: .private)])
    ]
    let container = try ContainerStore.inMemory(info: info)
    try container.database(.public).save([
      DraftRecord(recordType: "Note", recordID: RecordID(recordName: "a"))
    ])
    let source = ArchiveSource.container(container)
    try Extraction(of: source).write(to: path) { ask in
      for found in try source.records(named: "a") { try ask(found.record, found.database) }
    }
    let accounts = try BundleReader(path: path).container.accounts
    #expect(accounts.map(\.userRecordName) == ["_kenji"])
    #expect(accounts.flatMap(\.subscriptions).isEmpty)
  }

  @Test("tells what was cut by a limit")
  func limit() throws {
    let (part, report) = try extract(["chat"]) {
      $0.closure.depths[.children] = 1
      $0.limit = 2
    }
    #expect(try names(part) == ["chat", "m0", "m1", "share"])
    #expect(report.cut == [.init(recordType: "Message", relation: .children): 3])
  }

  @Test("without the bytes of assets has assets with metadata only")
  func assets() throws {
    let (part, report) = try extract(["m1"]) { $0.closure.depths[.assets] = nil }
    #expect(report.assets == 0)
    #expect(try part.verify().isIntact)
    try part.forEachRecord { record, _ in
      guard let asset: Asset = record["picture"] else { return }
      #expect(asset.sha256 == nil && asset.size == 300_000)
    }
    let whole = try extract(["m1"]).part
    try whole.forEachRecord { record, _ in
      guard let asset: Asset = record["picture"], let digest = asset.sha256 else { return }
      var bytes: [UInt8] = []
      try whole.forEachChunk(ofAsset: digest) { bytes += $0 }
      #expect(bytes == [UInt8](repeating: 1, count: 300_000))
    }
  }

  @Test("says why each record was taken, in a fixed order")
  func explanation() throws {
    let lines = Mutex<[String]>([])
    _ = try extract(["m1"]) {
      $0.explain = { reason in
        let cause = reason.cause.map { "\($0.relation.rawValue) of \($0.recordID.recordName)" }
        lines.withLock { $0.append("\(reason.recordID.recordName): \(cause ?? "asked for")") }
      }
    }
    #expect(
      lines.withLock { $0 } == ["m1: asked for", "chat: parents of m1", "share: shares of chat"])
  }

  @Test("that fails leaves the old file")
  func failure() throws {
    struct Stop: Error {}
    _ = try extract(["m1"])
    let before = FileManager.default.contents(atPath: path)
    #expect(throws: Stop.self) { try extract(["m1"]) { $0.explain = { _ in throw Stop() } } }
    #expect(FileManager.default.contents(atPath: path) == before)
    #expect(folder.names == ["part.recordpack"])
  }

  // MARK: Core Data

  private func mirrored(
    _ names: [String], _ closure: ExtractionClosure = .needed
  ) throws -> (names: [String], report: ExtractionReport) {
    let source = try MirroredSample.source()
    var extraction = Extraction(of: source)
    extraction.closure = closure
    let report = try extraction.write(to: path) { ask in
      for name in names {
        for found in try source.records(named: name) { try ask(found.record, found.database) }
      }
    }
    return (try self.names(try BundleReader(path: path)), report)
  }

  @Test("Relationships of Core Data are followed: to one, and over one link")
  func mirroredRelationships() throws {
    typealias Sample = MirroredSample
    let links = Sample.rows.filter { $0.type == "CDMR" }.map(\.name)
    let (found, report) = try mirrored([Sample.draft])
    #expect(Set(found) == [Sample.draft, Sample.folder, Sample.red, links[2]])
    // The UUID of the folder names no record, and is not missed.
    #expect(report.missingRecords == 0)
    // Of two notes, all links come along; a tag brings its notes.
    #expect(try mirrored([Sample.note, Sample.draft]).names.count == 8)
    #expect(
      Set(try mirrored([Sample.red]).names)
        == [Sample.red, Sample.note, Sample.draft, Sample.folder, links[0], links[2]])
    // A second step leads further.
    var further = ExtractionClosure.needed
    further.depths[.links] = 2
    #expect(try mirrored([Sample.draft], further).names.count == 6)
    // A link needs both its objects.
    #expect(
      Set(try mirrored([links[1]]).names)
        == [links[1], Sample.note, Sample.blue, Sample.folder, links[0], Sample.red])
    #expect(try mirrored([Sample.draft], .nothing).names == [Sample.draft])
    #expect(
      Set(try mirrored([Sample.draft], ExtractionClosure(depths: [.references: 1])).names)
        == [Sample.draft, Sample.folder])
  }

  @Test("The list of a store's relationship without an inverse is followed; a list of texts is not")
  func relationshipsWithoutInverse() throws {
    let container = try ContainerStore.inMemory()
    let zoneID = ZoneID(zoneName: "com.apple.coredata.cloudkit.zone")
    let database = container.database(.private)
    try database.save([RecordZone(zoneID: zoneID)])
    func object(_ entity: String, _ name: String, _ lists: [String: [String]] = [:]) -> DraftRecord
    {
      var draft = DraftRecord(
        recordType: "CD_\(entity)", recordID: RecordID(recordName: name, zoneID: zoneID))
      draft["CD_entityName"] = entity
      for (field, list) in lists { draft[field] = list }
      return draft
    }
    try database.save([
      object("Cocktail", "negroni", ["CD_spec": ["gin", "campari"], "CD_words": ["bitter"]]),
      object("Ingredient", "gin"), object("Ingredient", "campari"), object("Ingredient", "rum"),
      DraftRecord(recordType: "Word", recordID: RecordID(recordName: "bitter", zoneID: zoneID)),
    ])
    let source = ArchiveSource.container(container)
    let report = try Extraction(of: source).write(to: path) { ask in
      for found in try source.records(named: "negroni") { try ask(found.record, found.database) }
    }
    #expect(try names(try BundleReader(path: path)) == ["campari", "gin", "negroni"])
    #expect(report.missingRecords == 0)
  }
}
