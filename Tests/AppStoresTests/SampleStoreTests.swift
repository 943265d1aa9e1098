import AppStores
import Foundation
import RecordModel
import RecordSchema
import RecordStore
import TestSupport
import Testing

extension SampleStore {
  /// Makes a store and returns its path.
  static func make(in folder: TestFolder, _ name: String = "a.store", _ sql: String = "") throws
    -> String
  {
    let db = try SQLiteConnection(folder.path(name), creates: true)
    try db.execute(emptySQL + objectsSQL + sql)
    try db.close()
    return folder.path(name)
  }
}

@Suite struct SampleStoreTests {
  private static let note = "ANSCKRECORDMETADATA"

  @Test func `objects are records as the mirroring sends them`() throws {
    let folder = try TestFolder()
    let store = try ReadStore(SampleStore.make(in: folder))
    let note = try #require(store.records.first { $0["CD_title"] == "Plans" })
    let folderRecord = try #require(store.records.first { $0.recordType == "CD_Folder" })
    #expect(note.recordType == "CD_Note")
    #expect(note["CD_entityName"] == "Note")
    #expect(note["CD_isPinned"] == 1)
    #expect(note["CD_edited"] == Date(timeIntervalSinceReferenceDate: 700_000_000.5))
    #expect(note["CD_photo"] == Data([0xFF, 0xD8, 0xFF]))
    #expect(note["CD_folder"] == folderRecord.recordID.recordName)
    #expect(folderRecord["CD_id"] == "3A000000-0000-4000-8000-000000000AAA")
    let steps: [String] = try #require(note["CD_steps"])
    #expect(steps.count == 2)
    let draft = try #require(store.records.first { $0["CD_title"] == "Letter" })
    #expect(draft.recordType == "CD_Note" && draft["CD_entityName"] == "Draft")
    #expect(store.records.count { $0.recordType == "CDMR" } == 3)
    // The names are the same each time, and sort as the rows do.
    let again = try ReadStore(folder.path("a.store")).records
    #expect(again == store.records)
    #expect(store.facts.entities.map(\.name) == ["Draft", "Folder", "Note", "Step", "Tag"])
  }

  @Test func `changes in the log alone are read, and no file appears beside the store`() throws {
    let folder = try TestFolder()
    let path = try SampleStore.make(in: folder)
    let db = try SQLiteConnection(path)
    try db.execute("UPDATE ZNOTE SET ZTITLE = 'New' WHERE Z_PK = 1")
    let copy = try TestFolder()
    for name in ["a.store", "a.store-wal"] {
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: copy.path(name))
    }
    let records = try ReadStore(copy.path("a.store")).records
    #expect(records.contains { $0["CD_title"] == "New" })
    #expect(!records.contains { $0["CD_title"] == "Plans" })
    #expect(copy.names == ["a.store", "a.store-wal"])
    try db.close()
  }

  @Test func `a mirrored store has CloudKit's names and zones, and tells what is not uploaded`()
    throws
  {
    let folder = try TestFolder()
    let path = try SampleStore.make(
      in: folder, "m.store",
      """
      CREATE TABLE ANSCKRECORDZONEMETADATA (Z_PK INTEGER PRIMARY KEY, ZCKRECORDZONENAME VARCHAR,
        ZCKOWNERNAME VARCHAR);
      INSERT INTO ANSCKRECORDZONEMETADATA VALUES (1, 'shared', '_kenji'),
        (2, 'com.apple.coredata.cloudkit.zone', '__defaultOwner__');
      CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER,
        ZENTITYPK INTEGER, ZCKRECORDNAME VARCHAR, ZRECORDZONE INTEGER, ZNEEDSUPLOAD INTEGER,
        ZNEEDSCLOUDDELETE INTEGER);
      INSERT INTO ANSCKRECORDMETADATA VALUES
        (1, 2, 1, '1A000000-0000-4000-8000-00000000000A', 2, 0, 0),
        (2, 1, 1, '0F000000-0000-4000-8000-00000000000A', 2, 1, 0),
        (3, 5, 9, '5F000000-0000-4000-8000-00000000000A', 2, 0, 1),
        (4, 5, 1, '5A000000-0000-4000-8000-00000000000A', 1, 0, 0),
        (5, 5, 2, NULL, 2, 0, 0);
      CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY, ZCLOUDKITEVENTTYPE INTEGER,
        ZSUCCEEDED INTEGER, ZSTARTEDAT TIMESTAMP, ZERRORDOMAIN VARCHAR, ZERRORCODE INTEGER);
      INSERT INTO ANSCKEVENT VALUES (1, 2, 0, 700000000, 'CKErrorDomain', 6),
        (2, 2, 1, 600000000, NULL, NULL), (3, 1, 1, 650000000, NULL, NULL);
      """)
    let store = try ReadStore(path)
    let note = try #require(store.records.first { $0["CD_title"] == "Plans" })
    #expect(note.recordID.recordName == "1A000000-0000-4000-8000-00000000000A")
    #expect(note["CD_folder"] == "0F000000-0000-4000-8000-00000000000A")
    let red = try #require(store.records.first { $0["CD_name"] == "red" })
    #expect(red.recordID.zoneID == ZoneID(zoneName: "shared", ownerName: "_kenji"))
    let state = try #require(store.facts.mirroring)
    #expect(state.neverExported == 6)
    #expect(state.needsUpload == 1 && state.needsCloudDelete == 1 && state.withoutObject == 1)
    #expect(state.lastExport?.error == "CKErrorDomain 6" && state.lastExport?.hasSucceeded == false)
    #expect(state.lastImport?.hasSucceeded == true)
    // Its rows name records of the objects that filling would replace.
    let container = try ContainerStore.inMemory()
    let error = #expect(throws: AppStoreError.self) {
      try FilledStoreTests.fill(path, as: folder.path("filled"), from: container)
    }
    #expect(error?.code == .cannotFill)
  }

  @Test func `the sample that is filled from its records equals the original`() throws {
    let folder = try TestFolder()
    let path = try SampleStore.make(in: folder)
    let report = try FilledStoreTests.refill(path, into: path, as: folder.path("filled"))
    #expect(report.objects == ["Folder": 1, "Note": 2, "Draft": 1, "Step": 3, "Tag": 2])
    #expect(report.links == 3)
    #expect(try FilledStoreTests.cells(folder.path("filled")) == FilledStoreTests.cells(path))
  }

  /// A container with two records of tags with the same fields.
  private static func tags(_ fields: [Field]) throws -> ContainerStore {
    let container = try ContainerStore.inMemory()
    let zone = ZoneID(zoneName: CoreDataNames.zoneName)
    _ = try container.importTransaction { transaction in
      try transaction.add(RecordZone(zoneID: zone), to: .private)
      for name in ["one", "two"] {
        try transaction.add(
          ResultRecord(
            systemFields: SystemFields(
              recordID: RecordID(recordName: name, zoneID: zone), recordType: "CD_Tag"),
            fields: fields), to: .private)
      }
    }
    return container
  }

  @Test func `a value that the model allows once is an error with the record's name`() throws {
    let folder = try TestFolder()
    let path = try SampleStore.make(in: folder)
    let container = try Self.tags([
      Field(name: "CD_entityName", value: .string("Tag")),
      Field(name: "CD_name", value: .string("same")),
    ])
    let error = #expect(throws: AppStoreError.self) {
      try FilledStoreTests.fill(path, as: folder.path("filled"), from: container)
    }
    #expect(error?.problems.first?.contains("'two' has the same") == true)
  }

  @Test func `a value that a record lacks and the model requires can be one of the store's`() throws
  {
    let folder = try TestFolder()
    let path = try SampleStore.make(in: folder)
    let container = try Self.tags([Field(name: "CD_entityName", value: .string("Tag"))])
    let error = #expect(throws: AppStoreError.self) {
      try FilledStoreTests.fill(path, as: folder.path("none"), from: container)
    }
    #expect(error?.problems.first?.contains("add 'CD_name', a STRING") == true)
    let filled = folder.path("filled")
    _ = try FilledStoreTests.fill(path, as: filled, from: container, takesValues: true)
    let names = try ReadStore(filled).records.compactMap { $0["CD_name"] as String? }
    #expect(names.sorted() == ["blue", "red"])
  }

  @Test(arguments: [
    ("CDMR", "an object that is not among the records"), ("CD_M2M_Note_tags", "old version"),
  ])
  func `a link that the model does not have is an error`(type: String, text: String) throws {
    let folder = try TestFolder()
    let path = try SampleStore.make(in: folder)
    let container = try ContainerStore.inMemory()
    let zone = ZoneID(zoneName: CoreDataNames.zoneName)
    _ = try container.importTransaction { transaction in
      try transaction.add(RecordZone(zoneID: zone), to: .private)
      let values = [
        ("CD_entityNames", "Tag:Tag"), ("CD_recordNames", "a:b"),
        ("CD_relationships", "notes:notes"),
      ]
      try transaction.add(
        ResultRecord(
          systemFields: SystemFields(
            recordID: RecordID(recordName: "link", zoneID: zone), recordType: type),
          fields: values.map { Field(name: $0.0, value: .string($0.1)) }), to: .private)
    }
    let error = #expect(throws: AppStoreError.self) {
      try FilledStoreTests.fill(path, as: folder.path("filled"), from: container)
    }
    #expect(error?.description.contains(text) == true, "\(String(describing: error))")
  }

  @Test func `damage at any byte of a store is an error or another value, never a crash`() throws {
    let folder = try TestFolder()
    let path = try SampleStore.make(in: folder)
    let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    var errors = 0
    for place in stride(from: 0, to: bytes.count, by: 131) {
      var damaged = bytes
      damaged[place] ^= 0x55
      try folder.write(damaged, as: "damaged.store")
      do {
        guard AppStoreFile.isStore(folder.path("damaged.store")) else { continue }
        _ = try ReadStore(folder.path("damaged.store"))
      } catch is AppStoreError {
        errors += 1
      } catch is ContainerStoreError {
        errors += 1
      }
    }
    #expect(errors > 5)
  }

  @Test func `damage at any byte of the model is an error with its place, or another model`() throws
  {
    let folder = try TestFolder()
    let path = try SampleStore.make(in: folder)
    let model = try #require(Data(base64Encoded: SampleStore.model))
    let db = try SQLiteConnection(path)
    for place in stride(from: 0, to: model.count, by: 5) {
      var damaged = model
      damaged[place] ^= 1 << UInt8(place % 8)
      try db.run("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [damaged])
      do {
        _ = try CoreDataStore(db, path: path)
      } catch let error as AppStoreError {
        #expect(
          error.description.contains("Z_") || error.description.contains("table"), "\(error)")
      }
    }
    try db.close()
  }

  @Test func `the model has the schema that the mirroring needs`() throws {
    let folder = try TestFolder()
    let path = try SampleStore.make(in: folder)
    let db = try AppStoreFile.open(path) { folder.path }
    let model = try CoreDataStore(db, path: path).mirroredModel
    let types = model.fullSchema.recordTypes.map(\.name)
    #expect(Set(types) == ["CD_Folder", "CD_Note", "CD_Step", "CD_Tag", "CDMR", "Users"])
    let note = try #require(model.fullSchema.recordTypes.first { $0.name == "CD_Note" })
    #expect(note.fields.contains { $0.name == "CD_place" && $0.type == .bytes })
    #expect(note.fields.contains { $0.name == "CD_reason" && $0.type == .string })
    #expect(!note.fields.contains { $0.name == "CD_steps" })
  }
}
