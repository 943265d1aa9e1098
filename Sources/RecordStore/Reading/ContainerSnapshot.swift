import Foundation
import RecordCoding
import RecordModel

/// The state of a container at one moment: everything read through a snapshot is consistent,
/// whatever is saved meanwhile.
///
/// ``ContainerStore/snapshot(_:)`` provides it; it is valid during that call, on its thread.
public class ContainerSnapshot {
  /// Nil after the call has ended.
  private var open: SQLiteConnection?
  let reader: RecordJSONReader
  /// The path of the container file, for errors.
  private let path: String?
  let infoCache: InfoCache
  /// Gets the errors of rows that cannot be read, which are left out; nil to throw them.
  package let damage: DamageLog?
  /// Whether a zone of each database may exist without being found, where it was asked.
  var lacksZones: [DatabaseScope: Bool] = [:]

  init(
    _ db: SQLiteConnection, of path: String? = nil, _ infoCache: InfoCache = InfoCache(),
    by reader: RecordJSONReader = RecordJSONReader(), leavingOut damage: DamageLog? = nil
  ) {
    open = db
    self.damage = damage
    self.reader = reader
    self.path = path
    self.infoCache = infoCache
  }

  // MARK: Parts that a transaction overrides

  /// Whether the file has the counts of its rows.
  var hasCounts: Bool { true }

  /// The number of zones that a database counts; nil if it cannot be read.
  func expectedZones(in scope: DatabaseScope) throws -> Int64? {
    let db = try db
    return (try? DatabaseRow.read(scope, from: db))?.counts[.zones]
  }

  /// Brings the table of sections up to date before it is read.
  func prepareSections() throws {}

  func zoneRow(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> Int64? {
    try db.integer("SELECT id FROM zone WHERE \(ZoneID.columns)", zoneID.columns(in: scope))
  }

  /// Returns an index of records of all types; nil if the container does not have it.
  func index(_ kind: RecordIndex.Kind) throws -> StoredIndex? {
    try StoredIndex.intact(in: db).first { $0.index.kind == kind }
  }

  /// Whether the container has indexes of records of all types.
  package func hasIndexes(_ kinds: [RecordIndex.Kind]) throws -> Bool {
    try kinds.allSatisfy { try index($0) != nil }
  }

  // MARK: Connection

  /// The database connection.
  ///
  /// - Throws: ``ContainerStoreError/Code/closed`` if the snapshot has escaped its closure.
  var db: SQLiteConnection {
    get throws(ContainerStoreError) {
      guard let open else { throw .closed }
      return open
    }
  }

  func end() { open = nil }

  /// Returns the metadata of the container, without settings and users that cannot be read.
  public func info() throws -> ContainerInfo {
    let stored = try infoCache.stored(in: db)
    if let damage { stored.damage.forEach(damage.add) }
    return stored.info
  }

  /// Checks that the settings by which the server checks saves can be read.
  package func checkRules() throws {
    if let error = try infoCache.stored(in: db).damageOfRules { throw error }
  }

  /// Leaves a row out that cannot be read, or throws its error.
  package func leaveOut(_ error: ContainerStoreError) throws {
    guard let damage else { throw error }
    damage.add(error)
  }

  // MARK: Zones and types

  /// Returns the zones of a database, by owner and name.
  public func zones(in scope: DatabaseScope) throws -> [RecordZone] {
    try zones(in: scope, damaged: leaveOut)
  }

  /// Returns the zones of a database, by owner and name.
  ///
  /// - Parameter damaged: gets the error of each zone that cannot be read. The result has such a zone
  ///   with its identity only, so that its records are found.
  package func zones(
    in scope: DatabaseScope, damaged: (ContainerStoreError) throws -> Void
  ) throws -> [RecordZone] {
    let zones = try db.all(
      "\(CheckedTable.zone.select) WHERE scope = ? ORDER BY owner, name", [scope.rank]
    ) { row in
      let zoneID = row.zoneID(2)
      let zone: RecordZone? = try readable(row, .zone, "zone '\(zoneID)'", in: scope) {
        try damaged($0.keepingIdentity)
      }
      return zone ?? RecordZone(zoneID: zoneID)
    }
    try checkCount(zones.count, of: .zones, in: scope, damaged)
    return zones
  }

  /// Returns a zone; nil if it does not exist.
  public func zone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> RecordZone? {
    try db.first(
      "\(CheckedTable.zone.select) WHERE \(ZoneID.columns)", zoneID.columns(in: scope)
    ) { try read($0, .zone, "zone '\(zoneID)'", in: scope) }
  }

  /// Returns a zone; nil if it does not exist, or cannot be read.
  package func readableZone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> RecordZone? {
    do {
      return try zone(zoneID, in: scope)
    } catch let error as ContainerStoreError where error.isOfItem {
      return nil
    }
  }

  /// Returns the zones with a name, of all owners.
  package func zoneIDs(named name: String, in scope: DatabaseScope) throws -> [ZoneID] {
    try db.all(
      "SELECT owner FROM zone WHERE scope = ? AND name = ? ORDER BY owner", [scope.rank, name]
    ) { ZoneID(zoneName: name, ownerName: $0.string(0)) }
  }

  /// Returns the number of zones that an owner has, without the default zone.
  package func createdZones(of owner: String, in scope: DatabaseScope) throws -> Int {
    Int(
      try db.integer(
        "SELECT count(*) FROM zone WHERE scope = ? AND owner = ? AND name <> ?",
        [scope.rank, owner, ZoneID.defaultZoneName]) ?? 0)
  }

  /// Whether a database has a zone.
  package func hasZone(_ zoneID: ZoneID, in scope: DatabaseScope) throws -> Bool {
    try zoneRow(zoneID, in: scope) != nil
  }

  /// Returns the record types of each zone, with the number and size of their records.
  public func recordTypes(in scope: DatabaseScope) throws -> [RecordTypeSummary] {
    var summaries: [RecordTypeSummary] = []
    try forEachSection(in: scope, .all) { section in
      summaries.append(
        RecordTypeSummary(
          zoneID: section.zoneID, recordType: section.recordType,
          recordCount: Int(section.extent.records), byteCount: section.extent.bytes))
    }
    return summaries
  }

  // MARK: Single records

  /// Returns the records of a type in a zone, by name.
  package func recordIDs(
    ofType recordType: String, in zoneID: ZoneID, of scope: DatabaseScope
  ) throws -> [RecordID] {
    try prepareSections()
    return try db.all(
      """
      SELECT record.name FROM zone JOIN record ON record.zone = zone.id
        JOIN recordType ON recordType.id = record.type
      WHERE \(ZoneID.qualifiedColumns) AND recordType.name = ? AND EXISTS (
        SELECT 1 FROM section WHERE section.zone = zone.id AND section.type = recordType.id)
      ORDER BY record.name
      """, zoneID.columns(in: scope) + [recordType]
    ) { RecordID(recordName: $0.string(0), zoneID: zoneID) }
  }

  /// Returns the record with an ID; nil if there is none.
  public func record(for recordID: RecordID, in scope: DatabaseScope) throws -> ResultRecord? {
    try storedRecord(recordID, in: scope)?.record
  }

  /// Returns the record with an ID and its row; nil if there is none.
  package func storedRecord(
    _ recordID: RecordID, in scope: DatabaseScope
  ) throws -> StoredRecord? {
    guard let zone = try zoneRow(recordID.zoneID, in: scope) else { return nil }
    let select = try SQLiteStatement.cached(
      "SELECT \(CheckedTable.record.columns), id FROM record WHERE zone = ? AND name = ?", in: db)
    defer { select.reset() }
    return try recordID.withUTF8RecordName { name in
      select.bind(1, zone)
      try select.bindText(2, name)
      guard try select.step() else { return nil }
      let record = try record(of: select, inZone: recordID.zoneID, of: scope)
      return StoredRecord(
        record: record,
        row: StoredRow(
          id: select.int64(7), type: select.int64(1), bytes: Int64(select.bytes(5).count)),
        change: select.int64(3))
    }
  }

  /// Returns the record with an ID and its row, nil if there is none, or the error of a record that
  /// is damaged: it can be deleted, and replaced completely.
  package func readableRecord(
    _ recordID: RecordID, in scope: DatabaseScope
  ) throws -> Result<StoredRecord?, ContainerStoreError> {
    do {
      return .success(try storedRecord(recordID, in: scope))
    } catch let error as ContainerStoreError where error.recordID == recordID {
      return .failure(error)
    }
  }

  /// Reads a record from a row of the table `record`, and checks its checksum.
  func record(
    of row: SQLiteStatement, inZone zoneID: ZoneID, of scope: DatabaseScope
  ) throws -> ResultRecord {
    let record = try read(row.bytes(5), row.recordID(2, in: zoneID), in: scope)
    guard row.isIntact(.record) else {
      throw unreadable(
        row.recordID(2, in: zoneID), in: scope, ContainerStoreError.otherChecksum)
    }
    return record
  }

  /// Parses the canonical JSON of a record.
  func read(
    _ payload: UnsafeRawBufferPointer, _ recordID: @autoclosure () -> RecordID,
    in scope: DatabaseScope
  ) throws -> ResultRecord {
    do {
      return try reader.read(payload)
    } catch let error as RecordCodingError {
      throw unreadable(recordID(), in: scope, "\(error)")
    }
  }

  /// Checks that the stored data of a record is valid and belongs to its keys.
  ///
  /// - Throws: ``ContainerStoreError/Code/damaged`` with file, zone and record.
  package func check(
    _ payload: UnsafeRawBufferPointer, of key: borrowing RecordKey, in scope: DatabaseScope
  ) throws {
    if reader.isCanonical(
      payload, name: key.name, zoneID: key.zoneID, recordType: key.recordType)
    {
      return
    }
    let recordID = key.recordID
    let found = try read(payload, recordID, in: scope)
    guard found.recordID == recordID, found.recordType.sameScalars(as: key.recordType) else {
      throw unreadable(
        recordID, in: scope,
        "found the record '\(found.recordID)' of type '\(found.recordType)'; one of type "
          + "'\(key.recordType)' was expected")
    }
  }

  /// Parses the JSON in the last column before the checksum, and checks the checksum.
  func read<T: JSONConvertible>(
    _ row: SQLiteStatement, _ table: CheckedTable, _ name: String, in scope: DatabaseScope
  ) throws -> T {
    let json = row.bytes(table.width - 1)
    let value: T
    do {
      value = try T(json: JSONParser.parse(json))
    } catch {
      throw unreadable(name, in: scope, "\(error)")
    }
    try checkRow(row, table, name, in: scope)
    return value
  }

  /// Reads an item as ``read(_:_:_:in:)`` does, and passes the error of one that cannot be read on.
  func readable<T: JSONConvertible>(
    _ row: SQLiteStatement, _ table: CheckedTable, _ name: String, in scope: DatabaseScope,
    _ damaged: (ContainerStoreError) throws -> Void
  ) throws -> T? {
    do {
      return try read(row, table, name, in: scope)
    } catch let error as ContainerStoreError {
      try damaged(error)
      return nil
    }
  }

  /// Checks the checksum of a row.
  ///
  /// - Parameter first: the place of the table's first column.
  func checkRow(
    _ row: SQLiteStatement, _ table: CheckedTable, from first: Int32 = 0, _ name: String,
    in scope: DatabaseScope
  ) throws {
    guard row.isIntact(table, from: first) else {
      throw unreadable(name, in: scope, ContainerStoreError.otherChecksum)
    }
  }

  /// Checks that as many rows were found as the database has.
  func checkCount(
    _ found: Int, of table: CountedTable, in scope: DatabaseScope,
    _ damaged: (ContainerStoreError) throws -> Void
  ) throws {
    guard hasCounts else { return }
    do {
      let expected = try DatabaseRow.read(scope, from: db).counts[table]
      guard found != expected else { return }
      throw ContainerStoreError.otherCount(
        "\(found) \(table.rows) in the \(scope.rawValue) database", expected: expected, of: file)
    } catch let error as ContainerStoreError {
      try damaged(error)
    }
  }

  // MARK: Errors

  func unreadable(
    _ recordID: RecordID, in scope: DatabaseScope, _ detail: String
  ) -> ContainerStoreError {
    .unreadable(
      name: name(of: recordID) + " in the \(scope.rawValue) database", of: file, detail: detail,
      recordID: recordID, in: scope)
  }

  /// Returns the error of a zone, subscription or deletion.
  func unreadable(
    _ name: String, in scope: DatabaseScope, _ detail: String
  ) -> ContainerStoreError {
    .unreadable(
      name: "\(name) in the \(scope.rawValue) database", of: file, detail: detail, isOfItem: true)
  }

  /// Returns a description of a record with its zone, database and file.
  func place(of recordID: RecordID, in scope: DatabaseScope) -> String {
    place(name(of: recordID), in: scope)
  }

  func place(_ name: String, in scope: DatabaseScope) -> String {
    "\(name) in the \(scope.rawValue) database" + file
  }

  private func name(of recordID: RecordID) -> String {
    "record '\(recordID.recordName)' of the zone '\(recordID.zoneID)'"
  }

  /// The file, as it follows a database in a description.
  private var file: String { path.map { " of '\($0)'" } ?? "" }

  /// Returns the number of a database's last change; saves and deletions are changes. Private and
  /// shared databases have one counter.
  public func lastChange(in scope: DatabaseScope) throws -> Int64 {
    try DatabaseRow.lastChange(in: scope, from: db)
  }
}

extension ZoneID {
  /// The condition that selects the row of a zone or its tombstone.
  static let columns = "scope = ? AND name = ? AND owner = ?"
  static let qualifiedColumns = "zone.scope = ? AND zone.name = ? AND zone.owner = ?"

  func columns(in scope: DatabaseScope) -> [any ColumnValue] { [scope.rank, zoneName, ownerName] }
}
