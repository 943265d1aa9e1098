import Foundation
import TestSupport
import Testing

@testable import RecordPackTesting

@Suite("Differences that a test is told")
struct DifferenceTests {
  private func record(
    _ name: String, tag: String = "1", encrypted: Set<String> = [], _ fields: [String: RecordValue]
  ) -> ResultRecord {
    ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: name, zoneID: ZoneID(zoneName: "Chats")),
        recordType: "Chat", recordChangeTag: tag),
      fields: fields.sorted { $0.key < $1.key }.map {
        Field(name: $0.key, value: $0.value, isEncrypted: encrypted.contains($0.key))
      })
  }

  private func text(
    _ first: [ResultRecord], _ second: [ResultRecord],
    ignoring ignored: Set<RecordDifference.SystemField> = [],
    ignoringFields fields: Set<String> = [],
    showEncrypted: Bool = false
  ) -> String {
    do {
      try DifferenceFinder(ignored: ignored, ignoredFields: fields, showEncrypted: showEncrypted)
        .requireNone(first, second)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test("name the values that changed, records that came and went, and what is there twice")
  func words() {
    let before = record("c1", ["messageCount": .int64(12), "title": .string("Hikers")])
    let after = record("c1", tag: "2", ["messageCount": .int64(13), "title": .string("Hikers")])
    #expect(
      text([before], [after]) == """
        the second differs from the first:
        ~ Chat 'c1' of 'Chats'
            recordChangeTag  1 → 2
            messageCount     12 → 13
        """)
    #expect(
      text([before], [after], ignoring: [.recordChangeTag]).contains("recordChangeTag") == false)
    let others = text(
      [before, record("c2", [:])], [record("c3", ["n": .int64(1)]), before, before])
    #expect(
      others == """
        the second differs from the first:
        + Chat 'c1' of 'Chats' [1] messageCount: 12, title: "Hikers" (1 in the first, 2 in the second)
        - Chat 'c2' of 'Chats' [1]
        + Chat 'c3' of 'Chats' [1] n: 1
        """)
    #expect(text([before, before], [before, before]) == "")
    #expect(text([before, record("c2", [:])], [record("c2", [:]), before]) == "")
    #expect(text([before], [after], ignoring: [.recordChangeTag]).isEmpty == false)
  }

  @Test("leave out fields that may differ")
  func ignoredFields() throws {
    let before = record("c1", ["count": .int64(1), "title": .string("a")])
    let after = record("c1", ["count": .int64(2), "title": .string("b")])
    let difference = text([before], [after], ignoringFields: ["count"])
    #expect(!difference.contains("count") && difference.contains("title"))
    #expect(text([before], [after], ignoringFields: ["count", "title"]) == "")
    let (one, two) = (record("c1", ["\u{e9}": .int64(1)]), record("c1", ["\u{e9}": .int64(2)]))
    #expect(text([one], [two], ignoringFields: ["\u{e9}"]) == "")
    #expect(text([one], [two], ignoringFields: ["e\u{301}"]).contains("\u{e9}"))
    let container = try MockContainer.inMemory()
    let error = #expect(throws: DifferenceError.self) {
      try DifferenceFinder(ignored: [.recordType])
        .requireNone(container.store, container.store, .all)
    }
    #expect("\(error as Any)".contains("compare lists of records"))
  }

  @Test("name zones of other owners")
  func owners() {
    func record(_ zone: ZoneID) -> ResultRecord {
      ResultRecord(
        systemFields: SystemFields(
          recordID: RecordID(recordName: "a", zoneID: zone), recordType: "T"), fields: [])
    }
    let pairs = [
      (ZoneID.default, ZoneID(zoneName: ZoneID.defaultZoneName, ownerName: "o")),
      (ZoneID(zoneName: "Z/o"), ZoneID(zoneName: "Z", ownerName: "o")),
    ]
    for (one, other) in pairs {
      let lines = text([record(one)], [record(other)]).split(separator: "\n").dropFirst()
      #expect(Set(lines.map { $0.dropFirst(2) }).count == 2, "\(lines)")
    }
  }

  private static let digest = String(repeating: "0", count: 64)

  @Test(
    "tell values apart that look the same",
    arguments: [
      (.string("a\nb"), .string("a\\nb"), #""a\nb" → "a\\nb""#),
      (.string("ab"), .string("a\u{200B}b"), #"changed: "ab" → "a\u200bb""#),
      (.string("é"), .string("e\u{301}"), #"in its Unicode normalization: "\u00e9" → "e\u0301""#),
      (.stringList(["a", "b"]), .stringList(["a\", \"b"]), #"["a", "b"] → ["a\", \"b"]"#),
      (
        .int64List(Array(1...9)), .int64List(Array(1...8) + [10]),
        #"changed in value[8]: "9" → "10""#
      ),
      (
        .bytes(Data(count: 17)), .bytes(Data(count: 16) + [1]),
        #"AAAA=" → "AAAAAAAAAAAAAAAAAAAAAAE=""#
      ),
      (
        .timestamp(Date(timeIntervalSinceReferenceDate: 1)),
        .timestamp(Date(timeIntervalSinceReferenceDate: 1.000_000_2)), "changed: "
      ),
      (
        .reference(Reference(recordID: RecordID(recordName: "a", zoneID: ZoneID(zoneName: "b:c")))),
        .reference(Reference(recordID: RecordID(recordName: "c:a", zoneID: ZoneID(zoneName: "b")))),
        #"changed in value.recordName: "a" → "c:a""#
      ),
      (
        .asset(Asset(sha256: digest, fileChecksum: "eA==")),
        .asset(Asset(sha256: digest, fileChecksum: "eQ==")),
        #"changed in value.fileChecksum: "eA==" → "eQ==""#
      ),
      (
        .asset(Asset(sha256: digest, wrappingKey: "s3cretAB")), .asset(Asset(sha256: digest)),
        "changed in a hidden part"
      ),
    ] as [(RecordValue, RecordValue, String)])
  func lookalikes(before: RecordValue, after: RecordValue, words: String) {
    let difference = text([record("a", ["f": before])], [record("a", ["f": after])])
    #expect(difference.contains(words), "\(difference)")
    #expect(!difference.contains("s3cret"))
  }

  @Test("have no keys, wherever a record has them")
  func secrets() {
    func others(_ value: String) -> OtherMembers {
      var members: OtherMembers = []
      members.set("wrappingKey", to: RawJSON(compact: "\"\(value)\""))
      return members
    }
    func make(_ value: String) -> ResultRecord {
      let place = Location(latitude: 1, longitude: 2, otherMembers: others(value))
      let reference = Reference(
        recordID: RecordID(recordName: "r"), action: .none, otherMembers: others(value))
      let values: [(String, RecordValue)] = [
        ("asset", .asset(Asset(sha256: "00", wrappingKey: value, otherMembers: others(value)))),
        ("list", .locationList([place])), ("place", .location(place)),
        ("reference", .reference(reference)),
      ]
      return ResultRecord(
        systemFields: SystemFields(
          recordID: RecordID(recordName: "a"), recordType: "Note",
          created: RecordStamp(userRecordName: "u", otherMembers: others(value)),
          parent: reference, otherMembers: others(value)),
        fields: values.map { Field(name: $0.0, value: $0.1, otherMembers: others(value)) }
          + [Field(name: "secret", value: .string(value), isEncrypted: true)])
    }
    let (before, after) = (make("S3CRET1"), make("S3CRET2"))
    let difference = RecordDifference(from: before, to: after)
    var dumped = ""
    for value in [
      before, DraftRecord(after), difference, before.fields.filter { !$0.isEncrypted }.map(\.value),
    ] as [Any] {
      dump(value, to: &dumped)
      dumped += "\(value) \(String(reflecting: value))"
    }
    let texts = [
      text([before], [after]), text([before], []), dumped, before.testDescription,
      DraftRecord(after).testDescription,
    ]
    for text in texts {
      let isClean = !text.contains("S3CRET")
      #expect(isClean, "\(text.replacingOccurrences(of: "S3CRET", with: "…"))")
    }
    #expect(difference.system.count == 3 && difference.fields.count == 5)
  }

  @Test("tell stamps and references apart")
  func systemValues() {
    func change(_ edit: (inout SystemFields) -> Void) -> String {
      var fields = SystemFields(
        recordID: RecordID(recordName: "a"), recordType: "Note",
        created: RecordStamp(date: Date(timeIntervalSinceReferenceDate: 1), userRecordName: "u"),
        parent: Reference(
          recordID: RecordID(recordName: "a", zoneID: ZoneID(zoneName: "Z:c")), action: .none))
      let before = ResultRecord(systemFields: fields, fields: [])
      edit(&fields)
      return text([before], [ResultRecord(systemFields: fields, fields: [])])
    }
    let date = change { $0.created?.date = Date(timeIntervalSinceReferenceDate: 1.000_000_1) }
    #expect(date.contains("1.0000001 s since 2001"))
    let parent = change {
      let other = RecordID(recordName: "c:a", zoneID: ZoneID(zoneName: "Z"))
      $0.parent = Reference(recordID: other, action: .none)
    }
    #expect(parent.contains(#""c:a" of "Z""#))
    let user = change { $0.created?.userRecordName = "v" }
    #expect(user.contains("UTC v"))
  }

  @Test("tell system fields apart that look the same")
  func systemLookalikes() {
    func change(_ before: String, _ after: String) -> String {
      text([record("a", tag: before, [:])], [record("a", tag: after, [:])])
    }
    #expect(change("1", "1 ").contains(#"1 → "1 ""#))
    #expect(change("a b", "a\u{A0}b").contains(#"changed: "a b" → "a\u00a0b""#))
    #expect(change("", "1").contains(#""" → 1"#))
    #expect(change("é", "e\u{301}").contains("Unicode normalization"))
  }

  @Test("are short, however large the values are")
  func large() {
    func records(_ value: Int64) -> [ResultRecord] {
      (0..<50).map { number in
        let list = RecordValue.stringList(
          (0..<100).map { "\($0) \(String(repeating: "x", count: 500))" })
        let fields = (0..<500).map { ("f\($0)", list) } + [("n", .int64(value))]
        return record("c\(number)", Dictionary(uniqueKeysWithValues: fields))
      }
    }
    #expect(text([], records(1)).utf8.count < 200_000)
    #expect(text(records(1), records(2)).contains("… 10 more differences"))
    let unknown = RecordValue.unknown(
      type: "X", json: RawJSON(compact: "\"\(String(repeating: "y", count: 100_000))\""))
    #expect(text([record("a", ["f": unknown])], [record("a", [:])]).utf8.count < 1_000)
  }

  @Test("cover encrypted values unless they are asked for")
  func encrypted() {
    let before = record("c1", encrypted: ["key"], ["key": .string("s3cret")])
    let after = record("c1", encrypted: ["key"], ["key": .string("0ther")])
    let covered = text([before], [after]) + text([before], [])
    #expect(!covered.contains("s3cret") && !covered.contains("0ther"))
    #expect(covered.contains("<encrypted>, changed"))
    #expect(text([before], [after], showEncrypted: true).contains("\"s3cret\" → \"0ther\""))
    #expect(!"\(before.testDescription)".contains("s3cret"))
  }

  @Test("are cut after forty")
  func many() {
    let records = (0..<100).map { record("c\($0)", [:]) }
    let lines = text([], records).split(separator: "\n")
    #expect(lines.count == 42)
    #expect(lines.last == "… 60 more differences")
  }

  @Test("are an issue of the test")
  func issue() {
    withKnownIssue {
      expectNoDifference(record("a", [:]), record("a", ["x": .int64(1)]))
    } matching: {
      $0.comments.first?.rawValue.contains("+ 1") == true
    }
    expectNoDifference([record("a", [:])], [record("a", [:])])
  }
}

@Suite("A snapshot")
struct SnapshotTests {
  private let folder: TestFolder
  private let container: MockContainer
  private let finder = DifferenceFinder(ignored: [], showEncrypted: false)

  init() throws {
    folder = try TestFolder()
    container = try MockContainer.fixture(
      "Fixtures/Chats.recordpack", now: { Date(timeIntervalSinceReferenceDate: 800_000_000) })
  }

  /// - Parameter records: what the same run has recorded before.
  private func snapshot(isRecording: Bool, _ records: SnapshotRecords) -> Snapshot {
    Snapshot(
      FixtureFile(path: "new/a.recordpack", bundle: nil, source: folder.path("Test.swift")),
      isRecording: isRecording, records: records)
  }

  private func message(_ isRecording: Bool, _ records: SnapshotRecords = .init()) -> String {
    do {
      try snapshot(isRecording: isRecording, records).check(container.store, .all, finder)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test("is missing, is recorded, is equal, differs, and is recorded again")
  func life() async throws {
    #expect(message(false).contains("run the test with RECORD_SNAPSHOTS=1"))
    #expect(message(true) == "")
    let written = FileManager.default.contents(atPath: folder.path("new/a.recordpack"))
    #expect(message(false) == "")
    let chat = RecordID(recordName: "chat-000000", zoneID: ZoneID(zoneName: "Chats"))
    var draft = DraftRecord(try await container.privateCloudDatabase.record(for: chat))
    draft["memberNames"] = ["nobody"]
    try await container.privateCloudDatabase.save(draft)
    let difference = message(false)
    #expect(difference.contains("the container differs from the snapshot:"), "\(difference)")
    #expect(difference.contains("~ private Chats Chat chat-000000"))
    #expect(difference.contains("commit 'new/a.recordpack'"))
    #expect(FileManager.default.contents(atPath: folder.path("new/a.recordpack")) == written)
    #expect(message(true) == "")
    #expect(FileManager.default.contents(atPath: folder.path("new/a.recordpack")) != written)
    #expect(message(false) == "")
  }

  @Test("is recorded anew where it is damaged, and where nothing else lies")
  func recording() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("new"), withIntermediateDirectories: true)
    let path = folder.path("new/a.recordpack")
    #expect(message(true) == "")
    let bundle = try #require(FileManager.default.contents(atPath: path))
    for damaged in [Data(), bundle.prefix(bundle.count / 2), bundle + Data("x".utf8)] {
      try damaged.write(to: URL(fileURLWithPath: path))
      #expect(message(false) != "")
      #expect(message(true) == "")
      #expect(FileManager.default.contents(atPath: path) == bundle)
    }
    let text = Data("<<<<<<< HEAD\n".utf8)
    try text.write(to: URL(fileURLWithPath: path))
    #expect(message(true).contains("was left as it is"))
    #expect(FileManager.default.contents(atPath: path) == text)
    try FileManager.default.removeItem(atPath: path)
    let open = try ContainerStore.open(path: path, mode: .create)
    #expect(message(true).contains("it is a container"))
    #expect(try open.info() == ContainerInfo())
  }

  @Test("is recorded once in a run, unless the contents are the same")
  func twice() async throws {
    let records = SnapshotRecords()
    #expect(message(true, records) == "")
    #expect(message(true, records) == "")
    try await container.privateCloudDatabase.save(RecordZone(zoneName: "New"))
    #expect(message(true, records).contains("was recorded before in this run"))
    #expect(message(true) == "")
  }

  @Test("that is not in the resources says so")
  func resources() {
    withKnownIssue {
      expectSnapshot(
        container, matches: "DifferenceTests.swift", in: .module)
    } matching: {
      $0.comments.first?.rawValue.contains("not in the resources of its target") == true
    }
  }

  @Test("is compared by what a test calls")
  func expectation() async throws {
    expectSnapshot(container, matches: "Fixtures/Chats.recordpack")
    expectSnapshot(container, matches: "Fixtures/Chats.recordpack", in: .module)
    expectNoDifference(container, try container.fork())
    try await container.privateCloudDatabase.save(RecordZone(zoneName: "New"))
    withKnownIssue {
      expectSnapshot(container, matches: "Fixtures/Chats.recordpack")
    } matching: {
      $0.comments.first?.rawValue.contains("+ zone private New") == true
    }
    expectSnapshot(
      container, matches: "Fixtures/Chats.recordpack",
      filter: RecordFilter(zoneIDs: [ZoneID(zoneName: "Chats")]))
  }
}
