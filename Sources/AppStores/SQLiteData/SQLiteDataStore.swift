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
  private static let timeField = "sqlitedata_icloud_userModificationTime"

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
  private let metadata: (path: String, db: SQLiteConnection)?
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
    (self.path, self.db, self.metadata) = (path, db, metadata)
    // The engine notes the tables when it first finds an account.
    let synced =
      try metadata.map { metadata in
        try Self.translating(metadata.path) {
          try metadata.db.all("SELECT tableName FROM sqlitedata_icloud_recordTypes") {
            $0.string(0)
          }
        }
      } ?? []
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
    return MirroredModel(name: path, kind: .sqliteData, entities: entities)
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
    if let metadata {
      try Self.translating(metadata.path) { try metadata.db.checkPages(metadata.path) }
    }
    return try Self.translating(path) {
      try db.checkPages(path)
      try container.add(RecordZone(zoneID: ZoneID(zoneName: Self.zoneName)), to: .private)
      var zones: Set<ZoneLocation> = []
      for table in tables {
        let columns = ([table.key] + table.columns.map(\.name)).map(\.quoted)
        try db.forEachRow(
          "SELECT \(columns.joined(separator: ", ")) FROM \(table.name.quoted) ORDER BY 1"
        ) { row in
          let (record, files) = try record(row, table)
          let zoneID = record.recordID.zoneID
          let scope: DatabaseScope =
            zoneID.ownerName == ZoneID.currentUserOwnerName ? .private : .shared
          if zones.insert(ZoneLocation(scope, zoneID)).inserted {
            try container.add(RecordZone(zoneID: zoneID), to: scope)
          }
          try container.add(record, to: scope)
          for (digest, bytes) in files {
            try bytes.withUnsafeBytes {
              try container.addAssetChunk(
                $0, at: 0, ofAsset: digest.description, size: Int64(bytes.count))
            }
          }
        }
      }
      return losses
    }
  }

  private func record(
    _ row: SQLiteStatement, _ table: Table
  ) throws -> (ResultRecord, files: [(SHA256Digest, Data)]) {
    let key = Self.text(row.cell(0)) ?? ""
    let state = try state(of: key, in: table.name)
    let zoneID = state?.zoneID ?? ZoneID(zoneName: Self.zoneName)
    func recordID(_ key: String, _ table: String) -> RecordID {
      RecordID(recordName: "\(key):\(table)", zoneID: zoneID)
    }
    var fields: [Field] = []
    var files: [(SHA256Digest, Data)] = []
    var parent = state?.parent.map { RecordID(recordName: $0, zoneID: zoneID) }
    if let time = state?.time {
      fields.append(Field(name: Self.timeField, value: .int64(time), isEncrypted: true))
    }
    for (place, column) in table.columns.enumerated() {
      let cell = row.cell(Int32(place + 1))
      if let time = state?.time {
        let name = "\(Self.timeField)_\(column.name)"
        fields.append(Field(name: name, value: .int64(time), isEncrypted: true))
      }
      if state == nil, column.name == table.parent?.column, let target = table.parent?.table {
        parent = Self.text(cell).map { recordID($0, target) }
      }
      fields += self.fields(of: column, cell, in: table.name, &files)
    }
    var system = SystemFields(recordID: recordID(key, table.name), recordType: table.name)
    if let server = state?.server {
      (system.recordChangeTag, system.created) = (server.recordChangeTag, server.created)
      (system.modified, system.share) = (server.modified, server.share)
    }
    system.parent = parent.map { Reference(recordID: $0) }
    return (ResultRecord(systemFields: system, fields: fields), files)
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

  // MARK: Metadata

  private struct State {
    var zoneID: ZoneID
    var parent: String?
    var time: Int64
    var server: SystemFields?
  }

  private func state(of key: String, in table: String) throws -> State? {
    guard let metadata else { return nil }
    return try Self.translating(metadata.path) {
      try metadata.db.first(
        """
        SELECT zoneName, ownerName, parentRecordName, userModificationTime, lastKnownServerRecord
        FROM sqlitedata_icloud_metadata WHERE recordPrimaryKey = ? AND recordType = ?
        """, [key, table]
      ) { row in
        var server: SystemFields?
        if !row.isNull(4) {
          server = try? SystemFields(decoding: Data(row.bytes(4)))
          if server == nil { losses.add(.notDecoded, "\(table).lastKnownServerRecord") }
        }
        return State(
          zoneID: ZoneID(zoneName: row.string(0), ownerName: row.string(1)).shared(),
          parent: row.isNull(2) ? nil : row.string(2), time: row.int64(3), server: server)
      }
    }
  }

  package func facts() throws -> StoreFacts {
    var facts = StoreFacts(
      library: "SQLiteData", uuid: "", versionIdentifiers: [], unexplainedColumns: [])
    facts.entities = try Self.translating(path) {
      try tables.map {
        ($0.name, Int(try db.integer("SELECT count(*) FROM \($0.name.quoted)") ?? 0))
      }
    }
    guard let metadata else { return facts }
    facts.mirroring = try Self.translating(metadata.path) {
      func count(_ condition: String) throws -> Int {
        Int(
          try metadata.db.integer(
            "SELECT count(*) FROM sqlitedata_icloud_metadata WHERE \(condition)") ?? 0)
      }
      var state = StoreFacts.Mirroring()
      let known = try count("lastKnownServerRecord NOT NULL AND NOT _isDeleted")
      state.neverExported = max(0, facts.entities.reduce(0) { $0 + $1.count } - known)
      state.needsCloudDelete = try count("_isDeleted")
      return state
    }
    return facts
  }
}
