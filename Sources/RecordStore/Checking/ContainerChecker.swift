import RecordCoding
import RecordModel

/// Checks a container in one snapshot.
final class ContainerChecker {
  let snapshot: ContainerSnapshot
  private(set) var check = VerificationReport()
  private let progress: (VerificationReport) throws -> Void
  private let report: (VerificationIssue) throws -> Void
  let buffer = ByteBuffer()
  let writer = RecordJSONWriter()
  /// The existing zones and record types, by row.
  var zones: [Int64: Zone] = [:]
  var types: [Int64: String] = [:]
  /// The indexes, and what is known about their entries.
  var indexes: [IndexCheck] = []
  /// Whether a record was not compared to the indexes, because it is damaged.
  var hasDamagedRecords = false
  /// The numbers of the last changes, by database.
  var lastChanges: [Int: Int64] = [:]

  struct Zone {
    var id: ZoneID
    var scope: DatabaseScope
    var lastChange: Int64
  }

  init(
    _ snapshot: ContainerSnapshot, progress: @escaping (VerificationReport) throws -> Void,
    report: @escaping (VerificationIssue) throws -> Void
  ) {
    self.snapshot = snapshot
    self.progress = progress
    self.report = report
  }

  func run() throws {
    if try !snapshot.db.canRead(checkAll), check.isIntact {
      try fault("the database", "SQLite cannot read a page of it")
    }
  }

  private func checkAll() throws {
    try checkPages()
    try checkTables()
    guard check.isIntact else { return }
    try checkForeignObjects()
    try checkNumbers()
    try checkZones()
    try checkTypes()
    try readIndexes()
    try checkRecords()
    try checkIndexes()
    try checkTombstones()
    try checkSubscriptions()
    try checkAccess()
    try checkAssets()
    try progress(check)
  }

  /// - Parameter keepsIdentity: whether it is the fault of a zone whose name, owner and records can be
  ///   read.
  func fault(_ place: String, _ problem: String, keepsIdentity: Bool = false) throws {
    check.faults += 1
    var issue = VerificationIssue(place: place, problem: problem)
    issue.keepsIdentity = keepsIdentity
    try report(issue)
  }

  /// Counts a record or asset that was read.
  func count(records: Int = 0, assets: Int = 0, bytes: Int) throws {
    check.records += records
    check.assets += assets
    check.bytes &+= Int64(bytes)
    if check.records & 1023 == 0 || records == 0 { try progress(check) }
  }

  func rows(
    _ sql: String, _ values: [any ColumnValue] = [], _ body: (SQLiteStatement) throws -> Void
  ) throws {
    try snapshot.db.forEachRow(sql, values, body)
  }

  // MARK: The database

  /// Runs SQLite's own check of pages, order of keys, indexes, and UNIQUE and NOT NULL constraints.
  private func checkPages() throws {
    let isEnd = try snapshot.db.canRead {
      try rows("PRAGMA integrity_check") { row in
        let found = row.string(0)
        if found != "ok" { try fault("the database", "SQLite's check finds: \(found)") }
      }
    }
    check.hasDamagedPages = !isEnd || !check.isIntact
    if check.hasDamagedPages { try checkReading() }
  }

  /// Reports each table that SQLite cannot read to its end.
  private func checkReading() throws {
    for (table, hasNumbers) in StoreSchema.tableNames {
      // In the order of its key, SQLite reads the table itself, and not an index with all columns.
      let order = hasNumbers ? "" : " ORDER BY 1, 2"
      let isEnd = try snapshot.db.canRead {
        try rows("SELECT * FROM \(table) NOT INDEXED\(order)") { _ in try progress(check) }
      }
      if isEnd { continue }
      try fault("the table '\(table)'", "a page of it is damaged, so a part of its rows is lost")
    }
  }

  /// Checks that tables and indexes are those of the layout. A newer layout may have more.
  private func checkTables() throws {
    let found = try StoreSchema.stored(in: snapshot.db)
    let isOurs = try snapshot.db.integer("PRAGMA user_version") == Int64(StoreSchema.version)
    for (name, sql) in StoreSchema.definitions {
      guard let definition = found[name] else {
        try fault("the database", "'\(name)' is missing")
        continue
      }
      if isOurs && definition != sql {
        try fault("the database", "'\(name)' is not defined as the layout defines it")
      }
    }
  }

  /// Checks that no other program has added anything. Triggers never run, and views are not read, but
  /// a unique index keeps records from being saved.
  private func checkForeignObjects() throws {
    try rows("SELECT type, name, tbl_name FROM sqlite_master ORDER BY type, name") { row in
      let (type, name) = (row.string(0), row.string(1))
      guard !StoreSchema.names.contains(name), !name.hasPrefix("sqlite_") else { return }
      let quoted = name.replacing("\"", with: "\"\"")
      try fault(
        "the database",
        "the \(type) '\(name)'\(type == "view" ? "" : " of '\(row.string(2))'") is not RecordPack's; "
          + "remove it with any SQLite tool: DROP \(type.uppercased()) \"\(quoted)\"")
    }
  }

  private func checkNumbers() throws {
    for scope in DatabaseScope.allCases {
      do {
        let row = try DatabaseRow.read(scope, from: snapshot.db)
        lastChanges[scope.rank] = row.changes.last
        try checkCounts(row.counts, scope)
      } catch let error as ContainerStoreError {
        try fault("the \(scope.rawValue) database", "\(error)")
      }
    }
    do {
      _ = try FileStamp.read(from: snapshot.db)
    } catch let error as ContainerStoreError {
      try fault("the database", "\(error)")
    }
    let damaged = try StoredInfo(from: snapshot.db).damaged
    for item in damaged { try fault("the settings", "\(item.error)") }
    try rows(CheckedTable.setting.select) { row in
      if !damaged.contains(where: { $0.setting == row.string(0) }) {
        try checkRow(row, .setting, "the setting '\(row.string(0))'")
      }
      guard row.string(0) == "environment",
        ContainerInfo.Environment(rawValue: row.string(1)) == nil
      else { return }
      try fault("the settings", "the environment is '\(row.string(1))'")
    }
  }

  /// Checks that the rows of a database are as many as it counts.
  private func checkCounts(_ counts: RowCounts, _ scope: DatabaseScope) throws {
    let found = try RowCounts.counted(in: scope, snapshot.db)
    for table in CountedTable.allCases {
      let (found, expected) = (found[table], counts[table])
      guard found != expected else { continue }
      try fault(
        "the \(scope.rawValue) database", "it has \(found) \(table.rows); it counts \(expected)")
    }
  }

  /// Checks the checksum of a row.
  func checkRow(
    _ row: SQLiteStatement, _ table: CheckedTable, _ place: @autoclosure () -> String,
    keepsIdentity: Bool = false
  ) throws {
    guard !row.isIntact(table) else { return }
    try fault(place(), ContainerStoreError.otherChecksum, keepsIdentity: keepsIdentity)
  }

  /// Checks that the number of a change is not greater than the last one of its database.
  func checkChange(_ change: Int64, _ scope: DatabaseScope, _ place: @autoclosure () -> String)
    throws
  {
    let last = lastChanges[scope.rank] ?? 0
    guard change < 1 || change > last else { return }
    try fault(place(), "its change has the number \(change); 1 to \(last) were assigned")
  }

  // MARK: Zones and types

  private func checkZones() throws {
    try rows("\(CheckedTable.zone.select) ORDER BY id") { row in
      let zoneID = row.zoneID(2)
      guard let scope = row.scope(1) else {
        return try fault("zone '\(zoneID)'", "its database number \(row.int64(1)) does not exist")
      }
      zones[row.int64(0)] = Zone(id: zoneID, scope: scope, lastChange: row.int64(4))
      let place = snapshot.place("zone '\(zoneID)'", in: scope)
      try checkChange(row.int64(4), scope, place)
      if !(1...max(1, row.int64(4)) ~= row.int64(5)) {
        try fault(place, "its first change \(row.int64(5)) is after its last, \(row.int64(4))")
      }
      try checkItem(RecordZone.self, row, .zone, place, keepsIdentity: true) {
        $0.zoneID == zoneID
      }
    }
    try rows(CheckedTable.zoneTombstone.select) { row in
      let zoneID = row.zoneID(1)
      guard let scope = row.scope(0) else {
        return try fault("the deleted zone '\(zoneID)'", "its database number does not exist")
      }
      let place = snapshot.place("the deleted zone '\(zoneID)'", in: scope)
      try checkChange(row.int64(3), scope, place)
      try checkRow(row, .zoneTombstone, place)
      if DeletedZone.Reason(rawValue: row.string(4)) == nil {
        try fault(place, "the reason of the deletion is '\(row.string(4))'")
      }
      if try snapshot.zoneRow(zoneID, in: scope) != nil {
        try fault(place, "a zone of that name exists")
      }
    }
  }

  private func checkTypes() throws {
    try rows(CheckedTable.recordType.select) {
      types[$0.int64(0)] = $0.string(1)
      try checkRow($0, .recordType, "the record type '\($0.string(1))'")
    }
  }

  /// Checks that the last column before the checksum contains the canonical JSON of the item that the key
  /// columns name, and that the checksum matches.
  private func checkItem<T: JSONConvertible>(
    _ type: T.Type, _ row: SQLiteStatement, _ table: CheckedTable, _ place: String,
    keepsIdentity: Bool = false, isNamed: (T) -> Bool
  ) throws {
    try checkRow(row, table, place, keepsIdentity: keepsIdentity)
    let bytes = row.bytes(table.width - 1)
    do {
      let item = try StoreCoding.read(type, from: bytes, name: place)
      guard isNamed(item) else { return try fault(place, "its JSON has another name") }
      let canonical = try StoreCoding.json(of: item)
      if canonical.withUnsafeBytes({ compareBytes($0, bytes) }) != 0 {
        try fault(place, "its JSON is not canonical")
      }
    } catch let error as ContainerStoreError {
      try fault(
        place, "it cannot be read: \(error.detail ?? error.description)",
        keepsIdentity: keepsIdentity)
    }
  }

  // MARK: Tombstones, access and subscriptions

  private func checkTombstones() throws {
    try rows(CheckedTable.tombstone.select) { row in
      let name = row.string(1)
      guard let zone = zones[row.int64(0)] else {
        return try fault("the deleted record '\(name)'", "its zone is missing")
      }
      let recordID = RecordID(recordName: name, zoneID: zone.id)
      let place = snapshot.place("the deleted record '\(recordID)'", in: zone.scope)
      try checkChange(row.int64(2), zone.scope, place)
      try checkItem(DeletedRecord.self, row, .tombstone, place) { $0.recordID == recordID }
      let living = try snapshot.db.integer(
        "SELECT 1 FROM record WHERE zone = ? AND name = ?", [row.int64(0), name])
      if living != nil { try fault(place, "a record of that name exists") }
    }
  }

  /// Checks what is known about the zones and records that accounts began and ceased to see.
  private func checkAccess() throws {
    try rows(CheckedTable.accessChange.select) { row in
      let place = "the access to '\(row.string(2))'"
      guard let zone = zones[row.int64(0)] else {
        return try fault(place, "the zone is missing")
      }
      try checkChange(row.int64(3), zone.scope, place)
      try checkRow(row, .accessChange, place)
    }
    try rows(CheckedTable.lostZone.select) { row in
      let zoneID = row.zoneID(1)
      let place = "the zone '\(zoneID)', which is no longer shared"
      try checkChange(row.int64(3), .private, place)
      try checkRow(row, .lostZone, place)
    }
  }

  private func checkSubscriptions() throws {
    try rows(CheckedTable.subscription.select) { row in
      let id = row.string(1)
      guard let scope = row.scope(0) else {
        return try fault("subscription '\(id)'", "its database number does not exist")
      }
      let place = snapshot.place("subscription '\(id)'", in: scope)
      try checkChange(row.int64(2), scope, place)
      var zoneID: ZoneID?
      try checkItem(CloudSubscription.self, row, .subscription, place) {
        zoneID = $0.zoneID
        return $0.subscriptionID.sameScalars(as: id)
      }
      guard let zoneID else { return }
      if !zones.values.contains(where: { $0.scope == scope && $0.id == zoneID }) {
        try fault(place, "its zone '\(zoneID)' is missing")
      }
    }
  }
}
