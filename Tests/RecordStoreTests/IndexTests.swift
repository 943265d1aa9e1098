import Foundation
import RecordModel
import Synchronization
import Testing

@testable import RecordStore

/// The indexes of a container for queries and references.
struct IndexTests {
  private func container(_ count: Int = 30, path: String? = nil) throws -> ContainerStore {
    let container = try path.map { try ContainerStore.create($0) } ?? .inMemory()
    try container.database(.private).save([RecordZone(zoneID: notes)])
    try container.database(.private).save((0..<count).map { draft($0) })
    return container
  }

  private func draft(_ number: Int, _ value: Int? = nil) -> DraftRecord {
    var draft = note("n\(1_000 + number)", "word\(number % 3)")
    draft["number"] = value ?? number
    draft["tags"] = ["all", "t\(number % 5)"]
    return draft
  }

  private func request(
    _ filters: [QueryFilter] = [], sort: [QuerySort] = [], after: QueryPosition? = nil,
    limit: Int = 5
  ) -> QueryPageRequest {
    let query = RecordQuery(recordType: "Note", filters: filters, sort: sort)
    return QueryPageRequest(QueryMatch(query), in: .private, after: after, limit: limit)
  }

  private func kinds(_ container: ContainerStore) throws -> [RecordIndex.Kind] {
    try container.snapshot { try StoredIndex.all(in: $0.db).map(\.index.kind) }
  }

  private static let number = QueryField("number")

  /// Makes an index of each kind.
  private func makeIndexes(_ container: ContainerStore) throws {
    for filters in [
      [], [Self.number == 3], [QueryField("tags").contains("t1")],
      [QueryFilter.allText(contains: "word1")],
    ] { _ = try container.page(self.request(filters)) }
    try container.transaction { transaction in
      for kind in [RecordIndex.Kind.parent, .owner, .share, .reference] {
        _ = try transaction.records(referringTo: note("n1000").recordID, as: kind, in: .private)
      }
      _ = try transaction.shares(
        acceptedBy: "_kenji", in: note("n1000").recordID.zoneID, of: .private)
    }
  }

  @Test("a query that makes no index says which it needs, and finds it when it is made")
  func notMade() throws {
    let container = try container()
    let query = request(sort: [QuerySort("number")])
    let missing = try #require(throws: MissingIndex.self) {
      try container.page(query, makesIndexes: false)
    }
    #expect(missing.description == "the index of 'number' in 'Note'")
    #expect(try !container.has(missing) && kinds(container) == [])
    // So many records take more than a moment.
    #expect(try !container.makeAtOnce(missing, maxRecords: 29))
    #expect(try container.makeAtOnce(missing, maxRecords: 30))
    #expect(try container.has(missing))
    #expect(try container.page(query, makesIndexes: false).records.count == 5)
    let changes = try #require(throws: MissingIndex.self) {
      try container.changes(makesIndexes: false) { _ in }
    }
    try container.make(changes)
    try container.changes(makesIndexes: false) { _ in }
  }

  @Test("others write while an index is made, which has what they write", arguments: [false, true])
  func steps(isFile: Bool) async throws {
    let folder = try TestFolder()
    let container = try container(1_200, path: isFile ? folder.path("a") : nil)
    let query = request(sort: [QuerySort("number", ascending: false)], limit: 3)
    let missing = try #require(throws: MissingIndex.self) {
      try container.page(query, makesIndexes: false)
    }
    let state = Mutex((isHeld: false, isMade: false, kinds: [RecordIndex.Kind]?.none))
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? container.transaction { _ in
        state.withLock { $0.isHeld = true }
        end.wait()
      }
    }
    try await waitUntil { state.withLock(\.isHeld) }
    Thread.detachNewThread {
      try? container.make(missing)
      state.withLock { $0.isMade = true }
    }
    try await waitUntil { container.connections.waitingWriters == 1 }
    let changed = [draft(0, 5_000), draft(1_199, 0), draft(1_200, 4_000)]
    Thread.detachNewThread {
      try? container.transaction { transaction in
        let kinds = try StoredIndex.all(in: transaction.db).map(\.index.kind)
        _ = try transaction.save(changed, in: .private)
        state.withLock { $0.kinds = kinds }
      }
    }
    try await waitUntil { container.connections.waitingWriters == 2 }
    end.signal()
    try await waitUntil { state.withLock { $0.isMade && $0.kinds != nil } }
    #expect(state.withLock(\.kinds) == [])
    let found = try container.page(query, makesIndexes: false)
    #expect(found.records.map(\.recordID.recordName) == ["n1000", "n2200", "n2198"])
    #expect(try container.verify { Issue.record("\($0)") }.isIntact)
  }

  @Test(
    "an index has the records that others save and delete at random while it is made",
    .timeLimit(.minutes(20)), arguments: SeededGenerator.seeds(2), [false, true])
  func randomSteps(seed: UInt64, isFile: Bool) async throws {
    let folder = try TestFolder()
    let container = try container(2_000, path: isFile ? folder.path("a") : nil)
    let queries = [
      request(sort: [QuerySort("number")], limit: 5_000),
      request([QueryField("tags").contains("t1")], limit: 5_000),
      request([QueryFilter.allText(contains: "word1")], limit: 5_000),
    ]
    let state = Mutex((isDone: false, running: 0, saved: 0))
    for writer in 0..<3 {
      state.withLock { $0.running += 1 }
      Thread.detachNewThread {
        var random = SeededGenerator(seed * 3 + UInt64(writer))
        while !state.withLock(\.isDone) {
          let number = Int.random(in: 0..<2_500, using: &random)
          let value = Int.random(in: 0..<100, using: &random)
          let deletes = Bool.random(using: &random)
          try? container.transaction { transaction in
            if deletes {
              _ = try transaction.delete(self.draft(number).recordID, in: .private)
            } else {
              _ = try transaction.save([self.draft(number, value)], in: .private)
            }
          }
          state.withLock { $0.saved += 1 }
        }
        state.withLock { $0.running -= 1 }
      }
    }
    // Beside thousands of other tests, threads begin late.
    try await waitUntil { state.withLock(\.saved) > 0 }
    for query in queries {
      let missing = try #require(throws: MissingIndex.self) {
        try container.page(query, makesIndexes: false)
      }
      let before = state.withLock(\.saved)
      try container.make(missing)
      #expect(state.withLock(\.saved) > before, "nothing was saved while the index was made")
    }
    state.withLock { $0.isDone = true }
    try await waitUntil { state.withLock { $0.running == 0 } }
    #expect(try container.verify { Issue.record("\($0)") }.isIntact)
    let fresh = try ContainerStore.inMemory()
    try fresh.database(.private).save([RecordZone(zoneID: notes)])
    try fresh.database(.private).save(
      container.snapshot { snapshot in
        try (0..<2_500).compactMap { try snapshot.record(for: draft($0).recordID, in: .private) }
      }.map { record in
        var draft = DraftRecord(recordType: record.recordType, recordID: record.recordID)
        for field in record.fields { draft.setField(field) }
        return draft
      })
    for query in queries {
      let found = try container.page(query, makesIndexes: false).records
      #expect(try found.map(\.recordID) == fresh.page(query).records.map(\.recordID))
      #expect(!found.isEmpty)
    }
  }

  @Test("an index that is stopped is made when the container is opened again")
  func stopped() throws {
    let folder = try TestFolder()
    let path = folder.path("a")
    let container = try container(path: path)
    container.stopMakingIndexes()
    for sort in ["number", "text"] {
      let request = request(sort: [QuerySort(sort)])
      #expect(throws: ContainerStoreError.self) { _ = try container.page(request) }
    }
    #expect(throws: ContainerStoreError.self) { try container.changes { _ in } }
    #expect(try kinds(container) == [])
    _ = try container.database(.private).save([draft(30)])
    try container.close()
    let again = try ContainerStore.open(path: path)
    #expect(try again.page(request([Self.number == 30])).records.count == 1)
    #expect(try again.verify { Issue.record("\($0)") }.isIntact)
  }

  @Test("an index that is stopped does not wait for another's lock")
  func stoppedWhileLocked() throws {
    let folder = try TestFolder()
    let path = folder.path("a")
    let container = try container(path: path)
    let other = try SQLiteConnection(path)
    try other.execute("BEGIN IMMEDIATE")
    container.stopMakingIndexes()
    let start = ContinuousClock.now
    #expect(throws: ContainerStoreError.self) {
      _ = try container.page(request(sort: [QuerySort("number")]))
    }
    // Others wait for 10 seconds.
    #expect(start.duration(to: .now) < .seconds(8))
    try other.execute("ROLLBACK")
    _ = try container.database(.private).save([draft(30)])
  }

  @Test("a statement that another thread stops ends, and the connection can be used")
  func stoppedStatement() throws {
    let db = try SQLiteConnection(":memory:")
    let endless = """
      WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number)
      SELECT count(*) FROM number
      """
    nonisolated(unsafe) let other = db
    Thread.detachNewThread { other.stop() }
    #expect(throws: SQLiteError.self) { try db.stoppable { _ = try db.integer(endless) } }
    #expect(try db.integer("SELECT 1") == 1)
  }

  @Test("a query makes the index that it needs, and another one like it finds it")
  func made() throws {
    let container = try container()
    #expect(try kinds(container) == [])
    try makeIndexes(container)
    #expect(try Set(kinds(container)) == Set(RecordIndex.Kind.allCases))
    let count = try kinds(container).count
    try makeIndexes(container)
    #expect(try kinds(container).count == count)
    _ = try container.verify { Issue.record("\($0)") }
  }

  @Test("a page reads the records that it returns, and no others")
  func readsFew() throws {
    let container = try container(200)
    let queries: [([QueryFilter], [QuerySort])] = [
      ([], []), ([Self.number >= 20], [QuerySort("number")]),
      ([Self.number < 180], [QuerySort("number", ascending: false)]),
      ([QueryField("tags").contains("all")], []),
    ]
    for (filters, sort) in queries {
      _ = try container.page(self.request(filters, sort: sort))
    }
    // Reading one of these records gives an error.
    try container.transaction {
      try $0.db.execute(
        "UPDATE record SET modified = 1 WHERE name BETWEEN 'n1050' AND 'n1150'")
    }
    for (filters, sort) in queries {
      let page = try container.page(self.request(filters, sort: sort))
      #expect(page.records.count == 5)
      let next = try container.page(self.request(filters, sort: sort, after: page.last))
      #expect(next.records.count == 5)
    }
    let all = try container.page(self.request([], sort: [], limit: 100))
    #expect(all.results.count == 100)
    #expect(!all.damaged.isEmpty)
  }

  @Test("saves, deletions and deletions of zones keep indexes up to date; an import drops them")
  func keptUpToDate() throws {
    let container = try container()
    try makeIndexes(container)
    let database = container.database(.private)
    var random = SeededGenerator(11)
    for _ in 0..<40 {
      let number = random.below(40)
      if random.chance(3) {
        try database.deleteRecords([draft(number).recordID])
      } else {
        try database.save([draft(number, random.below(9))])
      }
    }
    _ = try container.verify { Issue.record("\($0)") }
    let count = try kinds(container).count
    #expect(count == RecordIndex.Kind.allCases.count)
    try database.deleteZone(notes)
    _ = try container.verify { Issue.record("\($0)") }
    let entries = try container.snapshot { try $0.db.integer("SELECT count(*) FROM indexEntry") }
    #expect(entries == 0)
    try container.importTransaction { _ in }
    #expect(try kinds(container) == [])
    _ = try container.verify { Issue.record("\($0)") }
  }

  @Test("a container that is read only gets no index, and answers the same")
  func readOnly() throws {
    let folder = try TestFolder()
    let path = folder.path("c.sqlite")
    try container(path: path).close()
    let reader = try ContainerStore.open(path: path, mode: .readOnly)
    let filters = [Self.number >= 10]
    let found = try reader.page(self.request(filters, sort: [QuerySort("number")]))
    #expect(found.records.map(\.recordID.recordName) == (1_010..<1_015).map { "n\($0)" })
    #expect(try kinds(reader) == [])
    try reader.close()
  }

  @Test(
    "an index that leads to another record, or is not readable, is made again by the query",
    arguments: [[], [number == 7], [QueryFilter("number", .in, .int64List([7, 9]))]])
  func wrongEntries(filters: [QueryFilter]) throws {
    for sql in [
      "UPDATE indexEntry SET record = record + 1 WHERE name = 'n1007'",
      "UPDATE recordIndex SET field = 'other'",
    ] {
      let container = try container()
      func names() throws -> [String] {
        try container.page(request(filters, limit: 100)).records.map(\.recordID.recordName)
      }
      let found = try names()
      try container.transaction { try $0.db.execute(sql) }
      #expect(try !container.verify { _ in }.isIntact)
      #expect(try names() == found && !found.isEmpty)
      #expect(try container.verify { Issue.record("\($0)") }.isIntact)
    }
  }

  @Test("a record whose checksum does not match has no values in a new index")
  func unreadable() throws {
    let container = try container()
    try container.transaction {
      try $0.db.execute("UPDATE record SET modified = 1 WHERE name = 'n1007'")
    }
    let page = try container.page(request([Self.number == 3]))
    #expect(page.damaged.map(\.recordName) == ["n1007"])
  }

  @Test("a record that can no longer be read is deleted along with its entries")
  func damagedRecord() throws {
    let container = try container()
    try makeIndexes(container)
    try container.transaction {
      try $0.db.execute("UPDATE record SET json = x'7b' WHERE name = 'n1003'")
    }
    _ = try container.database(.private).deleteRecords([draft(3).recordID])
    var places: [String] = []
    _ = try container.verify { places.append($0.place) }
    #expect(!places.contains { $0.contains("index") }, "\(places)")
  }

  @Test(
    "a check finds an index that differs from the records, and says what to do",
    arguments: [
      "DELETE FROM indexEntry WHERE name = 'n1007'",
      "UPDATE indexEntry SET key = key || x'00' WHERE name = 'n1007'",
      "UPDATE indexEntry SET record = record + 1 WHERE name = 'n1007'",
      "UPDATE indexEntry SET zone = 99 WHERE name = 'n1007'",
      "INSERT INTO indexEntry SELECT recordIndex, zone, key, 'new', record FROM indexEntry LIMIT 1",
      "INSERT INTO indexEntry SELECT 99, zone, key, name, record FROM indexEntry LIMIT 1",
      "UPDATE recordIndex SET field = 'other' WHERE kind = 2",
      "UPDATE recordIndex SET kind = 77 WHERE kind = 2", "DELETE FROM recordIndex WHERE kind = 2",
    ])
  func damagedIndex(sql: String) throws {
    let container = try container()
    try makeIndexes(container)
    try container.transaction { try $0.db.execute(sql) }
    var faults: [String] = []
    _ = try container.verify { faults.append("\($0)") }
    #expect(faults.count > 0)
    #expect(faults.allSatisfy { $0.contains("DELETE FROM recordIndex; DELETE FROM indexEntry") })
    // That is the remedy.
    let repair: (ContainerStore) throws -> Void = { container in
      try container.connections.write {
        try $0.execute("DELETE FROM recordIndex; DELETE FROM indexEntry")
      }
    }
    try repair(container)
    _ = try container.verify { Issue.record("\($0)") }
    try makeIndexes(container)
    _ = try container.verify { Issue.record("\($0)") }
  }
}
