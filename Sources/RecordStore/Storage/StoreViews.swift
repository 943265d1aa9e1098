/// The views of a container file for use with any SQLite tool, with names instead of numbers, and
/// ISO 8601 dates. RecordPack itself reads the tables.
enum StoreViews {
  static let all = """
    CREATE VIEW records AS
    SELECT \(database) AS database, zone.name AS zone, zone.owner AS owner,
      recordType.name AS type, record.name AS name,
      json_extract(CAST(record.json AS TEXT), '$.recordChangeTag') AS changeTag,
      \(date("json_extract(CAST(record.json AS TEXT), '$.created.timestamp')")) AS created,
      json_extract(CAST(record.json AS TEXT), '$.created.userRecordName') AS createdBy,
      \(date("json_extract(CAST(record.json AS TEXT), '$.modified.timestamp')")) AS modified,
      json_extract(CAST(record.json AS TEXT), '$.modified.userRecordName') AS modifiedBy,
      json_extract(CAST(record.json AS TEXT), '$.parent.recordName') AS parent,
      length(record.json) AS bytes, CAST(record.json AS TEXT) AS json
    FROM record JOIN zone ON zone.id = record.zone JOIN recordType ON recordType.id = record.type;

    CREATE VIEW zones AS
    SELECT \(database) AS database, zone.name AS zone, zone.owner AS owner,
      coalesce((SELECT sum(records) FROM section WHERE section.zone = zone.id), 0) AS records,
      coalesce((SELECT sum(bytes) FROM section WHERE section.zone = zone.id), 0) AS bytes,
      CAST(zone.json AS TEXT) AS json
    FROM zone;

    CREATE VIEW deletions AS
    SELECT \(database) AS database, zone.name AS zone, zone.owner AS owner,
      json_extract(CAST(tombstone.json AS TEXT), '$.recordType') AS type, tombstone.name AS name,
      \(date("json_extract(CAST(tombstone.json AS TEXT), '$.deleted')")) AS deleted
    FROM tombstone JOIN zone ON zone.id = tombstone.zone
    UNION ALL
    SELECT \(database) AS database, zone.name AS zone, zone.owner AS owner, NULL, NULL, NULL
    FROM zoneTombstone AS zone;

    CREATE VIEW assets AS
    SELECT lower(hex(sha256)) AS sha256, size,
      (SELECT count(*) FROM assetUse WHERE assetUse.asset = asset.id) AS records
    FROM asset WHERE sha256 IS NOT NULL;
    """

  private static let database =
    "CASE zone.scope WHEN 0 THEN 'public' WHEN 1 THEN 'private' ELSE 'shared' END"

  /// Returns the SQL for a time in milliseconds since 1970 as `2024-11-16T05:33:20.125Z`.
  private static func date(_ milliseconds: String) -> String {
    "strftime('%Y-%m-%dT%H:%M:%fZ', \(milliseconds) / 1000.0, 'unixepoch')"
  }
}
