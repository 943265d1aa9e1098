import Foundation
import RecordCoding
import RecordModel
import RecordPlatform

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
  private var hasRecounted = false
  /// Whether record types with damaged rows have their names again.
  var hasRepairedTypes = false
  /// Whether there may be tombstones of saved records to remove.
  @exclusivity(unchecked) var hasTombstones: Bool

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
      let counts = counts[scope.rank]
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
      self.counts[scope.rank] = RowCounts()
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
    try super.expectedZones(in: scope).map { $0 &+ counts[scope.rank][.zones] }
  }

  override func prepareSections() throws { try writeSections() }

  override func zoneRow(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> Int64? {
    try zoneState(zoneID, in: scope)?.id
  }

  /// Makes an index that the container does not have.
  override func index(_ kind: RecordIndex.Kind) throws -> StoredIndex? {
    try indexes.index(RecordIndex(kind), type: 0)
  }

  // MARK: Zones and types

  /// Returns the state of a zone; nil if it does not exist.
  func zoneState(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> ZoneState? {
    let db = try db
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

  private func zoneState(withID id: Int64) throws -> ZoneState? {
    if let known = zones.first(where: { $0?.id == id }) { return known }
    let found = try db.first("SELECT scope, name, owner FROM zone WHERE id = ?", [id]) { row in
      (Int(clamping: row.int64(0)), ZoneID(zoneName: row.string(1), ownerName: row.string(2)))
    }
    guard let (rank, zoneID) = found, let scope = DatabaseScope(rank: rank) else { return nil }
    return try zoneState(zoneID, in: scope)
  }

  /// Returns the state of an existing zone.
  ///
  /// - Throws: CloudKit's `zoneNotFound`.
  package func existingZone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> ZoneState {
    guard let zone = try zoneState(zoneID, in: scope) else {
      throw CloudError.zoneNotFound(zoneID, in: scope)
    }
    return zone
  }

  private func add(
    _ zoneID: ZoneID, in scope: DatabaseScope, id: Int64, lastChange: Int64
  ) -> ZoneState {
    let state = ZoneState(
      id: id, index: zones.count, scope: scope, zoneID: zoneID, lastChange: lastChange)
    zones.append(state)
    sections.append([])
    zonesByText[Self.text(of: zoneID, in: scope), default: []].append(state)
    return state
  }

  private static func text(of zoneID: ZoneID, in scope: DatabaseScope) -> String {
    "\(scope.rank)/\(zoneID.ownerName)/\(zoneID.zoneName)"
  }

  /// Adds a zone, or replaces an existing one; its records stay.
  func write(_ zone: RecordZone, in scope: DatabaseScope) throws {
    let known = try zoneState(zone.zoneID, in: scope)
    let json = try StoreCoding.readableJSON(of: zone, name: "the zone")
    let change = try changes.next(in: scope)
    if let known {
      // If the row is damaged, the change that created the zone is not known any more, and its last
      // change is that of its records.
      let first = try zoneRow(of: known).flatMap { $0.isIntact ? $0.firstChange : nil }
      if first == nil { known.lastChange = try lastChange(ofZone: known.id) }
      updateLastChange(known, change)
      return try update(known, firstChange: first ?? min(change, known.lastChange), json)
    }
    let key = zone.zoneID.columns(in: scope)
    let id = try nextID(in: "zone")
    if !isNew || counts[scope.rank][.zoneTombstones] != 0 {
      try db.run("DELETE FROM zoneTombstone WHERE \(ZoneID.columns)", key)
      countRows(.zoneTombstones, try -db.changesCount, in: scope)
    }
    try db.runHashed(
      "INSERT INTO zone (\(Self.zoneColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      [id] + key + [change, change, json])
    countRows(.zones, 1, in: scope)
    _ = add(zone.zoneID, in: scope, id: id, lastChange: change)
  }

  /// Returns the number of the last change of the contents of a zone.
  func lastChange(ofZone id: Int64) throws -> Int64 {
    try ["record", "tombstone", "accessChange"].map {
      try db.integer(
        "SELECT max(change) FROM \($0) WHERE zone = ? AND change < \(Int64.max / 2)", [id]) ?? 0
    }.max() ?? 0
  }

  private func zoneRow(
    of zone: ZoneState
  ) throws -> (isIntact: Bool, firstChange: Int64, json: Data)? {
    try db.first("SELECT \(Self.zoneColumns) FROM zone WHERE id = ?", [zone.id]) { row in
      (row.isIntact(0..<7), row.int64(5), Data(row.bytes(6)))
    }
  }

  private func writeLastChange(of zone: ZoneState) throws {
    guard let row = try zoneRow(of: zone), row.isIntact else {
      throw unreadable(
        "zone '\(zone.zoneID)'", in: zone.scope, ContainerStoreError.otherChecksum)
    }
    try update(zone, firstChange: row.firstChange, row.json)
  }

  private func update(_ zone: ZoneState, firstChange: Int64, _ json: Data) throws {
    // The checksum also covers the columns that stay.
    try db.runHashed(
      "UPDATE zone SET lastChange = ?5, firstChange = ?6, json = ?7, hash = ?8 WHERE id = ?1",
      [zone.id] + zone.zoneID.columns(in: zone.scope) + [zone.lastChange, firstChange, json])
    zone.isDirty = false
  }

  /// Deletes a zone with all its contents, and the subscriptions to it.
  func remove(_ zone: ZoneState) throws {
    let id = zone.id
    if changes.countsContents {
      for table in ["record", "tombstone"] {
        try db.forEachRow("SELECT json FROM \(table) WHERE zone = ?", [id]) {
          changes.removeContent(XXH64.hash($0.bytes(0)), in: zone.scope)
        }
      }
    }
    var records = 0
    try db.forEachRow("SELECT \(Self.sectionColumns) FROM section WHERE zone = ?", [id]) { row in
      if row.isIntact(0..<8) { records += Int(row.int64(2)) } else { mustRecount = true }
    }
    try db.execute(
      """
      DELETE FROM assetUse WHERE record IN (SELECT id FROM record WHERE zone = \(id));
      DELETE FROM record WHERE zone = \(id);
      DELETE FROM section WHERE zone = \(id);
      DELETE FROM zone WHERE id = \(id);
      """)
    countRows(.zones, -1, in: zone.scope)
    countRows(.records, -records, in: zone.scope)
    try indexes.removeZone(id)
    try db.run("DELETE FROM accessChange WHERE zone = ?", [id])
    try db.run("DELETE FROM tombstone WHERE zone = ?", [id])
    countRows(.tombstones, try -db.changesCount, in: zone.scope)
    try deleteSubscriptions(to: zone)
    zonesByText[Self.text(of: zone.zoneID, in: zone.scope)]?.removeAll { $0 === zone }
    zones[zone.index] = nil
    sections[zone.index] = []
    lastSection = nil
    assets.mayHaveUnused = true
  }

  /// Returns the number of records of a zone, with what the transaction has changed.
  func recordCount(of zone: ZoneState) throws -> Int {
    let stored =
      try db.integer(
        "SELECT CAST(total(records) AS INTEGER) FROM section WHERE zone = ?", [zone.id])
      ?? 0
    return sections[zone.index].reduce(Int(stored)) { $0 + Int($1.records &- $1.storedRecords) }
  }

  /// Returns the state of a record type, which is added if the container does not have it.
  package func type(_ name: String) throws -> TypeState {
    let db = try db
    if let known = types[name], known.name.sameScalars(as: name) { return known }
    // Another name, with which the dictionary takes it for the same, may have replaced it there.
    let isAbsent = isNew && types[name] == nil
    var id = isAbsent ? nil : try intactType(name)
    if id == nil, !isNew {
      // The row of the type may be damaged.
      try repairTypes()
      id = try intactType(name)
    }
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
    func name() throws -> String? {
      try db.first("SELECT id, name, hash FROM recordType WHERE id = ?", [id]) { row in
        row.isIntact(0..<2) ? row.string(1) : nil
      } ?? nil
    }
    var found = try name()
    if found == nil {
      try repairTypes()
      found = try name()
    }
    guard let found else {
      throw ContainerStoreError.damaged(detail: "the record type number \(id) has no readable name")
    }
    let type = try type(found)
    typesByID[id] = type
    return type
  }

  /// Forgets the record types that were read: their rows have changed.
  func forgetTypes() { (types, typesByID) = ([:], [:]) }

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

  private static let sectionColumns =
    "zone, type, records, bytes, firstID, lastID, lastName, inOrder, hash"

  private func read(_ section: SectionState) throws {
    _ = try db.first(
      "SELECT \(Self.sectionColumns) FROM section WHERE zone = ? AND type = ?",
      [section.zone.id, section.type.id]
    ) { row in
      guard row.isIntact(0..<8) else {
        mustRecount = true
        return
      }
      section.records = row.int64(2)
      section.storedRecords = row.int64(2)
      section.bytes = row.int64(3)
      section.firstID = row.int64(4)
      section.lastID = row.int64(5)
      section.lastName = Array(row.bytes(6))
      section.inOrder = row.int64(7) != 0
    }
  }

  // MARK: Changes

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
  func countRows(_ table: CountedTable, _ number: Int, in scope: DatabaseScope) {
    counts[scope.rank][table] &+= Int64(number)
  }

  /// Writes the sections that have changed, and builds the index of their order if they need it.
  private func writeSections() throws {
    if mustRecount, !isNew { try recountSections() }
    let changed = sections.joined().filter(\.isDirty)
    if changed.contains(where: { !$0.isScannable }) { try db.execute(StoreSchema.orderIndex) }
    for section in changed {
      countRows(.records, Int(section.records &- section.storedRecords), in: section.zone.scope)
      try write(section)
    }
  }

  /// Counts the records of all sections.
  private func recountSections() throws {
    (mustRecount, hasRecounted) = (false, true)
    var sums: [SectionKey: SectionSum] = [:]
    try db.forEachRow("SELECT zone, type, name, length(json), id FROM record ORDER BY id") { row in
      sums[SectionKey(zone: row.int64(0), type: row.int64(1)), default: SectionSum()]
        .add(row.int64(4), row.bytes(2), Int(row.int64(3)))
    }
    try db.run("DELETE FROM section")
    for section in sections.joined() { (section.records, section.isDirty) = (0, false) }
    for (key, sum) in sums {
      // Records of a missing zone or type are not counted.
      guard let zone = try zoneState(withID: key.zone), let type = try? type(withID: key.type)
      else {
        continue
      }
      try section(zone, type).set(sum)
    }
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
