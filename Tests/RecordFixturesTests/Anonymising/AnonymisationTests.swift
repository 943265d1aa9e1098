import Foundation
import RecordArchive
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel
import RecordSchema
import RecordStore
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("An anonymisation")
struct AnonymisationTests {
  private let folder: TestFolder
  private let zoneID = ZoneID(zoneName: "Notes")

  init() throws { folder = try TestFolder() }

  private func source(
    schema: String? = nil, _ fields: [Field], type: String = "Note"
  ) throws -> ArchiveSource {
    var info = ContainerInfo(identifier: "iCloud.notes")
    info.schema = schema
    let path = folder.path("\(UUID()).sqlite")
    try ContainerStore.build(path: path, info: info) { writer in
      try writer.add(RecordZone(zoneID: zoneID), to: .private)
      let system = SystemFields(
        recordID: RecordID(recordName: "note", zoneID: zoneID), recordType: type,
        recordChangeTag: "1")
      try writer.add(ResultRecord(systemFields: system, fields: fields), to: .private)
    }
    return .container(try ContainerStore.open(path: path, mode: .readOnly))
  }

  /// A container with a zone.
  private func container(_ body: (ImportTransaction) throws -> Void) throws -> ArchiveSource {
    let path = folder.path("\(UUID()).sqlite")
    try ContainerStore.build(path: path) { writer in
      try writer.add(RecordZone(zoneID: zoneID), to: .private)
      try body(writer)
    }
    return .container(try ContainerStore.open(path: path, mode: .readOnly))
  }

  private func anonymisation(_ yaml: String) throws -> Anonymisation {
    let policy = try AnonymisationPolicy(yaml: "recordpack-policy: 1\n" + yaml)
    return Anonymisation(policy, key: try PseudonymTests.key())
  }

  private func fields(_ yaml: String, _ fields: [Field]) throws -> [Field] {
    let path = folder.path("\(UUID()).recordpack")
    try anonymisation(yaml).write(source(fields), to: path)
    var found: [Field] = []
    try BundleReader(path: path).forEachRecord { record, _ in found = Array(record.fields) }
    return found
  }

  @Test("A field without a rule is an error that names all of them, and nothing is written")
  func unnamedFields() throws {
    let source = try source([
      Field(name: "a", value: .string("x")), Field(name: "b", value: .int64(1)),
      Field(name: "c", value: .double(1)),
    ])
    let path = folder.path("out.recordpack")
    let error = #expect(throws: AnonymisationError.self) {
      try anonymisation("types: {Note: {b: keep}}").write(source, to: path)
    }
    #expect(error?.description.contains("Note.a (STRING), Note.c (DOUBLE)") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: AnonymisationError.self) {
      try anonymisation("types:").write(source, to: path)
    }
    #expect(FileManager.default.contents(atPath: path) == Data("old".utf8))
  }

  @Test("The default redacts or keeps; encrypted values and assets are replaced all the same")
  func defaults() throws {
    let given = [
      Field(name: "a", value: .string("Mira 7")),
      Field(name: "b", value: .string("Secret"), isEncrypted: true),
      Field(name: "c", value: .int64(42)), Field(name: "d", value: .bytes(Data([1, 2, 3]))),
      Field(name: "e", value: .timestamp(Date(timeIntervalSince1970: 0))),
      Field(name: "f", value: .asset(Asset(size: 7, fileChecksum: "AbC9"))),
    ]
    let redacted = try fields("default: redact", given)
    #expect(redacted.map(\.name) == ["a", "b", "c", "d", "e", "f"])
    #expect(redacted[0].value == .string("redacted"))
    #expect(redacted[1].value == .string("redacted") && redacted[1].isEncrypted)
    #expect(redacted[2].value == .int64(0))
    #expect(redacted[3].value == .bytes(Data(count: 512)))
    #expect(redacted[4].value == .timestamp(Date(timeIntervalSinceReferenceDate: 0)))
    let kept = try fields("default: keep", given)
    #expect(kept[0].value == given[0].value && kept[2].value == given[2].value)
    #expect(kept[1].value == .string("redacted"))
    guard case .asset(let asset) = kept[5].value else {
      Issue.record("no asset")
      return
    }
    #expect(asset.size == 512 && asset.fileChecksum?.count == 28)
  }

  @Test("An encrypted value cannot be kept, in the policy and in a record")
  func encryptedValues() throws {
    let field = Field(name: "a", value: .string("Secret"), isEncrypted: true)
    let error = #expect(throws: AnonymisationError.self) {
      try fields("types:\n  Note:\n    a: keep", [field])
    }
    #expect(
      error?.description
        == "policy.yml:4:8: error: the rule for Note.a: encrypted values cannot be kept; use 'text' "
        + "or 'redact'")
    let schema = "DEFINE SCHEMA RECORD TYPE Note (a ENCRYPTED STRING, b INT64);"
    #expect(throws: AnonymisationError.self) {
      try anonymisation("types: {Note: {a: keep, b: keep}}").write(
        source(schema: schema, []), to: folder.path("x.recordpack"))
    }
  }

  @Test(
    "A policy that does not fit the schema is an error with the line",
    arguments: [
      (
        "types:\n  Note:\n    titel: text",
        "policy.yml:4:12: error: neither the schema nor a record has the field of Note 'titel'; did you mean 'title'?"
      ),
      (
        "types:\n  Nota: {title: text}",
        "policy.yml:3:3: error: neither the schema nor a record has the type 'Nota'; did you mean 'Note'?"
      ),
      (
        "types:\n  Note: {count: email}",
        "policy.yml:3:17: error: the rule for Note.count: 'email' does not apply to INT64 values"
      ),
    ])
  func schemaErrors(_ yaml: String, _ expected: String) throws {
    let schema = "DEFINE SCHEMA RECORD TYPE Note (title STRING, count INT64);"
    let source = try source(schema: schema, [])
    var found = ""
    do {
      try anonymisation(yaml).write(source, to: folder.path("x.recordpack"))
    } catch {
      found = "\(error)"
    }
    #expect(found.hasPrefix(expected), "\(found)")
  }

  @Test(
    "A policy that cannot be read is an error with line and column",
    arguments: [
      ("", "policy.yml:1:1: error: the policy is empty"),
      ("types: {}", "policy.yml:1:1: error: this is not a policy"),
      (
        "recordpack-policy: 2",
        "policy.yml:1:20: error: this version of RecordPack reads policies of version 1"
      ),
      (
        "recordpack-policy: 1\ntype: {}",
        "policy.yml:2:1: error: a policy has no 'type'; did you mean 'types'?"
      ),
      ("recordpack-policy: 1\ndefault: hide", "policy.yml:2:10: error: there is no default 'hide'"),
      (
        "recordpack-policy: 1\ndates: move",
        "policy.yml:2:8: error: there is no rule for dates 'move'"
      ),
      (
        "recordpack-policy: 1\nassets: keep",
        "policy.yml:2:9: error: there is no rule for assets 'keep'"
      ),
      (
        "recordpack-policy: 1\ntypes:\n  Note:\n    a: txt",
        "policy.yml:4:8: error: there is no rule 'txt'; did you mean 'text'?"
      ),
      ("recordpack-policy: 1\ntypes: [a]", "policy.yml:2:8: error: 'types' is a mapping"),
      ("recordpack-policy: 1\nkeep: {a: b}", "policy.yml:2:7: error: keep is a list"),
      ("recordpack-policy: 1\ntypes:\n  A: {b: [c]}", "policy.yml:3:10: error: rule is a string"),
    ])
  func policyErrors(_ yaml: String, _ expected: String) {
    let error = #expect(throws: FixtureError.self) { try AnonymisationPolicy(yaml: yaml) }
    #expect(error?.description.hasPrefix(expected) == true, "\(error?.description ?? "")")
  }

  @Test("Unknown members and values of unknown types are left out")
  func unknownMembers() throws {
    let json = """
      {"recordName":"note","recordType":"Note","zoneID":{"zoneName":"Notes"},"pluginData":"Mira",\
      "fields":{"a":{"type":"STRING","value":"x","note":"Mira"},"b":{"type":"VECTOR","value":["Mira"]}}}
      """
    let record = try JSONDecoder().decode(ResultRecord.self, from: Data(json.utf8))
    let path = folder.path("in.sqlite")
    try ContainerStore.build(path: path) { writer in
      var zone = RecordZone(zoneID: zoneID)
      zone.otherMembers = record.systemFields.otherMembers
      try writer.add(zone, to: .private)
      try writer.add(record, to: .private)
    }
    let report = try anonymisation("types: {Note: {a: keep}}").write(
      .container(ContainerStore.open(path: path)), to: folder.path("out.recordpack"))
    #expect(report.droppedFields == 1)
    try BundleReader(path: folder.path("out.recordpack")).forEachRecord { record, _ in
      let found = try record.jsonValue().compactText
      #expect(!found.contains("Mira") && found.contains(#""a":{"type":"STRING","value":"x"}"#))
    }
  }

  @Test("Kept values that look personal are reported")
  func findings() throws {
    let source = try source(
      schema: """
        DEFINE SCHEMA
          // Ask mira@tact.app, or Kenjiro
          RECORD TYPE Note (a STRING, b LIST<STRING>, c STRING, d STRING, e STRING, f INT64,
            g DOUBLE, h INT64, i BYTES, j LOCATION, k INT64, l INT64, m BYTES);
        """,
      [
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
      ])
    let rules = "abcefghijklm".map { "\($0): keep" }.joined(separator: ", ")
    let report = try anonymisation("types: {Note: {\(rules), d: name}}").write(
      source, to: folder.path("out.recordpack"))
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

  @Test("Dates come in any order, unless the rule keeps it")
  func orderOfDates() throws {
    let names = (0..<12).map { "d" + String($0 + 10) }
    let dates = names.indices.map { Date(timeIntervalSince1970: 86_400 * Double($0)) }
    func order(_ rule: String) throws -> [Date] {
      try fields(
        "types: {Note: {\(names.map { "\($0): \(rule)" }.joined(separator: ", "))}}",
        zip(names, dates).map { Field(name: $0, value: .timestamp($1)) }
      ).map { if case .timestamp(let date) = $0.value { date } else { .distantPast } }
    }
    let (any, ordered) = (try order("date"), try order("date-order"))
    #expect(any != any.sorted() && Set(any).count == names.count)
    #expect(ordered == ordered.sorted() && Set(ordered).isDisjoint(with: dates))
    let list = try fields(
      "types: {Note: {a: date-order}}", [Field(name: "a", value: .timestampList(dates.reversed()))])
    guard case .timestampList(let found) = list[0].value else {
      Issue.record("no list")
      return
    }
    #expect(found == found.sorted().reversed() && found.count == dates.count)
  }

  @Test("Two names that get the same pseudonym are an error, and nothing is written")
  func collisions() throws {
    var anonymisation = try anonymisation("default: redact")
    anonymisation.settings.pseudonyms.mask = 0
    let path = folder.path("out.recordpack")
    let source = try container { writer in
      for name in ["one", "two"] {
        let system = SystemFields(
          recordID: RecordID(recordName: name, zoneID: zoneID), recordType: "Note")
        try writer.add(ResultRecord(systemFields: system, fields: []), to: .private)
      }
    }
    let error = #expect(throws: ArchiveError.self) { try anonymisation.write(source, to: path) }
    #expect(error?.description.contains("use another key") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("Records of Core Data keep their graph, with the starter policy and without one")
  func coreData() throws {
    let zone = ZoneID(zoneName: CoreDataNames.zoneName)
    let (folderName, note, tag) = (UUID().uuidString, UUID().uuidString, UUID().uuidString)
    let path = folder.path("in.sqlite")
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
      let out = folder.path("\(UUID()).recordpack")
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

  @Test("A list says nothing by its length, unless equal elements stay equal")
  func lists() throws {
    let texts = (0..<50).map { "\($0)" }
    let rules =
      "types: {Note: {a: text, b: redact, c: name-consistent, d: identifier, e: date, f: content}}"
    func lengths(_ count: Int) throws -> [Int] {
      let list = RecordValue.stringList(Array(texts.prefix(count)))
      let dates = (0..<count).map { Date(timeIntervalSince1970: Double($0)) }
      return try fields(
        rules,
        "abcd".map { Field(name: "\($0)", value: list) }
          + [
            Field(name: "e", value: .timestampList(dates)),
            Field(name: "f", value: .bytesList((0..<count).map { Data([UInt8($0)]) })),
          ]
      ).map { field in
        switch field.value {
        case .stringList(let list): list.count
        case .timestampList(let list): list.count
        case .bytesList(let list): list.count
        default: -1
        }
      }
    }
    let (few, many) = (try lengths(2), try lengths(50))
    #expect(few[0] == many[0] && few[1] == 1 && many[1] == 1 && few[4] == many[4])
    #expect(few[2...3] == [2, 2] && many[2...3] == [50, 50])
    #expect(try few[5] == many[5] && lengths(1)[5] == many[5])
  }

  @Test("Values are counted for each type, also where types have the same fields")
  func countsOfTypes() throws {
    let path = folder.path("types.recordpack")
    let writer = try BundleWriter(path: path, container: ContainerInfo())
    try writer.write(RecordZone(zoneID: zoneID), database: .private)
    for type in ["A", "B", "C"] {
      for number in 0..<3 {
        let recordID = RecordID(recordName: "\(type)\(number)", zoneID: zoneID)
        let fields = [
          Field(name: "text", value: .string("Mira")), Field(name: "kept", value: .int64(1)),
        ]
        try writer.write(
          ResultRecord(
            systemFields: SystemFields(recordID: recordID, recordType: type), fields: fields),
          database: .private)
      }
    }
    _ = try writer.finish()
    let report = try anonymisation("types: {\"*\": {kept: keep, text: text}}").write(
      .bundle(BundleReader(path: path)), to: folder.path("out.recordpack"))
    for type in ["A", "B", "C"] {
      #expect(report.fields[.init(recordType: type, field: "text")]?.replaced == 3)
      #expect(report.fields[.init(recordType: type, field: "kept")]?.kept == 3)
    }
  }

  @Test("The form of a replacement is that of the rule, whatever the value was")
  func forms() throws {
    for value in ["Mira", "mira@tact.app", "", "+49 170 1234567", "ⓐ 🅰 ᵃ ① ⠓ ㊞"] {
      let found = try fields(
        "types: {Note: {a: email, b: phone, c: url, d: name, e: text, f: identifier}}",
        "abcdef".map { Field(name: "\($0)", value: .string(value)) })
      let texts = found.map { field in
        if case .string(let text) = field.value { text } else { "" }
      }
      #expect(texts[0].hasSuffix("@mail.example") && PhoneNumber.matches(texts[1]))
      #expect(texts[2].hasPrefix("https://www.example/"))
      #expect(texts[3].split(separator: " ").count == 2 && texts[4].hasSuffix("."))
      #expect(UUID(uuidString: texts[5]) != nil)
    }
  }

  @Test("Equal values get equal replacements only where the policy asks for it")
  func consistency() throws {
    let path = folder.path("in.sqlite")
    let rules = AnonymisationRule.rules(for: .string).filter { $0 != .drop }
    func name(_ rule: AnonymisationRule) -> String {
      "f_" + rule.rawValue.replacingOccurrences(of: "-", with: "_")
    }
    try ContainerStore.build(path: path) { writer in
      try writer.add(RecordZone(zoneID: zoneID), to: .private)
      for number in 0..<40 {
        let system = SystemFields(
          recordID: RecordID(recordName: "\(number)", zoneID: zoneID), recordType: "Note")
        let value = RecordValue.string(number % 2 == 0 ? "Mira" : "Kenji")
        try writer.add(
          ResultRecord(
            systemFields: system, fields: rules.map { Field(name: name($0), value: value) }),
          to: .private)
      }
    }
    let policy = AnonymisationPolicy(
      rules: ["Note": Dictionary(uniqueKeysWithValues: rules.map { (name($0), .sample($0)) })])
    let out = folder.path("out.recordpack")
    try Anonymisation(policy, key: PseudonymTests.key()).write(.open([path]), to: out)
    var found: [String: Set<RecordValue>] = [:]
    try BundleReader(path: out).forEachRecord { record, _ in
      for field in record.fields { found[field.name, default: []].insert(field.value) }
    }
    for rule in rules {
      let count = found[name(rule)]?.count ?? 0
      switch rule {
      case .keep: #expect(count == 2)
      case .redact, .keepIf, .json: #expect(count == 1)
      case .flag, .enumeration: #expect(count == 2)
      case .emoji, .locale: #expect(count > 8)
      default: #expect(rule.isConsistent ? count == 2 : count > 30, "\(rule): \(count)")
      }
    }
  }

  @Test("Subscriptions keep what code names, and lose texts and values")
  func subscriptions() throws {
    let path = folder.path("in.sqlite")
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
    let out = folder.path("out.recordpack")
    let anonymisation = try anonymisation(
      "types: {Note: {author: name-consistent, count: keep, home: place}}")
    let source = ArchiveSource.container(try ContainerStore.open(path: path))
    try anonymisation.write(source, to: out)
    // A preview knows the fields that only subscriptions have, too.
    let preview = try anonymisation.preview(source) { _, _, _ in }
    #expect(preview.fields.keys.filter { $0.recordType == "Note" }.count == 3)
    let kept = try self.anonymisation("types: {Note: {author: keep, count: keep, home: keep}}")
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
    let name = try fields(rule, [Field(name: "a", value: .string("Mira"))])
    #expect(name.map(\.value) == [replaced.filters[0].fieldValue])
  }

  @Test("A draft has a rule for each field, and none of the values")
  func draft() throws {
    let people = (0..<40).map { "Person\($0) Kowalski\($0)" }
    let source = try source(
      schema: "DEFINE SCHEMA RECORD TYPE Note (unused DOUBLE, \"who\" STRING);",
      [
        Field(
          name: "mail", value: .stringList(people.map { "\($0.prefix(8)).x@tact.app".lowercased() })
        ),
        Field(name: "who", value: .string(people[0])),
        Field(name: "senderName", value: .string(people[1])),
        Field(name: "status", value: .stringList((0..<40).map { ["open", "done"][$0 % 2] })),
        Field(name: "birthday", value: .timestamp(Date(timeIntervalSince1970: 0))),
        Field(name: "zip", value: .int64(12345)), Field(name: "likes", value: .int64(7)),
        Field(name: "shownIn", value: .int64(1974)),
        Field(name: "note", value: .string("x"), isEncrypted: true),
        Field(name: "true", value: .string("a # b")),
        Field(name: "friend", value: .reference(Reference(recordID: RecordID(recordName: "kim")))),
      ])
    let draft = try PolicyDraft(of: source)
    let rules = try #require(draft.policy.rules["Note"])
    #expect(
      rules.mapValues(\.rule) == [
        "mail": .email, "who": .text, "senderName": .name, "status": .text, "birthday": .date,
        "zip": .number, "likes": .number, "shownIn": .number, "note": .text, "true": .text,
        "unused": .number,
      ])
    #expect(
      draft.yaml.contains(
        "    # status: {keep: [done, open]}  # persons: done 1, open 1 of 1; who knows one of them knows the "
          + "values\n"))
    #expect(draft.yaml.contains("    # unused: {") == false && draft.persons == 1)
    for rule in AnonymisationRule.allCases {
      if let price = rule.price { #expect(draft.yaml.contains("#   \(rule.rawValue): \(price)")) }
    }
    let read = try AnonymisationPolicy(yaml: draft.yaml)
    #expect(read.rules == draft.policy.rules)
    for word in ["Person0", "person0", "Kowalski", "tact.app", "12345", "kim", "a # b"] {
      #expect(!draft.yaml.contains(word), "\(word)")
    }
    try Anonymisation(read, key: PseudonymTests.key()).write(
      source, to: folder.path("out.recordpack"))
  }

  @Test(
    "Dates of the signed-in user move alike, whether a record, a zone or a deletion tells whose they are"
  )
  func signedInUser() throws {
    let path = folder.path("in.sqlite")
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
    let out = folder.path("out.recordpack")
    try anonymisation("default: redact\ndates: shift").write(
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
      anonymiser.shift(ofUser: "_" + composed).seconds
        != anonymiser.shift(ofUser: "_" + decomposed).seconds)
  }

  @Test(
    "A draft is read back with any name of a field",
    arguments: [
      "\u{7F}", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{FFFE}", "a: b", "- #", "\"\\", "no",
    ])
  func draftedNames(_ name: String) throws {
    let draft = try PolicyDraft(of: source([Field(name: "x" + name, value: .int64(1))]))
    let read = try AnonymisationPolicy(yaml: draft.yaml)
    #expect(read.namedRule(for: "x" + name, of: "Note")?.rule == .number)
  }

  @Test("As a stage, it writes containers and validated bundles of several sources")
  func stage() throws {
    let anonymisation = try anonymisation("default: redact")
    let one = try source([Field(name: "a", value: .string("Mira"))])
    let path = folder.path("out.sqlite")
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
        into: .bundle(path: folder.path("v.recordpack")))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("v.recordpack")))
  }
}
