-- The lines of all bundles in the current folder, whether shards or parts:
--
--   cd parts && duckdb < PATH/query.sql
--
-- Columns are named because lines of different kinds differ; Schemas/recordpack-line-v1.schema.json
-- has all of them. Shards and parts repeat zones, and parts repeat subscriptions and assets.
CREATE OR REPLACE TEMP VIEW lines AS
SELECT * FROM read_json('*.zst',
  format = 'newline_delimited', compression = 'zstd', filename = true,
  maximum_object_size = 33554432,
  columns = {kind: 'VARCHAR', database: 'VARCHAR',
             zoneID: 'STRUCT(zoneName VARCHAR, ownerRecordName VARCHAR)',
             recordType: 'VARCHAR', recordName: 'VARCHAR',
             modified: 'STRUCT("timestamp" DOUBLE, userRecordName VARCHAR)',
             parent: 'STRUCT(recordName VARCHAR)',
             fields: 'JSON', sha256: 'VARCHAR', size: 'BIGINT'});

-- Records by zone and type. Zones of several owners can have one name.
SELECT database, zoneID.ownerRecordName AS owner, zoneID.zoneName AS zone, recordType AS type,
       count(*) AS records
FROM lines WHERE kind = 'record' GROUP BY ALL ORDER BY ALL;

-- Who writes how much, and until when.
SELECT modified.userRecordName AS "user", count(*) AS records,
       make_timestamp(max(modified."timestamp")::BIGINT * 1000) AS latest
FROM lines WHERE kind = 'record' GROUP BY ALL ORDER BY records DESC, "user" LIMIT 5;

-- References whose record is in none of the files: none, as pseudonyms fit across parts.
WITH record AS MATERIALIZED (SELECT database, zoneID, recordName, parent FROM lines
                             WHERE kind = 'record')
SELECT count(*) AS parents, count(*) FILTER (target.recordName IS NULL) AS missing
FROM record AS child LEFT JOIN record AS target
  ON target.database = child.database AND target.zoneID = child.zoneID
 AND target.recordName = child.parent.recordName
WHERE child.parent IS NOT NULL;

-- The bytes of assets, each once.
SELECT count(*) AS assets, sum(size) AS bytes
FROM (SELECT DISTINCT sha256, size FROM lines WHERE kind = 'asset');
