import Foundation
import RecordModel
import Testing

@testable import RecordStore

@Suite("Records of a database")
struct StoredRecordTests {
  @Test("get change tags, stamps and their creation date from the first save")
  func stamps() throws {
    let clock = TestClock(testDate)
    let container = try ContainerStore.inMemory(
      info: ContainerInfo(currentUserRecordName: "_ada"), now: { clock.now })
    let database = container.database(.private)
    try database.save([RecordZone(zoneID: notes)])
    let first = try #require(try database.save([note("one")]).first)
    #expect(first.creationDate == testDate)
    #expect(first.modificationDate == testDate)
    #expect(first.creatorUserRecordID?.recordName == "_ada")

    clock.advance(by: 60)
    let second = try #require(
      try database.save([note("one", "new")], savingAs: "_bob", deviceID: "phone").first)
    #expect(second.creationDate == testDate)
    #expect(second.creatorUserRecordID?.recordName == "_ada")
    #expect(second.modificationDate == testDate.addingTimeInterval(60))
    #expect(second.lastModifiedUserRecordID?.recordName == "_bob")
    #expect(second.systemFields.modified?.deviceID == "phone")
    #expect(first.recordChangeTag != second.recordChangeTag)
    #expect(try database.record(for: second.recordID) == second)
  }

  @Test("take the next number of the database as change tag, in base 36")
  func changeTags() throws {
    let database = try ContainerStore.test().database(.private)
    let tags = try (0..<40).map { index in
      try database.save([note("n\(index)")])[0].recordChangeTag ?? ""
    }
    let numbers = tags.compactMap { Int64($0, radix: 36) }
    #expect(numbers == Array(numbers[0]..<numbers[0] + 40))
    #expect(tags.contains { $0.contains { $0.isLetter } })
  }

  @Test("are replaced whole by a save, and come back equal to what the save returned")
  func replacing() throws {
    let database = try ContainerStore.test().database(.private)
    var draft = note("one")
    draft["count"] = 7
    draft.encryptedValues["secret"] = "s"
    draft.parent = Reference(recordID: note("root").recordID)
    let saved = try database.save([draft])
    #expect(try database.record(for: draft.recordID) == saved[0])
    #expect(saved[0].encryptedValues["secret"] == "s")
    try database.save([note("one", "other")])
    let now = try database.record(for: draft.recordID)
    #expect(now.allKeys() == ["text"])
    #expect(now["text"] == "other")
  }

  @Test("are saved all or none")
  func atomicity() throws {
    let container = try ContainerStore.test()
    let database = container.database(.private)
    let before = try contents(of: container)
    let lost = note("two", in: ZoneID(zoneName: "Nowhere"))
    let error = #expect(throws: CloudError.self) { try database.save([note("one"), lost]) }
    #expect(error?.code == .zoneNotFound)
    #expect(try contents(of: container) == before)
  }

  @Test("are held to the limits of CloudKit")
  func limits() throws {
    let database = try ContainerStore.test().database(.private)
    let error = #expect(throws: CloudError.self) {
      try database.save([note(String(repeating: "x", count: 256))])
    }
    #expect(error?.violation?.limit == .recordNameLength)
    #expect(error?.code == .invalidArguments)
  }

  @Test("are nil where there is none, or no such zone")
  func fetching() throws {
    let container = try ContainerStore.test()
    let saved = try container.database(.private).save([note("one")])
    let lost = note("one", in: ZoneID(zoneName: "Nowhere")).recordID
    let found = try container.snapshot { snapshot in
      try [saved[0].recordID, note("two").recordID, lost].map {
        try snapshot.record(for: $0, in: .private)
      }
    }
    #expect(found == [saved[0], nil, nil])
  }

  @Test("of the three databases are apart")
  func scopes() throws {
    let container = try ContainerStore.test()
    try container.database(.private).save([note("one", in: .default, "private")])
    try container.database(.public).save([note("one", in: .default, "public")])
    let id = note("one", in: .default).recordID
    #expect(try container.database(.private).record(for: id)["text"] == "private")
    #expect(try container.database(.public).record(for: id)["text"] == "public")
    #expect(try container.snapshot { try $0.record(for: id, in: .shared) } == nil)
  }

  @Test("of a deleted zone are gone, and only the zone's tombstone is left")
  func zoneDeletion() throws {
    let database = try ContainerStore.test().database(.private)
    try database.save([note("one"), note("two"), note("other", in: .default)])
    try database.deleteRecords([note("two").recordID])
    try database.deleteZone(notes)
    #expect(try recordNames(database) == ["other"])
    #expect(try database.tombstones().isEmpty)
    #expect(try database.zoneTombstones().map(\.zoneID) == [notes])
    #expect(try database.recordTypes().map(\.zoneID) == [.default])
    let error = #expect(throws: CloudError.self) { try database.deleteZone(notes) }
    #expect(error?.code == .zoneNotFound)
    try database.save([RecordZone(zoneID: notes)])
    #expect(try database.zoneTombstones().isEmpty)
    #expect(try recordNames(database) == ["other"])
  }

  @Test("are counted and measured by zone and type")
  func recordTypes() throws {
    let container = try ContainerStore.test()
    let database = container.database(.private)
    try database.save([note("a"), note("b"), note("c", type: "Chat"), note("d", in: .default)])
    try database.deleteRecords([note("b").recordID])
    var bytes: [String: Int64] = [:]
    try container.snapshot {
      try $0.forEachRecordBytes(in: .private) {
        bytes["\($1.zoneID) \($1.recordType)", default: 0] += Int64($0.count)
      }
    }
    let types = try database.recordTypes()
    #expect(
      types.map { "\($0.zoneID) \($0.recordType)" }
        == ["Notes Chat", "Notes Note", "_defaultZone Note"])
    #expect(types.map(\.recordCount) == [1, 1, 1])
    #expect(types.allSatisfy { bytes["\($0.zoneID) \($0.recordType)"] == $0.byteCount })
  }
}

/// A clock that a test advances.
final class TestClock: @unchecked Sendable {
  private let lock = NSLock()
  private var date: Date

  init(_ date: Date) { self.date = date }

  var now: Date { lock.withLock { date } }
  func advance(by seconds: Double) { lock.withLock { date += seconds } }
}
