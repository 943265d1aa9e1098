import Foundation
import RecordArchive
import RecordBundle
import RecordCoding
import RecordModel
import RecordSchema
import RecordStore
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("An anonymised container")
struct AnonymisedContainerTests {
  private let maker: SourceMaker
  private let zoneID = SourceMaker.zoneID

  init() throws { maker = try SourceMaker() }

  @Test("Unknown members and values of unknown types are left out")
  func unknownMembers() throws {
    let json = """
      {"recordName":"note","recordType":"Note","zoneID":{"zoneName":"Notes"},"pluginData":"Mira",\
      "fields":{"a":{"type":"STRING","value":"x","note":"Mira"},"b":{"type":"VECTOR","value":["Mira"]}}}
      """
    let record = try JSONDecoder().decode(ResultRecord.self, from: Data(json.utf8))
    let path = maker.folder.path("in.sqlite")
    try ContainerStore.build(path: path) { writer in
      var zone = RecordZone(zoneID: zoneID)
      zone.otherMembers = record.systemFields.otherMembers
      try writer.add(zone, to: .private)
      try writer.add(record, to: .private)
    }
    let report = try SourceMaker.anonymisation("types: {Note: {a: keep}}").write(
      .container(ContainerStore.open(path: path)), to: maker.folder.path("out.recordpack"))
    #expect(report.droppedFields == 1)
    try BundleReader(path: maker.folder.path("out.recordpack")).forEachRecord { record, _ in
      let found = try record.jsonValue().compactText
      #expect(!found.contains("Mira") && found.contains(#""a":{"type":"STRING","value":"x"}"#))
    }
  }

  @Test("Kept values that look personal are reported")
  func findings() throws {
    let source = try maker.source(
      fields: [
        Field(name: "a", value: .string("mail mira@tact.app")),
        Field(name: "b", value: .stringList(["call +49 170 1234567", "x"])),
        Field(name: "c", value: .string("a chat with Kenjiro")),
        Field(name: "d", value: .string("Kenjiro Tanaka")),
        Field(name: "e", value: .string("plain")), Field(name: "f", value: .int64(49_170_123_456)),
        Field(name: "g", value: .double(52.52001)), Field(name: "h", value: .int64(1974)),
        Field(name: "i", value: .bytes(Data(#"{"to":"kenji@tact.app"}"#.utf8))),
        Field(name: "j", value: .location(Location(latitude: 1, longitude: 2))),
        Field(name: "k", value: .int64(7)), Field(name: "l", value: .int64(1_700_000_000)),
        Field(name: "m", value: .bytes(Data("of Kenjiro".utf8))),
      ],
      schema: """
        DEFINE SCHEMA
          // Ask mira@tact.app, or Kenjiro
          RECORD TYPE Note (a STRING, b LIST<STRING>, c STRING, d STRING, e STRING, f INT64,
            g DOUBLE, h INT64, i BYTES, j LOCATION, k INT64, l INT64, m BYTES);
        """)
    let rules = "abcefghijklm".map { "\($0): keep" }.joined(separator: ", ")
    let report = try SourceMaker.anonymisation("types: {Note: {\(rules), d: name}}").write(
      source, to: maker.folder.path("out.recordpack"))
    #expect(
      report.findings.map { $0.key.recordType + $0.key.field } == [
        "comments", "Notea", "Noteb", "Notec", "Notef", "Noteg", "Noteh", "Notei", "Notej", "Notel",
        "Notem",
      ])
    let fields = report.findings.map(\.field)
    for (kind, counts) in [
      (.email, [1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0]), (.phone, [0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]),
      (.place, [0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0]), (.date, [0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0]),
      (.name, [1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1]),
    ] as [(PersonalKind, [Int])] {
      #expect(fields.map { $0.found[kind] ?? 0 } == counts, "\(kind)")
    }
    #expect(report.linesWithEmails == 1 && report.hasFindings)
  }

  @Test("Records of Core Data keep their graph, with the starter policy and without one")
  func coreData() throws {
    let zone = ZoneID(zoneName: CoreDataNames.zoneName)
    let (folderName, note, tag) = (UUID().uuidString, UUID().uuidString, UUID().uuidString)
    let path = maker.folder.path("in.sqlite")
    func record(_ name: String, _ type: String, _ fields: [String: String]) -> ResultRecord {
      ResultRecord(
        systemFields: SystemFields(
          recordID: RecordID(recordName: name, zoneID: zone), recordType: type),
        fields: fields.map { Field(name: $0, value: .string($1)) })
    }
    try ContainerStore.build(path: path) { writer in
      try writer.add(RecordZone(zoneID: zone), to: .private)
      for one in [
        record(folderName, "CD_Folder", ["CD_entityName": "Folder", "CD_title": "Work"]),
        record(
          note, "CD_Note",
          ["CD_entityName": "Note", "CD_folder": folderName, "CD_body": "Hello"]),
        record(tag, "CD_Tag", ["CD_entityName": "Tag", "CD_name": "Notes"]),
        record(
          UUID().uuidString, "CDMR",
          [
            "CD_entityNames": "Note:Tag", "CD_recordNames": "\(note):\(tag)",
            "CD_relationships": "tags:notes",
          ]),
      ] { try writer.add(one, to: .private) }
    }
    let source = ArchiveSource.container(try ContainerStore.open(path: path, mode: .readOnly))
    let draft = try PolicyDraft(of: source).policy
    for policy in [draft, AnonymisationPolicy(defaultRule: .redact)] {
      let out = maker.folder.path("\(UUID()).recordpack")
      let report = try Anonymisation(policy, key: PseudonymTests.key()).write(source, to: out)
      // A tag's name is a relationship's, too.
      #expect(report.findings.isEmpty)
      var records: [String: [String: String]] = [:]
      var names: [String: String] = [:]
      try ArchiveSource.open([out]).forEachRecord { record, _ in
        #expect(record.recordID.zoneID == zone)
        names[record.recordType] = record.recordID.recordName
        records[record.recordType] = Dictionary(
          uniqueKeysWithValues: record.fields.map { ($0.name, record[$0.name] ?? "") })
      }
      #expect(records["CD_Folder"]?["CD_entityName"] == "Folder")
      #expect(records["CD_Folder"]?["CD_title"] != "Work")
      #expect(records["CDMR"]?["CD_entityNames"] == "Note:Tag")
      #expect(records["CDMR"]?["CD_relationships"] == "tags:notes")
      #expect(
        records["CDMR"]?["CD_recordNames"] == "\(names["CD_Note"] ?? ""):\(names["CD_Tag"] ?? "")")
      if policy.defaultRule == nil {
        #expect(records["CD_Note"]?["CD_folder"] == names["CD_Folder"])
      }
    }
  }

  @Test("Subscriptions keep what code names, and lose texts and values")
  func subscriptions() throws {
    let path = maker.folder.path("in.sqlite")
    var info = NotificationInfo(alertBody: "Mira wrote", desiredKeys: ["title"])
    info.titleLocalizationKey = "TITLE_KEY"
    info.subtitle = "from Mira"
    let query = RecordQuery(
      recordType: "Note",
      filters: [
        QueryFilter("author", .equals, .string("Mira")),
        QueryFilter("count", .greaterThan, .int64(5)),
        QueryFilter(
          "home", .near, .location(Location(latitude: 48.1, longitude: 11.5)), distance: 1234.5),
        QueryFilter(
          "___createdBy", .equals, .reference(Reference(recordID: RecordID(recordName: "_mira")))),
      ])
    try ContainerStore.build(path: path) { writer in
      try writer.add(RecordZone(zoneID: zoneID), to: .private)
      try writer.add(
        CloudSubscription(
          subscriptionID: "of-mira",
          kind: .query(query, zoneID: zoneID, firesOn: [.create], firesOnce: false),
          notificationInfo: info), to: .private)
    }
    let out = maker.folder.path("out.recordpack")
    let anonymisation = try SourceMaker.anonymisation(
      "types: {Note: {author: name-consistent, count: keep, home: place}}")
    let source = ArchiveSource.container(try ContainerStore.open(path: path))
    try anonymisation.write(source, to: out)
    // A preview knows the fields that only subscriptions have, too.
    let preview = try anonymisation.preview(source) { _, _, _ in }
    #expect(preview.fields.keys.filter { $0.recordType == "Note" }.count == 3)
    let kept = try SourceMaker.anonymisation(
      "types: {Note: {author: keep, count: keep, home: keep}}")
    #expect(try kept.preview(source) { _, _, _ in }.findings.map(\.field.found) == [[.place: 1]])
    let found = try #require(try ArchiveSource.open([out]).subscriptions().first?.subscription)
    let text = try found.jsonValue().compactText
    #expect(!text.lowercased().contains("mira") && !text.contains("1234"))
    for word in ["TITLE_KEY", #""title""#, "author", ":5"] {
      #expect(text.contains(word), "\(word)")
    }
    guard case .query(let replaced, _, _, _) = found.kind else {
      Issue.record("no query")
      return
    }
    #expect(replaced.filters.map(\.comparator) == query.filters.map(\.comparator))
    let rule = "types: {Note: {a: name-consistent}}"
    let name = try maker.fields(rule, [Field(name: "a", value: .string("Mira"))])
    #expect(name.map(\.value) == [replaced.filters[0].fieldValue])
  }

  @Test(
    "Dates of the signed-in user move alike, whether a record, a zone or a deletion tells whose they are"
  )
  func signedInUser() throws {
    let path = maker.folder.path("in.sqlite")
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    func id(_ name: String) -> RecordID { RecordID(recordName: name, zoneID: zoneID) }
    try ContainerStore.build(path: path, info: ContainerInfo(currentUserRecordName: "_mira")) {
      writer in
      try writer.add(RecordZone(zoneID: zoneID), to: .private)
      for (name, user) in [("a", "_mira"), ("b", ZoneID.currentUserOwnerName), ("c", nil)] {
        let stamp = RecordStamp(date: date, userRecordName: user)
        let system = SystemFields(
          recordID: id(name), recordType: "Note", created: user == nil ? nil : stamp,
          modified: stamp)
        try writer.add(ResultRecord(systemFields: system, fields: []), to: .private)
      }
      try writer.add(DeletedRecord(recordID: id("gone"), deletionDate: date), to: .private)
    }
    let out = maker.folder.path("out.recordpack")
    try SourceMaker.anonymisation("default: redact\ndates: shift").write(
      .container(ContainerStore.open(path: path)), to: out)
    var dates: Set<Date?> = []
    let result = try ArchiveSource.open([out])
    try result.forEachRecord { record, _ in dates.insert(record.modificationDate) }
    try result.forEachTombstone { tombstone, _ in dates.insert(tombstone.deletionDate) }
    #expect(dates.count == 1 && !dates.contains(date))
  }

  @Test("Names that only look the same are different users, types and fields")
  func exactNames() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let policy = try AnonymisationPolicy(
      yaml: "recordpack-policy: 1\ntypes: {\(composed): {\(composed): keep}}")
    #expect(policy.namedRule(for: composed, of: composed)?.rule == .keep)
    #expect(policy.namedRule(for: decomposed, of: composed) == nil)
    #expect(policy.namedRule(for: composed, of: decomposed) == nil)
    let anonymiser = RecordAnonymiser(AnonymiserSettings(policy, try PseudonymTests.key()))
    #expect(
      anonymiser.user(named: "_" + composed).shift.seconds
        != anonymiser.user(named: "_" + decomposed).shift.seconds)
  }

  @Test("As a stage, it writes containers and validated bundles of several sources")
  func stage() throws {
    let anonymisation = try SourceMaker.anonymisation("default: redact")
    let one = try maker.source(fields: [Field(name: "a", value: .string("Mira"))])
    let path = maker.folder.path("out.sqlite")
    let archiver = Archiver()
    try archiver.run(from: [one], through: [anonymisation.stage], into: .newContainer(path: path))
    try ContainerStore.open(path: path).snapshot { snapshot in
      var names: [String] = []
      try snapshot.forEachRecord(in: .private, filter: .all) {
        names.append($0.recordID.recordName)
      }
      #expect(names.count == 1 && UUID(uuidString: names[0]) != nil)
    }
    #expect(throws: ArchiveError.self) {
      try archiver.run(
        from: [one], through: [anonymisation.stage, .validate(.init())],
        into: .bundle(path: maker.folder.path("v.recordpack")))
    }
    #expect(!FileManager.default.fileExists(atPath: maker.folder.path("v.recordpack")))
  }
}
