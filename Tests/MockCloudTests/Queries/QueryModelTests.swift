import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// Random queries over random records, against a plain filter and sort.
struct QueryModelTests {
  static let seeds = SeededGenerator.seeds(16)

  private struct Run {
    let database: MockDatabase
    /// A second connection to the same records that cannot make indexes.
    let reader: MockDatabase?
    var random: RandomQueries
  }

  /// Every other sequence is in a file, and has a reader.
  private func run(_ seed: UInt64, _ folder: TestFolder) async throws -> Run {
    let clock = TestClock()
    var reader: MockDatabase?
    let container: MockContainer
    if seed % 2 == 0 {
      let path = folder.path("c")
      container = try MockContainer.open(
        path: path, mode: .create, now: { clock.now() })
      reader = try MockContainer.open(
        path: path, mode: .readOnly, now: { clock.now() }
      ).privateCloudDatabase
    } else {
      container = try MockContainer.inMemory(now: { clock.now() })
    }
    let database = container.privateCloudDatabase
    for zoneID in RandomQueries.zones where !zoneID.isDefault {
      try await database.save(RecordZone(zoneID: zoneID))
    }
    return Run(
      database: database, reader: reader, random: RandomQueries(random: SeededGenerator(seed)))
  }

  private func records(_ database: MockDatabase) throws -> [ResultRecord] {
    try database.container.store.snapshot { snapshot in
      var records: [ResultRecord] = []
      try snapshot.forEachRecord(in: .private) { records.append($0) }
      return records
    }
  }

  /// Saves and deletes some records, or imports some.
  ///
  /// - Returns: the records that were changed.
  private func change(_ run: inout Run) async throws -> Set<RecordID> {
    let drafts = (0..<run.random.random.below(6)).map { _ in run.random.draft() }
    var saving: [RecordID: DraftRecord] = [:]
    for draft in drafts { saving[draft.recordID] = draft }
    if run.random.random.chance(8) {
      let records = try drafts.map { try $0.resultRecord() }
      try run.database.container.store.importTransaction(onConflict: { _ in .replace }) { writer in
        for record in records { try writer.add(record, to: .private) }
      }
      return Set(saving.keys)
    }
    let deleting = (0..<run.random.random.below(3)).map { _ in run.random.recordID() }
      .filter { saving[$0] == nil }
    _ = try await run.database.modifyRecords(
      saving: Array(saving.values), deleting: deleting, savePolicy: .allKeys, atomically: false)
    return Set(saving.keys).union(deleting)
  }

  private func pages(
    _ query: RecordQuery, in zoneID: ZoneID?, of database: MockDatabase, limit: Int,
    between: () async throws -> Void = {}
  ) async throws -> [ResultRecord] {
    var (results, cursor) = try await database.records(
      matching: query, inZoneWith: zoneID, desiredKeys: nil, resultsLimit: limit)
    var found = try results.map { try $0.1.get() }
    while let next = cursor {
      #expect(results.count == limit, "only the last page is short")
      try await between()
      (results, cursor) = try await database.records(
        continuingMatchFrom: next, desiredKeys: nil, resultsLimit: limit)
      found += try results.map { try $0.1.get() }
    }
    return found
  }

  @Test(
    "a query finds what a plain filter finds, in the order of a plain sort", arguments: seeds)
  func model(seed: UInt64) async throws {
    let folder = try TestFolder()
    defer { withExtendedLifetime(folder) {} }
    var run = try await run(seed, folder)
    for _ in 0..<10 { _ = try await change(&run) }
    for round in 0..<4 {
      if run.random.random.chance(2) { _ = try await change(&run) }
      if run.random.random.chance(15) {
        let zoneID = ZoneID(zoneName: "Archive")
        try await run.database.deleteRecordZone(withID: zoneID)
        try await run.database.save(RecordZone(zoneID: zoneID))
      }
      let zoneID = run.random.random.chance(2) ? run.random.random.pick(RandomQueries.zones) : nil
      let asked = run.random.query(in: zoneID)
      let place =
        "seed \(seed), round \(round): \(asked.query) in \(zoneID.map { "\($0)" } ?? "all")"
      if asked.hasPredicate {
        let parsed = try RecordQuery(
          recordType: asked.query.recordType, predicate: asked.format, arguments: asked.arguments,
          sort: asked.query.sort)
        #expect(parsed == asked.query, "\(place)")
      }
      let limit = run.random.random.pick([1, 2, 3, 5, 8, 100])
      try await compare(asked.query, in: zoneID, &run, limit, place)
    }
    let store = run.database.container.store
    _ = try store.verify { Issue.record("seed \(seed): \($0)") }
  }

  private func compare(
    _ query: RecordQuery, in zoneID: ZoneID?, _ run: inout Run, _ limit: Int, _ place: String
  ) async throws {
    let stored = try records(run.database).filter { zoneID == nil || $0.recordID.zoneID == zoneID }
    let expected = QueryOracle(query: query).results(among: stored)
    let first = await cloudError {
      try await run.database.records(matching: query, inZoneWith: zoneID)
    }
    if let first {
      // The mock rejects a filter of another type than the field, and one on an encrypted field. Records
      // match such a filter only if it is a negation.
      #expect(first.code == .invalidArguments, "\(first), \(place)")
      let negates = query.filters.contains { $0.comparator.rawValue.hasPrefix("NOT") }
      #expect(expected.isEmpty || negates, "\(first), \(place)")
      if let reader = run.reader {
        let same = await cloudError {
          try await reader.records(matching: query, inZoneWith: zoneID)
        }
        #expect(same?.code == first.code, "\(place)")
      }
      return
    }
    if let reader = run.reader {
      let found = try await pages(query, in: zoneID, of: reader, limit: limit)
      #expect(found.map(\.recordID) == expected.map(\.recordID), "without an index, \(place)")
    }
    let found = try await pages(query, in: zoneID, of: run.database, limit: limit)
    #expect(found.map(\.recordID) == expected.map(\.recordID), "\(place)")
    #expect(found == expected, "\(place)")
    guard run.random.random.chance(2) else { return }
    // Others write while the pages are read.
    var changed: Set<RecordID> = []
    var copy = run
    let paged = try await pages(query, in: zoneID, of: run.database, limit: limit) {
      changed.formUnion(try await change(&copy))
    }
    run = copy
    let untouched = paged.map(\.recordID).filter { !changed.contains($0) }
    let wanted = expected.map(\.recordID).filter { !changed.contains($0) }
    #expect(untouched == wanted, "while others write, \(place)")
  }
}
