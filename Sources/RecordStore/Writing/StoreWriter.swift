import RecordCoding
import RecordModel

/// The state of a transaction that writes: the zones, types and sections it has used, and its
/// statements. ``finish()`` writes the counts back.
///
/// A writer belongs to one transaction; after a rollback, it must not be used.
final class StoreWriter {
  let db: SQLiteConnection
  /// Whether the container had nothing but its default zones before the transaction: what the writer
  /// does not know, other than these, does not exist.
  private let isNew: Bool
  let assets: AssetWriter
  let indexes: IndexWriter
  let changes: ChangeNumbers
  let reader: RecordJSONReader
  /// Whether the index of names is missing, because building it after a load is cheaper.
  @exclusivity(unchecked) var isIdentityDeferred = false
  /// Whether there may be tombstones of saved records to remove.
  @exclusivity(unchecked) var hasTombstones: Bool

  private let infoCache: InfoCache
  /// Nil where a zone was deleted.
  private var zones: [ZoneState?] = []
  /// The zones by texts that are equal for equal identities, and for few others. For a type of keys
  /// of its own, the Swift runtime would search all conformances of the process, once.
  private var zonesByText: [String: [ZoneState]] = [:]
  private var types: [String: TypeState] = [:]
  private var typesByID: [Int64: TypeState] = [:]
  private var addedTypes: Int64 = 0
  /// The sections of each zone.
  private var sections: [[SectionState]] = []
  @exclusivity(unchecked) private var lastSection: SectionState?
  /// How many rows came or went, without records: their sections know them.
  private var counts = [RowCounts](repeating: RowCounts(), count: 3)

  /// The statement that adds a record.
  let insertRecord: SQLiteStatement
  private var preparedFind: SQLiteStatement?

  /// - Parameter isNew: whether the container has nothing but its default zones. It is filled faster
  ///   then, as nothing else is looked for.
  init(
    _ db: SQLiteConnection, _ infoCache: InfoCache = InfoCache(),
    by reader: RecordJSONReader = RecordJSONReader(), isNew: Bool = false
  ) throws {
    self.db = db
    self.isNew = isNew
    self.reader = reader
    self.infoCache = infoCache
    assets = AssetWriter(db)
    indexes = try IndexWriter(db, by: reader, isNew: isNew)
    changes = ChangeNumbers(db)
    insertRecord = try .make(
      """
      INSERT INTO record (zone, type, name, change, modified, json, hash)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """, in: db)
    hasTombstones = try !isNew && db.integer("SELECT EXISTS (SELECT 1 FROM tombstone)") == 1
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

  // MARK: Metadata

  /// Returns the metadata of the container.
  func info() throws -> ContainerInfo { try infoCache.info(from: db) }

  /// What the transaction sees.
  var snapshot: ContainerSnapshot {
    ContainerSnapshot(db, of: nil, infoCache, by: reader, hasCounts: false)
  }

  /// Replaces the metadata of the container.
  func setInfo(_ info: ContainerInfo) throws { try info.write(to: db) }

  // MARK: Zones and types

  func zone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> ZoneState? {
    let known = zonesByText[Self.text(of: zoneID, in: scope)]?.first {
      $0.scope == scope && $0.zoneID == zoneID
    }
    if let known { return known }
    if isNew && !zoneID.isDefault { return nil }
    let stored = try db.first(
      "SELECT id, lastChange FROM zone WHERE \(ZoneID.columns)", zoneID.columns(in: scope)
    ) { row in (id: row.int64(0), lastChange: row.int64(1)) }
    return stored.map { add(zoneID, in: scope, id: $0.id, lastChange: $0.lastChange) }
  }

  private func add(
    _ zoneID: ZoneID, in scope: DatabaseScope, id: Int64, lastChange: Int64
  ) -> ZoneState {
    let state = ZoneState(
      id: id, index: zones.count, scope: scope, zoneID: zoneID, lastChange: lastChange,
      loadLimit: changes.limit(of: zoneID, in: scope))
    zones.append(state)
    sections.append([])
    zonesByText[Self.text(of: zoneID, in: scope), default: []].append(state)
    return state
  }

  private static func text(of zoneID: ZoneID, in scope: DatabaseScope) -> String {
    "\(scope.rank)/\(zoneID.ownerName)/\(zoneID.zoneName)"
  }

  /// Adds a zone, or replaces an existing one; its records stay.
  @discardableResult
  func save(_ zone: RecordZone, in scope: DatabaseScope) throws -> ZoneState {
    let json = try StoreCoding.json(of: zone)
    let change = try nextChange(in: scope)
    let key = zone.zoneID.columns(in: scope)
    let known = try self.zone(zone.zoneID, in: scope)
    let id = try known?.id ?? nextID(in: "zone")
    let columns: [any ColumnValue] = [id] + key + [json]
    let hash = try RowHash.column(of: columns)
    if let known {
      try db.run("UPDATE zone SET json = ?, hash = ? WHERE id = ?", [json, hash, id])
      updateLastChange(known, change)
      return known
    }
    if !isNew || counts[scope.rank][.zoneTombstones] != 0 {
      try db.run("DELETE FROM zoneTombstone WHERE \(ZoneID.columns)", key)
      count(.zoneTombstones, -db.changesCount, in: scope)
    }
    try db.run(
      """
      INSERT INTO zone (id, scope, name, owner, json, hash, lastChange, firstChange)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, columns + [hash, change, change])
    count(.zones, 1, in: scope)
    return add(zone.zoneID, in: scope, id: id, lastChange: change)
  }

  /// Deletes a zone with all its contents, and the subscriptions to it.
  func delete(_ zone: ZoneState) throws {
    let id = zone.id
    let records =
      try db.integer("SELECT CAST(total(records) AS INTEGER) FROM section WHERE zone = ?", [id])
      ?? 0
    try db.execute(
      """
      DELETE FROM assetUse WHERE record IN (SELECT id FROM record WHERE zone = \(id));
      DELETE FROM record WHERE zone = \(id);
      DELETE FROM section WHERE zone = \(id);
      DELETE FROM zone WHERE id = \(id);
      """)
    count(.zones, -1, in: zone.scope)
    count(.records, -Int(records), in: zone.scope)
    try indexes.removeZone(id)
    try db.run("DELETE FROM accessChange WHERE zone = ?", [id])
    try db.run("DELETE FROM tombstone WHERE zone = ?", [id])
    count(.tombstones, -db.changesCount, in: zone.scope)
    try deleteSubscriptions(to: zone)
    zonesByText[Self.text(of: zone.zoneID, in: zone.scope)]?.removeAll { $0 === zone }
    zones[zone.index] = nil
    sections[zone.index] = []
    lastSection = nil
    assets.mayHaveUnused = true
  }

  /// The number of records of a zone, with what the transaction has changed.
  func recordCount(of zone: ZoneState) throws -> Int {
    let stored =
      try db.integer(
        "SELECT CAST(total(records) AS INTEGER) FROM section WHERE zone = ?", [zone.id])
      ?? 0
    return sections[zone.index].reduce(Int(stored)) { $0 + Int($1.records &- $1.storedRecords) }
  }

  func type(_ name: String) throws -> TypeState {
    if let known = types[name], known.name.sameScalars(as: name) { return known }
    // Another name, with which the dictionary takes it for the same, may have replaced it there.
    let isAbsent = isNew && types[name] == nil
    var id = isAbsent ? nil : try db.integer("SELECT id FROM recordType WHERE name = ?", [name])
    if id == nil {
      let next = isNew ? addedTypes &+ 1 : try nextID(in: "recordType")
      addedTypes &+= 1
      try db.runHashed("INSERT INTO recordType (id, name, hash) VALUES (?, ?, ?)", [next, name])
      id = next
    }
    let state = TypeState(id: id ?? 0, name: name)
    types[name] = state
    return state
  }

  func type(withID id: Int64) throws -> TypeState {
    if let known = typesByID[id] { return known }
    let name = try db.text("SELECT name FROM recordType WHERE id = ?", [id])
    guard let name else {
      throw ContainerStoreError.damaged(detail: "the record type number \(id) has no name")
    }
    let type = try type(name)
    typesByID[id] = type
    return type
  }

  // MARK: Sections

  @inline(__always)
  func section(_ zone: ZoneState, _ type: TypeState) throws -> SectionState {
    if let lastSection, lastSection.zone === zone, lastSection.type === type { return lastSection }
    return try lookUpSection(zone, type)
  }

  private func lookUpSection(_ zone: ZoneState, _ type: TypeState) throws -> SectionState {
    if let known = sections[zone.index].first(where: { $0.type.id == type.id }) {
      lastSection = known
      return known
    }
    let section = SectionState(zone: zone, type: type)
    if !isNew { try read(section) }
    sections[zone.index].append(section)
    lastSection = section
    return section
  }

  private func read(_ section: SectionState) throws {
    let columns = "records, bytes, firstID, lastID, lastName, inOrder"
    _ = try db.first(
      "SELECT \(columns) FROM section WHERE zone = ? AND type = ?",
      [section.zone.id, section.type.id]
    ) { row in
      section.records = row.int64(0)
      section.storedRecords = row.int64(0)
      section.bytes = row.int64(1)
      section.firstID = row.int64(2)
      section.lastID = row.int64(3)
      section.lastName = Array(row.bytes(4))
      section.inOrder = row.int64(5) != 0
    }
  }

  // MARK: Changes

  /// Returns the next number of the database's change counter.
  @inline(__always)
  func nextChange(in scope: DatabaseScope) throws -> Int64 { try changes.next(in: scope) }

  @inline(__always)
  func updateLastChange(_ zone: ZoneState, _ change: Int64) {
    zone.lastChange = max(zone.lastChange, change)
    zone.isDirty = true
  }

  // MARK: Counts

  /// The number of the next row of a table. The checksum of a row covers it, so it is known before.
  private func nextID(in table: String) throws -> Int64 {
    (try db.integer("SELECT max(id) FROM \(table)") ?? 0) &+ 1
  }

  /// Counts rows of a table that came or went.
  func count(_ table: CountedTable, _ number: Int, in scope: DatabaseScope) {
    counts[scope.rank][table] &+= Int64(number)
  }

  // MARK: The end

  /// Writes the counts back, builds missing indexes, and removes assets that no record refers to.
  func finish() throws {
    if sections.joined().contains(where: { $0.isDirty && !$0.isScannable }) {
      try db.execute(StoreSchema.orderIndex)
    }
    for section in sections.joined() where section.isDirty {
      count(.records, Int(section.records &- section.storedRecords), in: section.zone.scope)
      try write(section)
    }
    for case let zone? in zones where zone.isDirty {
      try db.run("UPDATE zone SET lastChange = ? WHERE id = ?", [zone.lastChange, zone.id])
    }
    for scope in DatabaseScope.allCases {
      let counts = counts[scope.rank]
      guard changes.areNew(in: scope) || !counts.isZero else { continue }
      var row = try DatabaseRow.read(scope, from: db)
      try changes.add(to: &row.changes, in: scope)
      row.counts.add(counts)
      try row.write(scope, to: db)
    }
    try changes.writeZones()
    try assets.removeUnused()
  }

  private func write(_ section: SectionState) throws {
    try db.runHashed(
      """
      INSERT OR REPLACE INTO section
        (zone, type, records, bytes, firstID, lastID, lastName, inOrder, hash)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        section.zone.id, section.type.id, section.records, section.bytes, section.firstID,
        section.lastID, String(decoding: section.lastName, as: UTF8.self),
        section.inOrder ? 1 : 0,
      ])
    section.storedRecords = section.records
    section.isDirty = false
  }
}
