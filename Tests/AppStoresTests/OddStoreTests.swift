import AppStores
import Foundation
import RecordCoding
import RecordModel
import RecordStore
import TestSupport
import Testing

/// Stores with values and references that are rare, or that Core Data does not write.
@Suite struct OddStoreTests {
  /// Makes the sample, with bytes of its model replaced by as many others.
  private static func make(
    in folder: TestFolder, replacing changes: [(old: [UInt8], new: [UInt8])] = [], _ sql: String
  ) throws -> String {
    let path = try SampleStore.make(in: folder)
    let db = try SQLiteConnection(path)
    let compressed = try #require(Data(base64Encoded: SampleStore.model))
    var model = Data(try Inflate.decompress(Array(compressed), limit: 1 << 20))
    var plist = try #require(try db.first("SELECT Z_PLIST FROM Z_METADATA") { Data($0.bytes(0)) })
    for (old, new) in changes {
      model.replace(old, with: new)
      plist.replace(old, with: new)
    }
    // One block that is not compressed.
    let size = UInt16(model.count)
    let head = [1, UInt8(size & 255), UInt8(size >> 8), UInt8(~size & 255), UInt8(~size >> 8)]
    try db.run("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [Data(head) + model])
    try db.run("UPDATE Z_METADATA SET Z_PLIST = ?", [plist])
    try db.execute(sql)
    try db.close()
    return path
  }

  @Test func `a link names its sides by the entities of its objects`() throws {
    let folder = try TestFolder()
    let path = try Self.make(
      in: folder, replacing: [(Array("Draft".utf8), Array("Zraft".utf8))],
      "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Zraft' WHERE Z_ENT = 3")
    let links = try ReadStore(path).records.filter { $0.recordType == "CDMR" }
    let sides = links.map { "\($0["CD_entityNames"] ?? "") \($0["CD_relationships"] ?? "")" }
    #expect(
      sides.sorted() == ["Note:Tag tags:notes", "Note:Tag tags:notes", "Tag:Zraft notes:tags"])
    _ = try FilledStoreTests.refill(path, into: path, as: folder.path("filled"))
    #expect(try FilledStoreTests.cells(folder.path("filled")) == FilledStoreTests.cells(path))
  }

  @Test func `a UUID in a composite attribute is archived as NSUUID archives itself`() throws {
    let folder = try TestFolder()
    // The type Double of the elements becomes UUID.
    let path = try Self.make(
      in: folder, replacing: [([0x11, 0x01, 0xF4], [0x11, 0x04, 0x4C])],
      "UPDATE ZNOTE SET ZLATITUDE = X'3A000000000040008000000000000AAA', ZLONGITUDE = NULL")
    let note = try #require(try ReadStore(path).records.first { $0["CD_title"] == "Plans" })
    let place: Data = try #require(note["CD_place"])
    let plist = try BinaryPlist(decoding: place)
    let values = plist.objects.compactMap { object -> BinaryPlist.Object? in
      guard case .dictionary(let entries) = object else { return nil }
      let entry = entries.first {
        if case .string("NS.uuidbytes") = plist.objects[Int($0.key)] { true } else { false }
      }
      return entry.map { plist.objects[Int($0.value)] }
    }
    #expect(values.count == 1)
    guard case .data(let bytes) = values.first else {
      Issue.record("\(values)")
      return
    }
    #expect(bytes.count == 16)
    _ = try FilledStoreTests.refill(path, into: path, as: folder.path("filled"))
    #expect(try FilledStoreTests.cells(folder.path("filled")) == FilledStoreTests.cells(path))
  }

  /// Statements that make numbers infinite, with the type of `edited`.
  @Test(arguments: [
    ("UPDATE ZNOTE SET ZEDITED = 9e999", UInt16(500)),
    ("UPDATE ZNOTE SET ZEDITED = -9e999", 900),
    ("UPDATE ZNOTE SET ZLATITUDE = 9e999, ZLONGITUDE = -9e999", 900),
  ])
  func `an infinite number is counted, and comes back`(sql: String, type: UInt16) throws {
    let folder = try TestFolder()
    let path = try Self.make(
      in: folder,
      replacing: [([0x11, 0x03, 0x84], [0x11, UInt8(type >> 8), UInt8(type & 255)])], sql)
    #expect(try ReadStore(path).undecoded.values.reduce(0, +) >= 3)
    _ = try FilledStoreTests.refill(path, into: path, as: folder.path("filled"))
    #expect(try FilledStoreTests.cells(folder.path("filled")) == FilledStoreTests.cells(path))
  }

  @Test(arguments: [
    "UPDATE ZNOTE SET ZEDITED = 9007199254740993 WHERE Z_PK = 1",
    "UPDATE ZNOTE SET ZEDITED = -9223372036854775807",
  ])
  func `a decimal number with more digits than a DOUBLE is counted, and comes back`(
    sql: String
  ) throws {
    let folder = try TestFolder()
    // The type Date becomes Decimal.
    let path = try Self.make(
      in: folder, replacing: [([0x11, 0x03, 0x84], [0x11, 0x01, 0x90])], sql)
    #expect(try ReadStore(path).undecoded.values.reduce(0, +) >= 1)
    _ = try FilledStoreTests.refill(path, into: path, as: folder.path("filled"))
    #expect(try FilledStoreTests.cells(folder.path("filled")) == FilledStoreTests.cells(path))
  }

  @Test(arguments: [
    ("UPDATE ZNOTE SET ZFOLDER = 'Work' WHERE Z_PK = 1", "the row 1 of 'ZNOTE' refers to"),
    ("UPDATE ZNOTE SET ZFOLDER = 1.5 WHERE Z_PK = 2", "the row 2 of 'ZNOTE' refers to"),
    ("INSERT INTO Z_2TAGS VALUES (1, X'00')", "of 'Z_2TAGS' refers to"),
    ("INSERT INTO Z_2TAGS VALUES (NULL, 2)", "of 'Z_2TAGS' links objects"),
  ])
  func `a reference that is not the key of a row is an error`(sql: String, text: String) throws {
    let folder = try TestFolder()
    let path = try Self.make(in: folder, sql)
    let error = #expect(throws: AppStoreError.self) { try ReadStore(path) }
    #expect(error?.description.contains(text) == true, "\(String(describing: error))")
  }

  @Test func `a filled store has the derived values that its triggers compute`() throws {
    let folder = try TestFolder()
    let path = try Self.make(
      in: folder,
      """
      CREATE TABLE ZDERIVED (ZKEY INTEGER);
      CREATE TRIGGER Z_DA_ZTAG_Tag_derived_SOURCE_INSERT AFTER INSERT ON ZTAG FOR EACH ROW BEGIN
        INSERT INTO ZDERIVED VALUES (NEW.Z_PK);
        SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZTAG', 5, NEW.Z_PK, 'a', 1);
      END;
      """)
    _ = try FilledStoreTests.refill(path, into: path, as: folder.path("filled"))
    let db = try SQLiteConnection(folder.path("filled"))
    #expect(try db.integer("SELECT count(*) FROM ZDERIVED") == 2)
    try db.close()
  }

  @Test(arguments: [
    """
    CREATE TRIGGER Z_DA_ZTAG_Tag_a_SOURCE_INSERT AFTER INSERT ON ZTAG FOR EACH ROW BEGIN
      UPDATE ZTAG SET Z_OPT = (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT max(i) FROM n) WHERE Z_PK = NEW.Z_PK;
    END;
    """,
    """
    CREATE TRIGGER Z_DA_ZTAG_Tag_a_DELETE AFTER DELETE ON ZTAG FOR EACH ROW BEGIN
      UPDATE ZTAG SET Z_OPT = (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT max(i) FROM n);
    END;
    """,
  ])
  func `triggers that do not end are an error, and nothing is written`(sql: String) throws {
    let folder = try TestFolder()
    let path = try Self.make(in: folder, sql)
    let error = #expect(throws: AppStoreError.self) {
      try FilledStoreTests.refill(path, into: path, as: folder.path("filled"))
    }
    #expect(
      error?.description.contains("triggers do not end") == true, "\(String(describing: error))")
  }

  @Test func `a page that hides a row is an error`() throws {
    let folder = try TestFolder()
    let path = try Self.make(in: folder, "")
    let db = try SQLiteConnection(path, isReadOnly: true)
    let root = try db.integer("SELECT rootpage FROM sqlite_master WHERE name = 'ZSTEP'")
    try db.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // The number of the page's rows.
    bytes[(Int(try #require(root)) - 1) * 4096 + 4] -= 1
    try folder.write(Array(bytes), as: "hiding.store")
    let error = #expect(throws: AppStoreError.self) { try ReadStore(folder.path("hiding.store")) }
    #expect(error?.code == .damaged)
    #expect(error?.description.contains("check of its pages finds") == true)
  }

  @Test func `a zone without a name is an error with its row`() throws {
    let folder = try TestFolder()
    let path = try Self.make(
      in: folder,
      """
      CREATE TABLE ANSCKRECORDZONEMETADATA (Z_PK INTEGER PRIMARY KEY, ZCKRECORDZONENAME VARCHAR,
        ZCKOWNERNAME VARCHAR);
      INSERT INTO ANSCKRECORDZONEMETADATA VALUES (3, NULL, '__defaultOwner__');
      CREATE TABLE ANSCKRECORDMETADATA (ZENTITYID, ZENTITYPK, ZCKRECORDNAME);
      """)
    let error = #expect(throws: AppStoreError.self) { try ReadStore(path) }
    #expect(error?.description.contains("the row 3 of 'ANSCKRECORDZONEMETADATA'") == true)
  }

  @Test func `a link to a missing object stays, and does not fit a store`() throws {
    let folder = try TestFolder()
    let path = try Self.make(in: folder, "DELETE FROM ZTAG WHERE Z_PK = 2")
    #expect(try ReadStore(path).records.count { $0.recordType == "CDMR" } == 3)
    let error = #expect(throws: AppStoreError.self) {
      try FilledStoreTests.refill(path, into: path, as: folder.path("filled"))
    }
    #expect(error?.description.contains("leads to an object that is not among") == true)
  }
}
