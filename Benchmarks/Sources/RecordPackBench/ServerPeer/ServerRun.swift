import Foundation
import RecordPack

/// One container, and the same rows in plain GRDB.
final class ServerRun {
  private let database: MockDatabase
  private let peer: GRDBPeer
  private let zone: ZoneID
  private var messages: [RecordID] = []
  private let calls: Int
  /// A part of the names of the calls to measure; empty for all.
  private let only: String
  private let paths: [String]
  private var random = SplitMix64(seed: 7, stream: 1, index: 0)

  struct Result {
    var name: String
    /// Seconds a call.
    var ours: Double
    var peer: Double

    func micros(_ seconds: Double) -> String { String(format: "%.1f", seconds * 1e6) }
  }

  /// - Parameter folder: where the files are made; nil for containers in memory.
  init(_ data: ChatData, calls: Int, only: String, folder: String?) throws {
    self.calls = calls
    self.only = only
    let paths = ["ours.sqlite", "peer.sqlite"].compactMap { name in
      folder.map { $0 + "/\(UUID().uuidString)-\(name)" }
    }
    self.paths = paths
    let zones = data.plan.zones.filter { $0.database == .private }
    zone = zones[0].zoneID
    let fill: (ImportTransaction) throws -> Void = { writer in
      for zone in data.plan.zones {
        try writer.add(RecordZone(zoneID: zone.zoneID), to: zone.database)
      }
      try data.forEachRecord { try writer.add($0, to: $1) }
    }
    let container: MockContainer
    if let path = paths.first {
      try ContainerStore.build(path: path, fill)
      container = try MockContainer.open(path: path)
    } else {
      container = try MockContainer.inMemory()
      try container.store.importTransaction(fill)
    }
    database = container.privateCloudDatabase
    var messages: [RecordID] = []
    let encoder = JSONEncoder()
    let zoneNumbers = Dictionary(
      uniqueKeysWithValues: data.plan.zones.enumerated().map { ($1.zoneID, Int64($0)) })
    peer = try GRDBPeer(path: paths.last) { add in
      try data.forEachRecord { record, _ in
        let zoneID = record.recordID.zoneID
        if zoneID == zones[0].zoneID, record.recordType == "Message" {
          messages.append(record.recordID)
        }
        try add(Self.row(record, zoneNumbers[zoneID] ?? 0, encoder))
      }
    }
    self.messages = messages
    zoneNumber = zoneNumbers[zone] ?? 0
  }

  private let zoneNumber: Int64

  deinit {
    for path in paths {
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
    }
  }

  private static func row(
    _ record: ResultRecord, _ zone: Int64, _ encoder: JSONEncoder
  ) throws -> GRDBPeer.Row {
    let related: [Reference] = record["relatedRecords"] ?? []
    return GRDBPeer.Row(
      zone: zone, name: record.recordID.recordName, number: record["sequence"],
      references: related.map(\.recordID.recordName), json: try encoder.encode(record))
  }

  // MARK: Measuring

  func results() async throws -> [Result] {
    var results: [Result] = []
    if wants("save one record") { results.append(try await saves(count: calls, batch: 1)) }
    if wants("save 400 records") {
      results.append(try await saves(count: max(2, calls / 20), batch: 400))
    }
    if wants("fetch one record") { results.append(try await fetches()) }
    if wants("query by an index") { results.append(try await queries()) }
    if wants("query by 20 references") { results.append(try await referenceQueries()) }
    if wants("fetch 100 changes") { results.append(try await changes()) }
    return results
  }

  private func wants(_ name: String) -> Bool { only.isEmpty || name.contains(only) }

  private func pick() -> RecordID { messages[random.below(messages.count)] }

  private func pick(_ count: Int) -> [RecordID] {
    var found: Set<RecordID> = []
    while found.count < min(count, messages.count) { found.insert(pick()) }
    return found.sorted()
  }

  /// Saves changed messages, which both sides have read before.
  private func saves(count: Int, batch: Int) async throws -> Result {
    let encoder = JSONEncoder()
    var (ours, theirs) = (0.0, 0.0)
    for turn in 0..<count {
      let ids = pick(batch)
      let stored = try await database.records(for: ids).values.map { try $0.get() }
      let drafts = stored.map { record in
        var draft = DraftRecord(record)
        draft["sequence"] = random.below(1_000_000)
        return draft
      }
      let rows = try drafts.map { try Self.row($0.resultRecord(), zoneNumber, encoder) }
      try await byTurns(
        turn,
        {
          ours += try await self.seconds {
            let answer = try await self.database.modifyRecords(saving: drafts, deleting: [])
            for result in answer.saveResults.values { _ = try result.get() }
          }
        }, { theirs += try await self.seconds { try await self.peer.save(rows) } })
    }
    return Result(
      name: batch == 1 ? "save one record" : "save \(batch) records", ours: ours / Double(count),
      peer: theirs / Double(count))
  }

  private func fetches() async throws -> Result {
    try await compare("fetch one record", calls) { _ in
      let id = self.pick()
      return (
        { _ = try await self.database.record(for: id) },
        { _ = try await self.peer.fetch(id.recordName, in: self.zoneNumber) }
      )
    }
  }

  private func queries() async throws -> Result {
    // A query makes the index that it needs.
    _ = try await query(from: 0)
    return try await compare("query by an index, 50 records", max(1, calls / 2)) { _ in
      let number = self.random.below(max(1, self.messages.count - 50))
      return (
        { _ = try await self.query(from: number) },
        {
          _ = try await self.peer.query(from: Int64(number), in: self.zoneNumber, limit: 50)
        }
      )
    }
  }

  private func query(from number: Int) async throws -> Int {
    let query = RecordQuery(
      recordType: "Message", filters: [QueryField("sequence") >= number],
      sort: [QuerySort("sequence")])
    return try await database.records(
      matching: query, inZoneWith: zone, desiredKeys: nil, resultsLimit: 50
    ).matchResults.count
  }

  private func referenceQueries() async throws -> Result {
    _ = try await query(referringTo: pick(1))
    return try await compare("query by 20 references", max(1, calls / 2)) { _ in
      let ids = self.pick(20)
      return (
        { _ = try await self.query(referringTo: ids) },
        {
          _ = try await self.peer.query(
            referringTo: ids.map(\.recordName), in: self.zoneNumber)
        }
      )
    }
  }

  private func query(referringTo ids: [RecordID]) async throws -> Int {
    let references = ids.map { Reference(recordID: $0) }
    let query = RecordQuery(
      recordType: "Message",
      filters: [QueryField("relatedRecords").containsAny(of: references)])
    return try await database.records(matching: query, inZoneWith: zone).matchResults.count
  }

  /// Fetches what 100 saves have changed.
  private func changes() async throws -> Result {
    let count = max(1, calls / 20)
    var token = try await lastToken()
    var (ours, theirs) = (0.0, 0.0)
    for turn in 0..<count {
      let ids = pick(100)
      let stored = try await database.records(for: ids).values.map { try $0.get() }
      let rows = try stored.map { try Self.row($0, zoneNumber, JSONEncoder()) }
      let number = peer.lastChange
      let since = token
      try await byTurns(
        turn,
        {
          try await self.database.modifyRecords(
            saving: stored.map { DraftRecord($0) }, deleting: [], savePolicy: .allKeys)
        }, { try await self.peer.save(rows) })
      try await byTurns(
        turn,
        {
          ours += try await self.seconds {
            let page = try await self.database.recordZoneChanges(
              inZoneWith: self.zone, since: since, desiredKeys: nil, resultsLimit: 100)
            token = page.changeToken
          }
        },
        {
          theirs += try await self.seconds {
            _ = try await self.peer.changes(after: number, in: self.zoneNumber, limit: 100)
          }
        })
      token = try await lastToken(since: token)
    }
    return Result(
      name: "fetch 100 changes", ours: ours / Double(count), peer: theirs / Double(count))
  }

  private func lastToken(since start: ServerChangeToken? = nil) async throws -> ServerChangeToken {
    var token = start
    while true {
      let page = try await database.recordZoneChanges(
        inZoneWith: zone, since: token, desiredKeys: [], resultsLimit: nil)
      token = page.changeToken
      if !page.moreComing { return page.changeToken }
    }
  }

  /// Calls both sides by turns.
  private func compare(
    _ name: String, _ count: Int,
    _ make: (Int) -> (ours: () async throws -> Void, peer: () async throws -> Void)
  ) async throws -> Result {
    var (ours, theirs) = (0.0, 0.0)
    for turn in 0..<count {
      let call = make(turn)
      try await byTurns(
        turn, { ours += try await self.seconds(call.ours) },
        { theirs += try await self.seconds(call.peer) })
    }
    return Result(name: name, ours: ours / Double(count), peer: theirs / Double(count))
  }

  /// Calls both sides, each first every other time: the second one finds the processor's caches
  /// full of what the first one has read.
  private func byTurns(
    _ turn: Int, _ ours: () async throws -> Void, _ peer: () async throws -> Void
  ) async throws {
    if turn.isMultiple(of: 2) {
      try await ours()
      try await peer()
    } else {
      try await peer()
      try await ours()
    }
  }

  private func seconds(_ body: () async throws -> Void) async throws -> Double {
    let start = ContinuousClock.now
    try await body()
    let duration = (ContinuousClock.now - start).components
    return Double(duration.seconds) + Double(duration.attoseconds) / 1e18
  }
}
