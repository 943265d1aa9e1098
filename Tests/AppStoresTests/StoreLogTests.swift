import AppStores
import Foundation
import RecordModel
import RecordStore
import TestSupport
import Testing

/// Stores with changes in their logs.
@Suite struct StoreLogTests {
  /// Makes a store whose objects are in its log, in three transactions, and returns both files.
  private static func make(
    _ sql: String = "", behind earlier: Bool = false
  ) throws -> (store: [UInt8], log: [UInt8]) {
    let folder = try TestFolder()
    let db = try SQLiteConnection(folder.path("a.store"), creates: true)
    try db.execute(SampleStore.emptySQL)
    if earlier {
      try db.execute("CREATE TABLE T (x); INSERT INTO T VALUES (zeroblob(90000));")
    }
    try db.checkpoint(0)
    try db.execute(SampleStore.objectsSQL)
    try db.execute("UPDATE ZNOTE SET ZTITLE = 'New' WHERE Z_PK = 1" + sql)
    let files = try ["a.store", "a.store-wal"].map { name in
      Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
    }
    try db.close()
    return (files[0], files[1])
  }

  private static func records(
    _ store: [UInt8], _ log: [UInt8], in folder: TestFolder
  ) throws -> [ResultRecord] {
    try folder.write(store, as: "b.store")
    try folder.write(log, as: "b.store-wal")
    return try ReadStore(folder.path("b.store")).records
  }

  @Test func `damage at any byte of the log is an error with its place, or changes nothing`() throws
  {
    let folder = try TestFolder()
    let (store, log) = try Self.make()
    let records = try Self.records(store, log, in: folder)
    #expect(records.contains { $0["CD_title"] == "New" })
    let frame = 24 + 4096
    // All bytes of the headers, and some of the pages.
    let places = log.indices.filter { place in
      place < 32 || (place - 32) % frame < 24 || place % 997 == 0
    }
    for place in TestAmount.of(places, some: places.filter { $0 % 23 == 0 }) {
      var damaged = log
      damaged[place] ^= 0x11
      do {
        let found = try Self.records(store, damaged, in: folder)
        #expect(found == records, "byte \(place)")
      } catch let error as AppStoreError {
        let start = place < 32 ? 0 : (place - 32) / frame * frame + 32
        #expect(error.code == .damaged)
        #expect(error.description.contains("damaged at byte \(start),"), "\(place): \(error)")
      }
    }
  }

  @Test func `frames of an earlier log and an incomplete last frame are not damage`() throws {
    let folder = try TestFolder()
    let (store, log) = try Self.make(behind: true)
    let records = try Self.records(store, log, in: folder)
    #expect(records.contains { $0["CD_title"] == "New" })
    // The log begins anew behind a checkpoint, and is shorter than its file.
    #expect(log.count > 32 + 30 * (24 + 4096))
    #expect(try Self.records(store, log + log[32..<999], in: folder) == records)
  }

  @Test func `what a transaction that was rolled back has left in the log is not damage`() throws {
    let folder = try TestFolder()
    let (store, log) = try Self.make(
      """
      ;
      PRAGMA cache_size = 5;
      BEGIN;
      CREATE TABLE T (x);
      INSERT INTO T WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        SELECT zeroblob(9000) FROM n;
      ROLLBACK;
      UPDATE ZNOTE SET ZTITLE = 'Newer' WHERE Z_PK = 1
      """)
    #expect(log.count > 32 + 40 * (24 + 4096))
    let records = try Self.records(store, log, in: folder)
    #expect(records.contains { $0["CD_title"] == "Newer" })
    let empty = [UInt8](repeating: 0, count: 24 + 4096)
    #expect(try Self.records(store, log + empty, in: folder) == records)
  }
}
