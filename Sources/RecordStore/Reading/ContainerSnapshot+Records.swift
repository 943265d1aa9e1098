import Foundation
import RecordModel

/// The records of one type in one zone, as described in the table `section`.
struct SectionRow {
  var zone: Int64
  var zoneID: ZoneID
  var type: Int64
  var recordType: String
  var extent: SectionExtent
}

extension ContainerSnapshot {
  /// Calls `body` with each record of a database in canonical order: by zone, record type and
  /// record name, each by its UTF-8 bytes.
  ///
  /// Only one record is in memory at a time. To stop early, throw an error.
  public func forEachRecord(
    in scope: DatabaseScope, filter: RecordFilter = .all, _ body: (ResultRecord) throws -> Void
  ) throws {
    try forEachRecordBytes(in: scope, filter: filter) { payload, key in
      try body(read(payload, key.recordID, in: scope))
    }
  }

  /// Calls `body` with the canonical JSON of each record in canonical order.
  ///
  /// The bytes are valid only during the call.
  package func forEachRecordBytes(
    in scope: DatabaseScope, filter: RecordFilter = .all,
    _ body: (UnsafeRawBufferPointer, borrowing RecordKey) throws -> Void
  ) throws {
    let hasOrderIndex = try hasIndex("recordOrder")
    var statements: [String: SQLiteStatement] = [:]
    try forEachSection(in: scope, filter) { section in
      let isIndexed = hasOrderIndex && !section.extent.isScannable
      guard isIndexed || section.extent.inOrder else {
        throw ContainerStoreError.damaged(
          detail: "the records of '\(section.recordType)' are out of order, and their index is "
            + "missing")
      }
      let sql = isIndexed ? Self.indexSQL : section.extent.isAlone ? Self.rangeSQL : Self.scanSQL
      let rows = try statements[sql] ?? .make(sql, in: db)
      statements[sql] = rows
      if !isIndexed {
        rows.bind(3, section.extent.firstID)
        rows.bind(4, section.extent.lastID)
      }
      try read(section, rows, in: scope, filter, body)
    }
  }

  private func read(
    _ section: SectionRow, _ rows: SQLiteStatement, in scope: DatabaseScope, _ filter: RecordFilter,
    _ body: (UnsafeRawBufferPointer, borrowing RecordKey) throws -> Void
  ) throws {
    var key = RecordKey(
      zoneID: section.zoneID, recordType: section.recordType,
      name: UnsafeRawBufferPointer(start: nil, count: 0))
    rows.bind(1, section.zone)
    rows.bind(2, section.type)
    defer { rows.reset() }
    let since = filter.modifiedSince?.timeIntervalSinceReferenceDate
    let before = filter.modifiedBefore?.timeIntervalSinceReferenceDate
    var (records, bytes): (Int64, Int64) = (0, 0)
    var hasDamage = false
    let table = CheckedTable.record
    while try rows.step() {
      key.name = rows.bytes(2)
      let payload = rows.bytes(5)
      records &+= 1
      guard rows.isIntact(table) else {
        try leaveOut(damage(of: payload, key, in: scope))
        hasDamage = true
        continue
      }
      bytes &+= Int64(payload.count)
      if let since, let modified = rows.double(4), modified < since { continue }
      if let before, let modified = rows.double(4), modified >= before { continue }
      try body(payload, key)
    }
    // A row whose keys or `id` changed is not found, and so its checksum is not looked at.
    let expected = section.extent
    guard records == expected.records, hasDamage || bytes == expected.bytes else {
      let found = "\(records) records (\(bytes) bytes) of type '\(section.recordType)' in the zone "
      return try leaveOut(
        .damaged(
          detail: place("found \(found)'\(section.zoneID)'", in: scope)
            + "; \(expected.records) (\(expected.bytes) bytes) were expected"))
    }
  }

  /// Returns the error for a record that does not match its checksum.
  private func damage(
    of payload: UnsafeRawBufferPointer, _ key: borrowing RecordKey, in scope: DatabaseScope
  ) -> ContainerStoreError {
    do {
      try check(payload, of: key, in: scope)
    } catch let error as ContainerStoreError {
      return error
    } catch {}
    return unreadable(key.recordID, in: scope, ContainerStoreError.otherChecksum)
  }

  /// Reads rows by `id` if all of them belong to the section.
  private static let rangeSQL = """
    \(CheckedTable.record.select) NOT INDEXED WHERE id BETWEEN ?3 AND ?4 ORDER BY id
    """

  /// Reads rows by `id`.
  private static let scanSQL = """
    \(CheckedTable.record.select) NOT INDEXED
    WHERE id BETWEEN ?3 AND ?4 AND zone = ?1 AND type = ?2 ORDER BY id
    """

  /// Reads rows by the index in export order.
  private static let indexSQL = """
    \(CheckedTable.record.select) INDEXED BY recordOrder
    WHERE zone = ?1 AND type = ?2 ORDER BY name
    """

  func hasIndex(_ name: String) throws -> Bool {
    try db.integer("SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = ?", [name]) != nil
  }

  /// Calls `body` with each section that has records, in canonical order.
  func forEachSection(
    in scope: DatabaseScope, _ filter: RecordFilter, _ body: (SectionRow) throws -> Void
  ) throws {
    try prepareSections()
    let rows = try SQLiteStatement.make(
      """
      SELECT zone.id, zone.scope, zone.name, zone.owner,
        zone.lastChange, zone.firstChange, zone.json, zone.hash,
        recordType.id, recordType.name, recordType.hash,
        section.zone, section.type, \(SectionExtent.columns), section.hash
      FROM zone JOIN section ON section.zone = zone.id
        JOIN recordType ON recordType.id = section.type
      WHERE scope = ? ORDER BY zone.owner, zone.name, recordType.name
      """, in: db)
    defer { rows.reset() }
    rows.bind(1, Int64(scope.rank))
    // The counts in the table are not trusted: no sum of them may overflow.
    var left = Int64.max / 4
    func count(_ number: Int64, _ type: String) throws {
      guard 0...left ~= number else {
        throw ContainerStoreError.damaged(
          detail: "the table of sections counts \(number) records or bytes of '\(type)'")
      }
      left -= number
    }
    var zone: (row: Int64, id: ZoneID)?
    var total: Int64 = 0
    while try rows.step() {
      let row = rows.int64(11)
      let zoneID: ZoneID
      if let zone, zone.row == row {
        zoneID = zone.id
      } else {
        zoneID = rows.zoneID(2)
        // A zone that is damaged is an error of its own: `damagedMetadata` has it.
        zone = (row, zoneID)
      }
      let type = rows.string(9)
      try checkRow(rows, .recordType, from: 8, "the record type '\(type)'", in: scope)
      try checkRow(
        rows, .section, from: 11, "the section '\(type)' of the zone '\(zoneID)'", in: scope)
      let extent = SectionExtent(rows, from: 13)
      try count(extent.records, type)
      total += extent.records
      if extent.records == 0 { continue }
      if let wanted = filter.zoneIDs, !wanted.contains(zoneID) { continue }
      if let wanted = filter.recordTypes, !wanted.contains(type) { continue }
      try count(extent.bytes, type)
      try body(
        SectionRow(
          zone: row, zoneID: zoneID, type: rows.int64(12), recordType: type, extent: extent))
    }
    try checkCount(Int(total), of: .records, in: scope, leaveOut)
  }
}

/// The key columns of a record that is read as bytes.
package struct RecordKey {
  /// The ID of the record's zone; the records of a zone share one object.
  package let zoneID: ZoneID
  package let recordType: String
  /// The record name in UTF-8; valid as long as the payload is.
  package internal(set) var name: UnsafeRawBufferPointer

  package var recordName: String { String(decoding: name, as: UTF8.self) }
  package var recordID: RecordID { RecordID(recordName: recordName, zoneID: zoneID) }
}

/// The number and size of the records of one type in a zone.
public struct RecordTypeSummary: Sendable, Hashable {
  /// The ID of the zone.
  public let zoneID: ZoneID
  /// The record type.
  public let recordType: String
  /// The number of records.
  public let recordCount: Int
  /// The size of the records' canonical JSON in bytes, without assets.
  public let byteCount: Int64
}

/// An asset that a record of a container refers to.
public struct StoredAsset: Sendable, Hashable {
  /// SHA-256 of the content, 64 lowercase hexadecimal digits.
  public let sha256: String
  /// The size of the content in bytes; nil if the content was never stored.
  public let size: Int64?
}
