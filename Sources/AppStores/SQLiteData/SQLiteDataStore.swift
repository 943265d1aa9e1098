import Foundation
import RecordCoding
import RecordModel
import RecordPlatform
import RecordSchema
import RecordStore

/// The database of an app with SQLiteData: its tables, and the metadata database of its sync engine if
/// that is beside it.
///
/// Source: SQLiteData (`CloudKit+StructuredQueries.swift`, `Metadatabase.swift`).
package final class SQLiteDataStore: AppStoreContents {
  private static let zoneName = "co.pointfree.SQLiteData.defaultZone"

  private struct Column {
    var name: String
    var type: MirroredModel.AttributeType
    var isNotNull: Bool
  }

  private struct Table {
    var name: String
    var key: String
    var columns: [Column]
    /// The column of the only foreign key, and the table that it leads to.
    var parent: (column: String, table: String)?
  }

  private let path: String
  private let db: SQLiteConnection
  private let metadata: SyncMetadata?
  private let tables: [Table]
  private var losses: [StoreLoss: Int] = [:]
  /// The numbers of rows of tables that SQLiteData does not synchronize.
  private var otherRows: [String: Int] = [:]

  /// - Parameters:
  ///   - db: A connection to the app's database or a copy of it.
  ///   - metadata: A connection to the sync engine's, and its path; nil without one.
  package init(
    _ db: SQLiteConnection, _ metadata: (path: String, db: SQLiteConnection)?, path: String
  ) throws {
    (self.path, self.db) = (path, db)
    self.metadata = try metadata.map { try SyncMetadata($0.db, path: $0.path) }
    let synced = try self.metadata?.tables() ?? []
    var rows: [String: Int] = [:]
    tables = try Self.translating(path) {
      // The tables of a virtual one are "shadow".
      let names = try db.all(
        """
        SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
          AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name NOT LIKE 'sqlitedata!_%' ESCAPE '!'
          AND name <> 'grdb_migrations' ORDER BY name
        """
      ) { $0.string(0) }
      return try names.filter { synced.isEmpty || synced.contains($0) }.compactMap { name in
        if let table = try Self.table(name, db) { return table }
        rows[name] = Int(try db.integer("SELECT count(*) FROM \(name.quoted)") ?? 0)
        return nil
      }
    }
    otherRows = rows.filter { $0.value > 0 }
  }

  private static func translating<R>(_ path: String, _ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as SQLiteError {
      throw CoreDataStore.translated(error, path)
    }
  }

  /// Returns a table; nil for one without a primary key of one column, which is not synchronized.
  private static func table(_ name: String, _ db: SQLiteConnection) throws -> Table? {
    var keys: [String] = []
    var columns: [Column] = []
    // Generated columns are hidden.
    try db.forEachRow(
      "SELECT name, upper(type), \"notnull\", pk FROM pragma_table_xinfo(?) WHERE hidden = 0",
      [name]
    ) { row in
      columns.append(
        Column(
          name: row.string(0), type: try type(of: row.string(0), row.string(1), in: name, db),
          isNotNull: row.int64(2) != 0))
      if row.int64(3) > 0 { keys.append(row.string(0)) }
    }
    guard keys.count == 1 else { return nil }
    let parents = try db.all("SELECT \"from\", \"table\" FROM pragma_foreign_key_list(?)", [name]) {
      (column: $0.string(0), table: $0.string(1))
    }
    return Table(
      name: name, key: keys[0], columns: columns, parent: parents.count == 1 ? parents[0] : nil)
  }

  package var mirroredModel: MirroredModel {
    let entities = tables.map { table in
      MirroredModel.Entity(
        table.name,
        attributes: table.columns.map {
          .init($0.name, $0.type, isOptional: !$0.isNotNull)
        })
    }
    return MirroredModel(
      name: path, kind: .sqliteData, entities: entities,
      sharing: metadata?.hasShares == true ? SchemaLocation(file: path) : nil)
  }

  /// The type of a column: by SQLite's rules for the names of types, or by its cells if some have
  /// others, as in a column without a type.
  private static func type(
    of column: String, _ name: String, in table: String, _ db: SQLiteConnection
  ) throws -> MirroredModel.AttributeType {
    let (type, cells): (MirroredModel.AttributeType, String) =
      if name.contains("INT") || name.contains("BOOL") {
        (.integer, "integer")
      } else if name.contains("BLOB") {
        (.binary, "blob")
      } else if ["REAL", "FLOA", "DOUB"].contains(where: name.contains) {
        (.double, "real")
      } else {
        (.textOrDate, "text")
      }
    let others = "FROM \(table.quoted) WHERE typeof(\(column.quoted)) NOT IN ('null', ?)"
    guard try db.integer("SELECT EXISTS (SELECT 1 \(others))", [cells]) == 1 else { return type }
    let found = try db.all("SELECT DISTINCT typeof(\(column.quoted)) \(others)", ["null"]) {
      $0.string(0)
    }
    switch Set(found) {
    case ["integer"]: return .integer
    case ["real"], ["integer", "real"]: return .double
    case ["text"]: return .textOrDate
    case ["blob"]: return .binary
    default: return type
    }
  }

  package var info: ContainerInfo {
    ContainerInfo(schema: SchemaPrinter().print(mirroredModel.fullSchema))
  }

  // MARK: Records

  package func fill(_ container: ImportTransaction) throws -> [StoreLoss: Int] {
    losses = [:]
    for (table, count) in otherRows { losses.add(.notSynchronized, table, count) }
    if let metadata { try metadata.translating { try $0.checkPages(metadata.path) } }
    return try Self.translating(path) {
      try db.checkPages(path)
      try container.add(RecordZone(zoneID: ZoneID(zoneName: Self.zoneName)), to: .private)
      var zones: Set<ZoneLocation> = []
      func add(_ record: ResultRecord) throws {
        let zoneID = record.recordID.zoneID
        let scope: DatabaseScope =
          zoneID.ownerName == ZoneID.currentUserOwnerName ? .private : .shared
        if zones.insert(ZoneLocation(scope, zoneID)).inserted {
          try container.add(RecordZone(zoneID: zoneID), to: scope)
        }
        try container.add(record, to: scope)
      }
      var known: [String: Int] = [:]
      for table in tables {
        try checkKeys(of: table)
        let columns = ([table.key] + table.columns.map(\.name)).map(\.quoted)
        try db.forEachRow(
          "SELECT \(columns.joined(separator: ", ")) FROM \(table.name.quoted) ORDER BY 1"
        ) { row in
          let key = Self.text(row.cell(0)) ?? ""
          let state = try metadata?.state(
            of: key, in: table.name, columns: table.columns.map(\.name), &losses)
          if state?.isKnown == true { known[table.name, default: 0] += 1 }
          let (record, files) = record(row, table, key, state)
          try add(record)
          if let share = state?.share { try add(share) }
          for (digest, bytes) in files {
            try bytes.withUnsafeBytes {
              try container.addAssetChunk(
                $0, at: 0, ofAsset: digest.description, size: Int64(bytes.count))
            }
          }
        }
      }
      for (type, count) in try metadata?.knownCounts() ?? [] where count > known[type] ?? 0 {
        losses.add(.noRow, type, count - (known[type] ?? 0))
      }
      return losses
    }
  }

  /// Checks that the keys of a table have different texts, which name their records: a column without a
  /// type can have 7 and '7'.
  private func checkKeys(of table: Table) throws {
    let key = table.key.quoted
    let isMixed = try db.integer(
      """
      SELECT min(typeof(\(key))) <> max(typeof(\(key))) OR count(*) > count(\(key)) + 1
      FROM \(table.name.quoted)
      """)
    guard isMixed == 1 else { return }
    let repeated = try db.text(
      """
      SELECT ifnull(CAST(\(key) AS TEXT), '') FROM \(table.name.quoted)
      GROUP BY 1 HAVING count(*) > 1 LIMIT 1
      """)
    guard let repeated else { return }
    throw AppStoreError(
      .damaged, path,
      "the table '\(table.name)' has several rows whose \(table.key) is '\(repeated)' as text, so "
        + "all of them are the record '\(repeated):\(table.name)'; give each another \(table.key)")
  }

  private func record(
    _ row: SQLiteStatement, _ table: Table, _ key: String, _ state: SyncMetadata.State?
  ) -> (ResultRecord, files: [(SHA256Digest, Data)]) {
    let zoneID = state?.zoneID ?? ZoneID(zoneName: Self.zoneName)
    func recordID(_ key: String, _ table: String) -> RecordID {
      RecordID(recordName: "\(key):\(table)", zoneID: zoneID)
    }
    var fields = ServerFields(state)
    var files: [(SHA256Digest, Data)] = []
    var parent = state?.parent.map { RecordID(recordName: $0, zoneID: zoneID) }
    for (place, column) in table.columns.enumerated() {
      let cell = row.cell(Int32(place + 1))
      if state == nil, column.name == table.parent?.column, let target = table.parent?.table {
        parent = Self.text(cell).map { recordID($0, target) }
      }
      fields.set(column.name, self.fields(of: column, cell, in: table.name, &files))
    }
    for name in fields.missingFiles { losses.add(.noServerValue, "\(table.name).\(name)") }
    var system = SystemFields(recordID: recordID(key, table.name), recordType: table.name)
    if let server = state?.systemFields {
      (system.recordChangeTag, system.created) = (server.recordChangeTag, server.created)
      (system.modified, system.share) = (server.modified, server.share)
    }
    system.parent = parent.map { Reference(recordID: $0) }
    return (ResultRecord(systemFields: system, fields: fields.all), files)
  }

  /// Returns the fields of a column: an encrypted value, or a file and its digest.
  private func fields(
    of column: Column, _ cell: SQLiteCell, in table: String,
    _ files: inout [(SHA256Digest, Data)]
  ) -> [Field] {
    let (type, column) = (column.type, column.name)
    switch cell {
    case .null: return []
    case .integer(let number) where type == .double && Int64(exactly: Double(number)) == number:
      return [Field(name: column, value: .double(Double(number)), isEncrypted: true)]
    case .integer(let number):
      return [Field(name: column, value: .int64(number), isEncrypted: true)]
    case .real(let number) where number.isFinite:
      return [Field(name: column, value: .double(number), isEncrypted: true)]
    case .text(let bytes):
      if let text = String(validating: bytes, as: UTF8.self) {
        return [Field(name: column, value: .string(text), isEncrypted: true)]
      }
      losses.add(.notDecoded, "\(table).\(column)")
      return [Field(name: column, value: .bytes(Data(bytes)), isEncrypted: true)]
    case .real(let number):
      losses.add(.notDecoded, "\(table).\(column)")
      return [Field(name: column, value: .string("\(number)"), isEncrypted: true)]
    case .blob(let bytes):
      let digest = SHA256Digest(of: bytes)
      files.append((digest, Data(bytes)))
      let asset = Asset(sha256: digest.description, size: Int64(bytes.count))
      return [
        Field(name: column, value: .asset(asset)),
        Field(
          name: column + "_hash", value: .bytes(digest.withBytes { Data($0) }), isEncrypted: true),
      ]
    }
  }

  /// The text of a primary key in the name of a record; nil for NULL.
  private static func text(_ cell: SQLiteCell) -> String? {
    switch cell {
    case .null: nil
    case .integer(let number): String(number)
    case .real(let number): "\(number)"
    case .text(let bytes): String(decoding: bytes, as: UTF8.self)
    case .blob(let bytes):
      UUIDText.text(bytes)?.lowercased() ?? Data(bytes).base64EncodedString()
    }
  }

  // MARK: Facts

  package func facts() throws -> StoreFacts {
    var facts = StoreFacts(
      library: "SQLiteData", uuid: "", versionIdentifiers: [], unexplainedColumns: [])
    facts.entities = try Self.translating(path) {
      try tables.map {
        ($0.name, Int(try db.integer("SELECT count(*) FROM \($0.name.quoted)") ?? 0))
      }
    }
    guard let metadata else { return facts }
    var (rows, found) = (0, 0)
    try Self.translating(path) {
      for table in tables {
        try db.forEachRow("SELECT \(table.key.quoted) FROM \(table.name.quoted)") { row in
          rows += 1
          let key = Self.text(row.cell(0)) ?? ""
          if try metadata.isKnown(key, in: table.name) { found += 1 }
        }
      }
    }
    var state = StoreFacts.Mirroring()
    state.neverExported = rows - found
    state.withoutObject = max(0, try metadata.knownCounts().reduce(0) { $0 + $1.count } - found)
    state.needsCloudDelete = try metadata.translating {
      try $0.integer("SELECT count(*) FROM sqlitedata_icloud_metadata WHERE _isDeleted")
    }.map { Int($0) }
    facts.mirroring = state
    return facts
  }
}
