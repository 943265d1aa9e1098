import RecordModel

/// Listings: a server lists all records of a zone, or of a type in it, in several transactions. At
/// the end, those that it did not list are removed.
///
/// The names lie in the table `listing`, which exists as long as there are such listings.
extension MirrorWriter {
  private static let table = """
    CREATE TABLE IF NOT EXISTS listing (
      zone INTEGER NOT NULL, type INTEGER NOT NULL, name TEXT NOT NULL,
      PRIMARY KEY (zone, type, name)
    ) WITHOUT ROWID
    """

  /// Begins a listing of a zone's records, or begins it anew.
  ///
  /// - Parameter recordType: The type that is listed; nil for all.
  /// - Returns: Whether the container has such records, so that ``noteListed(_:_:in:)`` has to be
  ///   called with those of the listing.
  package func beginListing(
    of zoneID: ZoneID, _ recordType: String?, in scope: DatabaseScope
  ) throws -> Bool {
    guard let zone = try writer.zone(zoneID, in: scope) else { return false }
    try endListing(of: zone, recordType, removing: false)
    guard let recordType else { return try writer.recordCount(of: zone) > 0 }
    return try writer.section(zone, writer.type(recordType)).records > 0
  }

  /// Notes that a record was listed.
  package func noteListed(
    _ recordID: RecordID, _ recordType: String?, in scope: DatabaseScope
  ) throws {
    let zone = try zone(recordID.zoneID, in: scope)
    try writer.db.run(Self.table)
    try writer.db.run(
      "INSERT OR IGNORE INTO listing (zone, type, name) VALUES (?, ?, ?)",
      [zone.id, typeID(recordType), recordID.recordName])
  }

  /// Ends a listing, and removes the records that were not listed.
  ///
  /// - Returns: The number of removed records.
  @discardableResult
  package func endListing(
    of zoneID: ZoneID, _ recordType: String?, in scope: DatabaseScope
  ) throws -> Int {
    guard let zone = try writer.zone(zoneID, in: scope) else { return 0 }
    return try endListing(of: zone, recordType, removing: true)
  }

  @discardableResult
  func endListing(of zone: ZoneState, _ recordType: String?, removing: Bool) throws -> Int {
    if !removing, try !hasTable() { return 0 }
    try writer.db.run(Self.table)
    let type = try typeID(recordType)
    var removed = 0
    if removing {
      let gone = try writer.db.all(
        """
        SELECT id, type, length(json) FROM record
        WHERE zone = ?1 AND (?2 = 0 OR type = ?2) AND NOT EXISTS (
          SELECT 1 FROM listing WHERE zone = ?1 AND type = ?2 AND name = record.name)
        """, [zone.id, type], StoredRow.init)
      if !gone.isEmpty { writer.changes.noteMirrored(zone.scope) }
      for row in gone { try writer.remove(row, from: zone) }
      removed = gone.count
    }
    try writer.db.run(
      "DELETE FROM listing WHERE zone = ? AND (type = ? OR ? = 0)", [zone.id, type, type])
    if try writer.db.integer("SELECT 1 FROM listing LIMIT 1") == nil {
      try writer.db.execute("DROP TABLE listing")
    }
    return removed
  }

  private func hasTable() throws -> Bool {
    try writer.db.integer("SELECT 1 FROM sqlite_master WHERE name = 'listing'") != nil
  }

  /// The number of a type; 0 for all types.
  private func typeID(_ recordType: String?) throws -> Int64 {
    try recordType.map { try writer.type($0).id } ?? 0
  }
}
