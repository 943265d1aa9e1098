import AppStores
import Foundation
import RecordModel
import RecordStore
import TestSupport
import Testing

/// Stores with the tables of Core Data's mirroring.
@Suite struct MirroringTests {
  private static let home = "com.apple.coredata.cloudkit.zone"

  private static let tables = """
    CREATE TABLE ANSCKDATABASEMETADATA (Z_PK INTEGER PRIMARY KEY, ZDATABASESCOPENUM INTEGER);
    CREATE TABLE ANSCKRECORDZONEMETADATA (Z_PK INTEGER PRIMARY KEY, ZDATABASE INTEGER,
      ZCKRECORDZONENAME VARCHAR, ZCKOWNERNAME VARCHAR);
    CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, ZENTITYID INTEGER, ZENTITYPK INTEGER,
      ZCKRECORDNAME VARCHAR, ZRECORDZONE INTEGER);
    CREATE TABLE ANSCKMIRROREDRELATIONSHIP (Z_PK INTEGER PRIMARY KEY, ZNEEDSDELETE INTEGER,
      ZRECORDZONE INTEGER, ZCKRECORDID VARCHAR, ZRECORDNAME VARCHAR, ZRELATEDRECORDNAME VARCHAR,
      ZRELATIONSHIPNAME VARCHAR);
    CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY, ZCLOUDKITEVENTTYPE INTEGER, ZSUCCEEDED INTEGER,
      ZSTARTEDAT TIMESTAMP, ZENDEDAT TIMESTAMP, ZERRORDOMAIN VARCHAR, ZERRORCODE INTEGER);
    """

  private static let databases = """
    INSERT INTO ANSCKDATABASEMETADATA VALUES (1, 2), (2, 3);
    INSERT INTO ANSCKRECORDZONEMETADATA VALUES (1, 1, '\(home)', '__defaultOwner__'),
      (2, 1, 'S', '__defaultOwner__'), (3, 2, 'T', '_kenji');
    """

  private static func store(_ folder: TestFolder, _ sql: String) throws -> ReadStore {
    try ReadStore(SampleStore.make(in: folder, "m.store", tables + sql))
  }

  @Test func `an object without a name yet is in the zone of its row`() throws {
    let store = try Self.store(
      TestFolder(), Self.databases + "INSERT INTO ANSCKRECORDMETADATA VALUES (1, 2, 1, NULL, 3)")
    let zones = store.records.filter { $0.recordType == "CD_Note" }.map {
      "\($0["CD_title"] ?? "") \($0.recordID.zoneID.zoneName)"
    }
    #expect(zones.sorted() == ["Grüße \(Self.home)", "Letter \(Self.home)", "Plans T"])
    #expect(store.facts.mirroring?.neverExported == 9)
    #expect(store.losses.isEmpty)
  }

  @Test func `objects of a store for the public database are in its default zone`() throws {
    let store = try Self.store(TestFolder(), "INSERT INTO ANSCKDATABASEMETADATA VALUES (1, 1)")
    #expect(Set(store.records.map(\.recordID.zoneID)) == [.default])
    #expect(store.scopes == [.public])
  }

  @Test func `an object whose zone has no row is a loss`() throws {
    let store = try Self.store(
      TestFolder(), Self.databases + "INSERT INTO ANSCKRECORDMETADATA VALUES (1, 2, 1, 'N', 9)")
    #expect(store.losses == [StoreLoss(.noZone, "Note"): 1])
    #expect(store.losses.keys.first?.example == "row 1 of 'ZNOTE': ZRECORDZONE is 9")
  }

  /// Links with equal names of objects in two zones, and one that waits for its deletion.
  @Test func `a link has the name of its own zone, and not one that waits for deletion`() throws {
    let store = try Self.store(
      TestFolder(),
      Self.databases + """
        INSERT INTO ANSCKRECORDMETADATA VALUES (1, 2, 1, 'N', 1), (2, 5, 1, 'T', 1),
          (3, 2, 4, 'N', 2), (4, 5, 2, 'T', 2);
        DELETE FROM Z_2TAGS; INSERT INTO Z_2TAGS VALUES (1, 1), (4, 2);
        INSERT INTO ANSCKMIRROREDRELATIONSHIP VALUES (1, 1, 1, 'Old', 'N', 'T', 'tags'),
          (2, 0, 2, 'L2', 'N', 'T', 'tags'), (3, 0, 1, 'L1', 'T', 'N', 'notes');
        """)
    let links = store.records.filter { $0.recordType == "CDMR" }.map {
      "\($0.recordID.zoneID.zoneName) \($0.recordID.recordName)"
    }
    #expect(links.sorted() == ["S L2", "\(Self.home) L1"])
  }

  @Test(arguments: [
    ("(1, 2, 1, 'X', 1), (2, 2, 4, 'X', 1)", "row 1 for the row 1 of 'ZNOTE', row 2 for the row 4"),
    ("(7, 2, 1, 'X', NULL), (9, 1, 1, 'X', NULL)", "row 9 for the row 1 of 'ZFOLDER'"),
  ])
  func `objects that share a record name are an error with their rows`(rows: String, text: String)
    throws
  {
    let error = #expect(throws: AppStoreError.self) {
      try Self.store(
        TestFolder(), Self.databases + "INSERT INTO ANSCKRECORDMETADATA VALUES \(rows)")
    }
    #expect(error?.description.contains("the record name 'X'") == true)
    #expect(error?.description.contains(text) == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    ("(1, 2, 1, 100, 101, NULL, 0), (2, 2, 0, 200, NULL, NULL, NULL)", true, true, 100.0),
    ("(1, 2, 0, 100, 101, 'CKErrorDomain', 6), (2, 2, 0, 200, NULL, NULL, NULL)", true, false, 100),
    ("(1, 2, 0, 100, NULL, NULL, 0), (2, 2, 0, 200, NULL, NULL, NULL)", false, false, 200),
  ])
  func `the last event is one that ended, if there is one`(
    rows: String, hasEnded: Bool, hasSucceeded: Bool, start: Double
  ) throws {
    let store = try Self.store(TestFolder(), "INSERT INTO ANSCKEVENT VALUES \(rows)")
    let event = try #require(store.facts.mirroring?.lastExport)
    #expect(event.hasEnded == hasEnded && event.hasSucceeded == hasSucceeded)
    #expect(event.date == Date(timeIntervalSinceReferenceDate: start))
  }

  /// A model of persons with `friends`, a many-to-many relationship that is its own inverse.
  private static let friends = """
    VVJNbBtVEJ43rz/ZJK03/4kLtCnbpiHFOA3/Py1unBbX9SZkHccJaczafnE2bHet/WnxBT1x6I0DqsRPUdXGQUhVJYpA3IqQ\
    EAJxQqSloF5AcEeAEOIAiLfrKA7v8t7MvPnmm2+mWDUN14vHbxOk27bvWDLmFN0pLRvnmJNX7OIKK3luVvHsal4RLtewrYIc\
    UbU0q7FyYuPjDTm6syUSkaN79scisYeORGNPP3sqM5WdfWGhUJpRLN80b0mtbe27dueUkqm77ryqTVie4RnMLcjdqpZrIKfK\
    THiXDGHxAd7D+3NT4mlb30odnV3dPb19/QMLG5k1VT/LhDHl2FXmbAJNM0s/a1iVJtIZVdN88YWFWbyDI5c55ZAVH9n6Pffe\
    tzff4MTc+cYjCKzt3TdYkHtVLeF5jlH0PZZkbskxql4oQM9m4doWf17VJkPB7kj3KwcODh0afmDk8IOhXJsw2VqVLapaki3p\
    vunldNNnQowTpl5xhaSioZQ7GYLp5mKzSNAs39GBNznIIPHts0uOwayyK/jHR9dGA64DQfOmHqS6y0Z1C63vpLGDDw898uhj\
    jx8eeeLJpxaC6ibz2LRvBrUz+svjtm95Bbm/EIRcz7BCmKbOBTkqQikrWAC2tUrIq00mvIVLvFWweebo2tFjgk2XwPU9vWiy\
    pFEK23GC5prGLSlxfDx5clbVYi+xWrAQsY1l45H6xAm+i++uP5fiO3m7QE2frp9ugDY4bWlORNXJ+uSgAEo4jl5bl44/P807\
    VzW+TYRmcmu5Y41Bpi37vCUkdpscRtel/Nx87lwwBJd3866Z0Vg8Fhd5Zxbri4MzYnOYJwBf1HnfapH3ikCZ1dlguGkZ3dIr\
    rNwYeMYuM/ObynLWsW2Pk04gF65CC3TAHlBgGI5AEnSogAU+cHgT3oZ34DK8CzfgJnwFP8Iv8Cv8Dn/An/AX/EOQtJFeEiVj\
    JE2yRCcueZW8Ri6Ra+Q6eZ98QD4kH5GPySfkM/IF+Yn8Rv5FCRVM4DhO4ElMYRqnMIsreB5fwQv4Ol7EN/AtvISX8Qqu4nt4\
    DT/Fz/FL/Bpv4x38Hu/iD/gz/k0JbaGttJ120j4apfvoATpEh+kIjdMxeopm6DTNQniQNG5Ygf8dOvcf
    """

  @Test func `a many-to-many relationship that is its own inverse has one link for each pair`()
    throws
  {
    let folder = try TestFolder()
    let path = folder.path("friends.store")
    let db = try SQLiteConnection(path, creates: true)
    try db.execute(
      """
      CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
      INSERT INTO ZPERSON VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b'), (3, 1, 1, 'c');
      CREATE TABLE Z_1FRIENDS (Z_1FRIENDS INTEGER, REFLEXIVE INTEGER,
        PRIMARY KEY (Z_1FRIENDS, REFLEXIVE));
      INSERT INTO Z_1FRIENDS VALUES (1, 2), (2, 1), (3, 1), (1, 3), (2, 2);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER,
        Z_MAX INTEGER);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Person', 0, 3);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
      """)
    try db.run(
      "INSERT INTO Z_MODELCACHE VALUES (?)", [try #require(Data(base64Encoded: Self.friends))])
    let plist = try PropertyListSerialization.data(
      fromPropertyList: [String: String](), format: .binary, options: 0)
    try db.run("INSERT INTO Z_METADATA VALUES (1, ?, ?)", [SampleStore.uuid, plist])
    try db.close()
    let store = try ReadStore(path)
    #expect(store.records.count { $0.recordType == "CDMR" } == 3)
    #expect(store.facts.unexplainedColumns.isEmpty)
    let report = try FilledStoreTests.refill(path, into: path, as: folder.path("filled"))
    #expect(report.links == 3)
    #expect(try FilledStoreTests.cells(folder.path("filled")) == FilledStoreTests.cells(path))
  }
}
