import Foundation
import RecordModel
import Testing

@testable import RecordStore

@Suite("Streaming in canonical order")
struct StreamingOrderTests {
  @Test("goes by zone, type and name, each by its UTF-8 bytes, whatever the order of the saves")
  func order() throws {
    var generator = SeededGenerator(7)
    for round in 0..<20 {
      let container = try ContainerStore.test()
      let database = container.database(.private)
      let zones = ["Notes", "Z", "a", "~z"].prefix(round % 4 + 1).map { ZoneID(zoneName: $0) }
      try database.save(zones.map { RecordZone(zoneID: $0) })
      var expected: [RecordID: String] = [:]
      for _ in 0..<80 {
        try step(database, zones, &expected, &generator)
      }
      var found: [String] = []
      try database.forEachRecord { found.append("\($0.recordID) \($0.recordType)") }
      #expect(found == sorted(expected), "round \(round)")
    }
  }

  /// Performs one save or deletion, of one record or of several.
  private func step(
    _ database: TestDatabase, _ zones: [ZoneID], _ expected: inout [RecordID: String],
    _ generator: inout SeededGenerator
  ) throws {
    let names = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
      ["n", "N", "~", "a b"].randomElement(using: &generator)!
        + String(UInt8.random(in: 0...40, using: &generator))
    }
    let zone = zones.randomElement(using: &generator)!
    let type = ["Note", "Chat", "note"].randomElement(using: &generator)!
    let drafts = names.map { note($0, in: zone, type: type) }
    if Int.random(in: 0..<4, using: &generator) == 0 {
      try database.deleteRecords(drafts.map(\.recordID))
      for draft in drafts { expected[draft.recordID] = nil }
    } else {
      try database.save(drafts)
      for draft in drafts { expected[draft.recordID] = type }
    }
  }

  private func sorted(_ records: [RecordID: String]) -> [String] {
    records.sorted { a, b in
      if a.key.zoneID != b.key.zoneID { return a.key.zoneID < b.key.zoneID }
      let order = compareUTF8(a.value, b.value)
      return order != 0 ? order < 0 : a.key < b.key
    }.map { "\($0.key) \($0.value)" }
  }

  @Test("needs no index after a load in order, and makes one when the order is broken")
  func orderIndex() throws {
    let container = try ContainerStore.test()
    let database = container.database(.private)
    try database.save((10..<90).map { note("n\($0)") })
    #expect(try !hasOrderIndex(container))
    try database.save([note("n90"), note("n15", "changed")])
    #expect(try !hasOrderIndex(container))
    try database.save([note("n05")])
    #expect(try hasOrderIndex(container))
    #expect(try recordNames(database) == ["n05"] + (10...90).map { "n\($0)" })
  }

  @Test("of records that interleave with many others makes the index too")
  func interleaved() throws {
    let container = try ContainerStore.test()
    let database = container.database(.private)
    for index in 100..<160 {
      try database.save((0..<20).map { note("n\(index)", type: "T\($0)").named("\($0)-\(index)") })
    }
    #expect(try hasOrderIndex(container))
    let names = try recordNames(database, RecordFilter(recordTypes: ["T7"]))
    #expect(names == (100..<160).map { "7-\($0)" })
  }

  @Test("gives the records of the zones, types and times that are asked for")
  func filters() throws {
    let clock = TestClock(testDate)
    let container = try ContainerStore.inMemory(now: { clock.now })
    let database = container.database(.private)
    try database.save([RecordZone(zoneID: notes)])
    try database.save([note("old"), note("older", type: "Chat"), note("d", in: .default)])
    clock.advance(by: 10)
    try database.save([note("new"), note("newer", type: "Chat")])
    #expect(try recordNames(database, RecordFilter(zoneIDs: [notes])).count == 4)
    #expect(try recordNames(database, RecordFilter(zoneIDs: [.default])) == ["d"])
    #expect(try recordNames(database, RecordFilter(recordTypes: ["Chat"])) == ["newer", "older"])
    let since = RecordFilter(modifiedSince: testDate.addingTimeInterval(10))
    #expect(try recordNames(database, since) == ["newer", "new"])
    #expect(
      try recordNames(
        database, RecordFilter(zoneIDs: [notes], recordTypes: ["Note"], modifiedSince: testDate))
        == ["new", "old"])
    #expect(try recordNames(database, RecordFilter(zoneIDs: [])).isEmpty)
  }

  @Test("gives the records of the one type that is asked for, whatever its Unicode normalization")
  func exactTypes() throws {
    let container = try ContainerStore.test()
    try container.importTransaction { writer in
      for (name, type) in [("a", "E\u{301}"), ("b", "\u{C9}")] {
        let recordID = note(name).recordID
        try writer.add(
          ResultRecord(
            systemFields: SystemFields(recordID: recordID, recordType: type), fields: []),
          to: .private)
      }
    }
    let database = container.database(.private)
    #expect(try recordNames(database, RecordFilter(recordTypes: ["\u{C9}"])) == ["b"])
    let both = RecordFilter(recordTypes: ["\u{C9}", "E\u{301}"])
    #expect(try recordNames(database, both) == ["a", "b"])
  }

  @Test("gives a record of unknown date whatever time is asked for")
  func unknownDate() throws {
    let container = try ContainerStore.test()
    let undated = ResultRecord(
      systemFields: SystemFields(recordID: note("x").recordID, recordType: "Note"), fields: [])
    try container.importTransaction { try $0.add(undated, to: .private) }
    let filter = RecordFilter(modifiedSince: .distantFuture)
    #expect(try recordNames(container.database(.private), filter) == ["x"])
  }

  @Test("sees one state, whatever is saved meanwhile")
  func isolation() throws {
    let directory = try TestFolder()
    let container = try ContainerStore.create(directory.path("a"))
    let database = container.database(.private)
    try database.save((10..<60).map { note("n\($0)", in: .default) })
    try container.snapshot { snapshot in
      var names: [String] = []
      try snapshot.forEachRecord(in: .private) { record in
        names.append(record.recordID.recordName)
        if names.count % 10 == 0 {
          try database.save([note("z\(names.count)", in: .default)])
          try database.deleteRecords([note("n59", in: .default).recordID])
        }
      }
      #expect(names == (10..<60).map { "n\($0)" })
      #expect(try snapshot.record(for: note("n59", in: .default).recordID, in: .private) != nil)
    }
    #expect(try recordNames(database).count == 54)
  }

  @Test("goes on in several threads while another saves")
  func concurrency() async throws {
    let directory = try TestFolder()
    let container = try ContainerStore.create(directory.path("a"))
    let database = container.database(.private)
    try database.save((0..<100).map { note("n\($0)", in: .default) })
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for round in 0..<30 {
          try database.save((0..<10).map { note("w\(round)-\($0)", in: .default) })
        }
      }
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<20 {
            let count = try recordNames(database).count
            #expect(count >= 100 && count % 10 == 0, "a save was seen in part")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try recordNames(database).count == 400)
  }

  @Test("ends where the reader throws")
  func stopping() throws {
    struct Enough: Error {}
    let database = try ContainerStore.test().database(.private)
    try database.save((0..<10).map { note("n\($0)") })
    var count = 0
    #expect(throws: Enough.self) {
      try database.forEachRecord { _ in
        count += 1
        if count == 3 { throw Enough() }
      }
    }
    #expect(count == 3)
    #expect(try recordNames(database).count == 10)
  }

  private func hasOrderIndex(_ container: ContainerStore) throws -> Bool {
    try container.snapshot { try $0.hasIndex("recordOrder") }
  }
}

extension DraftRecord {
  fileprivate func named(_ name: String) -> DraftRecord {
    note(name, in: recordID.zoneID, type: recordType)
  }
}
