import CSystemSQLite
import RecordCoding
import RecordModel
import TestSupport
import Testing

@testable import RecordStore

/// The order of changes where records and tombstones have the same number.
struct ChangeOrderTests {
  private let zoneID = ZoneID(zoneName: "Notes")

  private struct Row: Hashable {
    var name: String
    var change: Int64
    var isDeleted: Bool
  }

  @Test("changes come by number, then by name, from any of them on", arguments: 1...40)
  func order(seed: Int) throws {
    var random = SeededGenerator(UInt64(seed))
    // With few numbers, most rows have the same one as others.
    let numbers = random.pick([1, 3, 20, 1000])
    let rows = (0..<30).map { index in
      let letter = random.pick(["a", "Z", ";", "\u{301}", "é"])
      return Row(
        name: "\(letter)\(index)", change: 10 + Int64(random.below(numbers)),
        isDeleted: random.chance(3))
    }
    let store = try store(of: rows)
    let expected = rows.sorted {
      $0.change != $1.change ? $0.change < $1.change : ExactString($0.name) < ExactString($1.name)
    }
    for count in 0...expected.count {
      let last = count == 0 ? nil : expected[count - 1]
      let after = ChangePosition(change: last?.change ?? 5, name: last?.name)
      #expect(try changes(of: store, after: after) == Array(expected[count...]))
      #expect(
        try changes(of: store, after: after, limit: 2) == Array(expected[count...].prefix(2)))
    }
    let rest = try changes(of: store, after: ChangePosition(change: 10))
    #expect(rest == expected.filter { $0.change > 10 })
    // The newest first, in pages, from any of them on.
    for count in 0...expected.count {
      let first = count == 0 ? nil : expected[count - 1]
      let start = ChangePosition(change: first?.change ?? 5, name: first?.name)
      #expect(try newestChanges(of: store, after: start) == expected[count...].reversed())
    }
  }

  @Test("a page begins at its place in the index, also among changes with the same number")
  func plans() throws {
    let store = try store(of: [Row(name: "a", change: 10, isDeleted: false)])
    for (name, condition) in [(nil, "change>?"), ("a", "(change,name)>(?,?)")] {
      let plans = try plans(in: store, after: ChangePosition(change: 10, name: name))
      #expect(
        plans
          == ["record", "tombstone"].map {
            "SEARCH \($0) USING INDEX \($0)Change (zone=? AND \(condition))"
          })
    }
  }

  /// Returns how SQLite finds the changes after a position: a line for each statement.
  private func plans(in store: ContainerStore, after position: ChangePosition) throws -> [String] {
    try store.changes { snapshot in
      let zone = try #require(try snapshot.history(of: zoneID, in: .private))
      let db = try snapshot.db
      let statements = try Trace.statements(of: db) {
        try snapshot.forEachChange(of: zone, in: .private, after: position) { _, _ in true }
      }
      return try statements.map { sql in
        try db.all("EXPLAIN QUERY PLAN " + sql) { $0.string(3) }.joined(separator: "; ")
      }
    }
  }

  /// The statements that a connection runs, with their values.
  private final class Trace {
    private var statements: [String] = []

    static func statements(
      of db: SQLiteConnection, while body: () throws -> Void
    ) rethrows -> [String] {
      let trace = Trace()
      let context = Unmanaged.passUnretained(trace).toOpaque()
      sqlite3_trace_v2(
        db.handle, UInt32(SQLITE_TRACE_STMT),
        { _, context, statement, _ in
          guard let context, let sql = sqlite3_expanded_sql(OpaquePointer(statement)) else {
            return 0
          }
          Unmanaged<Trace>.fromOpaque(context).takeUnretainedValue().statements
            .append(String(cString: sql))
          sqlite3_free(sql)
          return 0
        }, context)
      defer { sqlite3_trace_v2(db.handle, 0, nil, nil) }
      try body()
      return trace.statements
    }
  }

  private func store(of rows: [Row]) throws -> ContainerStore {
    let store = try ContainerStore.inMemory()
    try store.transaction { writer in
      try writer.save(RecordZone(zoneID: zoneID), in: .private)
      let zone = try writer.existingZone(zoneID, in: .private)
      let type = try writer.type("Note")
      for row in rows {
        let recordID = RecordID(recordName: row.name, zoneID: zoneID)
        if row.isDeleted {
          try writer.addTombstone(
            DeletedRecord(recordID: recordID, recordType: "Note"), in: zone, change: row.change)
          continue
        }
        let buffer = ByteBuffer()
        try RecordJSONWriter().write(
          ResultRecord(
            systemFields: SystemFields(recordID: recordID, recordType: "Note"), fields: []),
          to: buffer)
        try recordID.packedName.withUTF8 {
          try writer.insert(
            RecordRow(zone: zone, type: type, name: $0, modified: nil, payload: buffer.bytes),
            change: row.change)
        }
      }
    }
    return store
  }

  /// Returns the changes after a position, the newest first, read in pages of two.
  private func newestChanges(
    of store: ContainerStore, after start: ChangePosition
  ) throws -> [Row] {
    try store.snapshot { snapshot in
      let history = try #require(try snapshot.history(of: zoneID, in: .private))
      var found: [Row] = []
      var end: ChangePosition?
      while true {
        let page = try snapshot.newestChanges(
          of: history, in: .private, after: start, before: end, limit: 2)
        found += page.map { change, position in
          let isDeleted = if case .deleted = change { true } else { false }
          return Row(
            name: position.name ?? "", change: position.change, isDeleted: isDeleted)
        }
        guard page.count == 2 else { return found }
        end = page.last?.position
      }
    }
  }

  private func changes(
    of store: ContainerStore, after position: ChangePosition, limit: Int = .max
  ) throws -> [Row] {
    var found: [Row] = []
    let history = try store.snapshot { try $0.history(of: zoneID, in: .private) }
    let zone = try #require(history)
    try store.changes { snapshot in
      try snapshot.forEachChange(of: zone, in: .private, after: position) { change, position in
        let row =
          switch change {
          case .saved(let record):
            Row(name: record.recordID.recordName, change: position.change, isDeleted: false)
          case .deleted(let tombstone):
            Row(name: tombstone.recordID.recordName, change: position.change, isDeleted: true)
          case .unreadable(let recordID, _):
            Row(name: recordID.recordName, change: position.change, isDeleted: true)
          }
        #expect(position.name == row.name)
        found.append(row)
        return found.count < limit
      }
    }
    return found
  }
}
