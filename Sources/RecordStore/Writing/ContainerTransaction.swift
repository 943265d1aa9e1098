import Foundation
import RecordCoding
import RecordModel

/// A snapshot of a container that can also write: saves and deletions that take effect together.
///
/// ``ContainerStore/transaction(_:)`` provides it; it is valid during that call, on its thread. A
/// read sees all writes before it. A save does not apply the rules of the server, except limits on
/// names and sizes.
///
/// The transaction remembers the zones, types and sections that it has used. Its end writes their
/// counts back.
public class ContainerTransaction: ContainerSnapshot {
  let limits: RecordLimits
  /// The time of its saves and deletions, in whole milliseconds: that of the first one.
  package private(set) lazy var date = clock().wholeMilliseconds
  private let clock: () -> Date
  /// Whether the container had nothing but its default zones before the transaction: zones and types
  /// that it has not added do not exist.
  let isNew: Bool
  let assets: AssetWriter
  let indexes: IndexWriter
  let changes: ChangeSequence
  let json = RecordJSONWriter()
  let buffer = ByteBuffer()
  /// Whether the index of names is missing, because building it after a load is cheaper.
  @exclusivity(unchecked) var isIdentityDeferred = false
  /// Whether counts are not known any more, because a damaged row was found.
  package var mustRecount = false
  var hasRecounted = false
  /// Whether record types with damaged rows have their names again.
  var hasRepairedTypes = false
  /// Whether there may be tombstones of saved records to remove.
  @exclusivity(unchecked) var hasTombstones: Bool

  /// The records before the transaction changed them; nil if the store has no observer.
  @exclusivity(unchecked) var before: RecordsBefore?

  /// Nil where a zone was deleted.
  var zones: [ZoneState?] = []
  /// The zones by texts that are equal for equal identities, and for few others. For a type of keys
  /// of its own, the Swift runtime would search all conformances of the process, once.
  var zonesByText: [String: [ZoneState]] = [:]
  @exclusivity(unchecked) var lastZone: ZoneState?
  var types: [String: TypeState] = [:]
  var typesByID: [Int64: TypeState] = [:]
  var addedTypes: Int64 = 0
  /// The sections of each zone.
  var sections: [[SectionState]] = []
  @exclusivity(unchecked) var lastSection: SectionState?
  /// How many rows came or went, without records: their sections know them.
  var rowCounts = [RowCounts](repeating: RowCounts(), count: 3)

  /// The statements that add and find a record; nil after the transaction has ended, so that a
  /// transaction that escapes does not keep the file open.
  @exclusivity(unchecked) private(set) var insertRecord: SQLiteStatement?
  private var preparedFind: SQLiteStatement?

  /// - Parameters:
  ///   - path: the path of the container file, for errors.
  ///   - isNew: whether the container has nothing but its default zones. It is filled faster then,
  ///     as nothing else is looked for.
  init(
    _ db: SQLiteConnection, of path: String? = nil, _ infoCache: InfoCache = InfoCache(),
    by reader: RecordJSONReader = RecordJSONReader(), from source: ChangeSequence.Source = .server,
    limits: RecordLimits = .cloudKit, date: @escaping @autoclosure () -> Date = Date(),
    isNew: Bool = false
  ) throws {
    self.isNew = isNew
    self.limits = limits
    clock = date
    assets = AssetWriter(db)
    indexes = try IndexWriter(db, by: reader, isNew: isNew)
    changes = ChangeSequence(db, source)
    insertRecord = try .make(
      """
      INSERT INTO record (zone, type, name, change, modified, json, hash)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """, in: db)
    hasTombstones = try !isNew && db.integer("SELECT EXISTS (SELECT 1 FROM tombstone)") == 1
    super.init(db, of: path, infoCache, by: reader)
  }

  /// The statement that finds a record. A load needs none.
  var findRecord: SQLiteStatement {
    get throws {
      if let preparedFind { return preparedFind }
      let statement = try SQLiteStatement.make(
        "SELECT id, type, length(json) FROM record WHERE zone = ? AND name = ?", in: db)
      preparedFind = statement
      return statement
    }
  }

  // MARK: Beginning and end

  /// Calls `body` with the transaction, and writes the counts back.
  func completing<T>(_ body: () throws -> T) throws -> T {
    defer { end() }
    let result = try body()
    try finish()
    return result
  }

  /// Builds missing indexes, writes the counts back, and removes assets that no record refers to.
  func finish() throws {
    try writeSections()
    for case let zone? in zones where zone.isDirty {
      try writeLastChange(of: zone)
    }
    for scope in DatabaseScope.allCases {
      let counts = rowCounts[scope.rank]
      guard changes.areNew(in: scope) || !counts.isZero || hasRecounted else { continue }
      let known = try? DatabaseRow.read(scope, from: db)
      var row = try known ?? DatabaseRow.readable(scope, from: db)
      if changes.areNew(in: scope) || !counts.isZero {
        try changes.add(to: &row.changes, in: scope, at: date)
      }
      if hasRecounted || known == nil {
        row.counts = try RowCounts.counted(in: scope, db)
      } else {
        row.counts.add(counts)
      }
      try row.write(scope, to: db)
      rowCounts[scope.rank] = RowCounts()
    }
    try assets.removeUnused()
  }

  override func end() {
    (insertRecord, preparedFind) = (nil, nil)
    super.end()
  }

  // MARK: Reading

  /// The counts of the database are written at the end.
  override var hasCounts: Bool { false }

  override func expectedZones(in scope: DatabaseScope) throws -> Int64? {
    try super.expectedZones(in: scope).map { $0 &+ rowCounts[scope.rank][.zones] }
  }

  override func prepareSections() throws { try writeSections() }

  override func zoneRow(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> Int64? {
    try zoneState(zoneID, in: scope)?.id
  }

  /// Makes an index that the container does not have.
  override func index(_ kind: RecordIndex.Kind) throws -> StoredIndex? {
    try indexes.index(RecordIndex(kind), type: 0)
  }

  // MARK: Counts

  /// The number of the next row of a table. The checksum of a row covers it, so it is known before.
  func nextID(in table: String) throws -> Int64 {
    (try db.integer("SELECT max(id) FROM \(table)") ?? 0) &+ 1
  }

  /// Counts rows of a table that came or went.
  func countRows(_ table: CountedTable, _ number: Int, in scope: DatabaseScope) {
    rowCounts[scope.rank][table] &+= Int64(number)
  }
}
