import Foundation
import RecordStore
import RecordBundle
import RecordCoding
import RecordModel
import Testing

@testable import RecordArchive

/// The same filter gives the same part, whichever way data takes.
@Suite struct FilterTests {
  /// A way that data takes through a filter.
  enum Route: CaseIterable {
    case export, importBundle, responses, responsesAndBack, items
  }

  private static let zone = ZoneID(zoneName: "Chats")

  /// Records, and traces of deletions, of two types, of an unknown one, and of a zone.
  private static func makeContainer() throws -> ContainerStore {
    let container = try ContainerStore.inMemory(
      now: { Date(timeIntervalSinceReferenceDate: 700_000_000) })
    try container.importTransaction { writer in
      try writer.add(RecordZone(zoneID: zone), to: .private)
      for (type, name) in [("Chat", "a"), ("Message", "b")] {
        let draft = DraftRecord(
          recordType: type, recordID: RecordID(recordName: name, zoneID: zone))
        try writer.add(draft.resultRecord(), to: .private)
      }
      for (type, name) in [("Chat", "x"), ("Message", "y"), (nil, "z")] {
        let id = RecordID(recordName: name, zoneID: zone)
        try writer.add(DeletedRecord(recordID: id, recordType: type), to: .private)
      }
      try writer.add(DeletedZone(zoneID: ZoneID(zoneName: "Gone")), to: .private)
      for (id, type) in [("chats", "Chat"), ("messages", "Message"), ("all", nil)] {
        try writer.add(
          CloudSubscription(subscriptionID: id, kind: .database(recordType: type)), to: .private)
      }
    }
    return container
  }

  /// The names of everything that is in a source.
  private static func content(_ source: ArchiveSource) throws -> Set<String> {
    var names: Set<String> = []
    try source.forEachRecordID { id, _, _ in names.insert(id.recordName) }
    try source.forEachTombstone { tombstone, _ in names.insert("-" + tombstone.recordID.recordName)
    }
    for zoneID in try source.read({ try $0.zoneTombstones().map(\.tombstone.zoneID) }) {
      names.insert("-" + zoneID.zoneName)
    }
    for (_, subscription) in try source.subscriptions() {
      names.insert(subscription.subscriptionID)
    }
    return names
  }

  private static func through(
    _ route: Route, _ filter: RecordFilter, in folder: String
  ) throws -> Set<String> {
    let container = try makeContainer()
    var archiver = Archiver()
    let path = "\(folder)/a.recordpack"
    if route == .export { archiver.filter = filter }
    try archiver.export(container, to: path)
    let bundle = try BundleReader(path: path)
    archiver.filter = filter
    let copy = try ContainerStore.inMemory()
    switch route {
    case .export: return try content(.bundle(bundle))
    case .importBundle: try archiver.importBundle(bundle, into: copy)
    case .responses, .responsesAndBack:
      var exporter = archiver
      if route == .responsesAndBack { exporter.filter = .all }
      let text = DataBox()
      try exporter.exportResponse(.container(container)) { text.data += $0 }
      let data = text.data
      try archiver.importResponses(
        [.init(name: "x") { data }], database: .private, into: copy)
    case .items:
      var names: Set<String> = []
      try bundle.forEachItem(of: [.tombstone, .zoneTombstone, .subscription], filter) {
        switch $0 {
        case .tombstone(let tombstone, _): names.insert("-" + tombstone.recordID.recordName)
        case .zoneTombstone(let zone, _): names.insert("-" + zone.zoneID.zoneName)
        case .subscription(let subscription, _): names.insert(subscription.subscriptionID)
        default: break
        }
      }
      try bundle.forEachRecordID(filter) { id, _, _ in names.insert(id.recordName) }
      return names
    }
    return try content(.container(copy))
  }

  private final class DataBox { var data = Data() }

  /// Responses tell of neither subscriptions nor deleted zones when records are written.
  private static func expected(_ names: Set<String>, _ route: Route) -> Set<String> {
    let isResponse = route == .responses || route == .responsesAndBack
    return isResponse ? names.subtracting(["chats", "messages", "all", "-Gone"]) : names
  }

  @Test(
    "a filter by type leaves out deletions of other and of unknown types, and of zones",
    arguments: Route.allCases)
  func types(_ route: Route) throws {
    try withFolder { folder in
      let filter = RecordFilter(recordTypes: ["Chat"])
      let found = try Self.through(route, filter, in: folder)
      #expect(found == Self.expected(["a", "-x", "chats", "all"], route))
    }
  }

  @Test(
    "a filter by zone takes all that is of the zone, and nothing else",
    arguments: Route.allCases)
  func zones(_ route: Route) throws {
    try withFolder { folder in
      let inside = try Self.through(route, RecordFilter(zoneIDs: [Self.zone]), in: folder)
      let all: Set<String> = ["a", "b", "-x", "-y", "-z", "chats", "messages", "all"]
      #expect(inside == Self.expected(all, route))
      let outside = try Self.through(route, RecordFilter(zoneIDs: [.default]), in: folder)
      #expect(outside == Self.expected(["chats", "messages", "all"], route))
    }
  }

  @Test("deletions before a date are left out, and those at an unknown time are not")
  func dates() throws {
    let since = Date(timeIntervalSinceReferenceDate: 1000)
    let filter = RecordFilter(modifiedSince: since)
    var tombstone = DeletedRecord(recordID: RecordID(recordName: "a"))
    #expect(filter.contains(tombstone, database: .private))
    tombstone.deletionDate = since
    #expect(filter.contains(tombstone, database: .private))
    tombstone.deletionDate = since - 1
    #expect(!filter.contains(tombstone, database: .private))
  }

  @Test("The date before which records were modified is not included itself")
  func datesBefore() throws {
    let date = Date(timeIntervalSinceReferenceDate: 1000)
    let filter = RecordFilter(modifiedBefore: date)
    var tombstone = DeletedRecord(recordID: RecordID(recordName: "a"))
    #expect(filter.contains(tombstone, database: .private))
    tombstone.deletionDate = date
    #expect(!filter.contains(tombstone, database: .private))
    tombstone.deletionDate = date - 1
    #expect(filter.contains(tombstone, database: .private))
    let within = RecordFilter(modifiedSince: date - 1, modifiedBefore: date)
    #expect(within.contains(tombstone, database: .private))
    tombstone.deletionDate = date - 2
    #expect(!within.contains(tombstone, database: .private))
    // Deleted zones and subscriptions have no date.
    #expect(within.contains(deletedZone: Self.zone, database: .private))
  }

  @Test("identities alone are filtered by date, in bundles as in containers")
  func datesOfIdentities() throws {
    try withFolder { folder in
      let container = try SampleContainer.make(at: "\(folder)/a.sqlite", messages: 2)
      try Archiver().export(container, to: "\(folder)/a.recordpack")
      let bundle = try BundleReader(path: "\(folder)/a.recordpack")
      func count(_ filter: RecordFilter, in source: ArchiveSource) throws -> Int {
        var count = 0
        try source.forEachRecordID(filter) { _, _, _ in count += 1 }
        var records = 0
        try source.forEachRecord(filter) { _, _ in records += 1 }
        #expect(records == count)
        return count
      }
      let late = Date(timeIntervalSinceReferenceDate: 800_000_000)
      for source in [ArchiveSource.bundle(bundle), .container(container)] {
        #expect(try count(RecordFilter(modifiedSince: late), in: source) == 0)
        #expect(try count(RecordFilter(modifiedBefore: .distantPast), in: source) == 0)
        let all = try count(.all, in: source)
        #expect(try count(RecordFilter(modifiedBefore: late), in: source) == all && all > 0)
        var first: Date?
        try source.forEachRecord { record, _ in first = first ?? record.modificationDate }
        let date = try #require(first)
        let parts = [RecordFilter(modifiedSince: date), RecordFilter(modifiedBefore: date)]
        #expect(try parts.map { try count($0, in: source) }.reduce(0, +) == all)
      }
    }
  }

  @Test("two containers are compared within the part only, their deletions too")
  func comparison() throws {
    let (first, second) = (try Self.makeContainer(), try Self.makeContainer())
    try second.importTransaction { writer in
      for type in ["Chat", "Message"] {
        let id = RecordID(recordName: "new \(type)", zoneID: Self.zone)
        try writer.add(DeletedRecord(recordID: id, recordType: type), to: .private)
      }
    }
    var comparison = ArchiveComparison(.container(first), .container(second))
    comparison.filter = RecordFilter(recordTypes: ["Chat"])
    var names: [String] = []
    _ = try comparison.run {
      if case .item(.added, let item, _) = $0, item.kind == .tombstone { names.append(item.name) }
    }
    #expect(names == ["new Chat"])
  }
}
