import Foundation
import RecordArchive
import RecordModel
import RecordStore
import StoreTestSupport
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("A check of a result against its source")
struct FixtureCheckTests {
  private let maker: SourceMaker

  init() throws { maker = try SourceMaker() }

  private func records(_ seed: String) -> [ResultRecord] {
    (0..<20).map { number in
      SourceMaker.record(
        "name-\(seed)\(number)", by: "_user-\(seed)\(number)",
        [
          "text": .string("of person \(seed)\(number)"), "note": .string("x\(number)"),
          "count": .int64(Int64(number)), "big": .int64(Int64(number) * 1_000_003 + 77_777),
          "at": .timestamp(Date(timeIntervalSince1970: Double(number) * 1e6)),
        ])
    }
  }

  @Test("finds nothing where all is replaced, and what was kept by its field")
  func kept() throws {
    let source = try maker.source(records("a"))
    func check(_ yaml: String, policy: Bool = false) throws -> FixtureCheck {
      let result = try ArchiveSource.open([maker.run(yaml, source).path])
      return try FixtureCheck(
        of: source, against: result, policy: policy ? SourceMaker.policy(yaml) : nil)
    }
    let clean = try check("default: redact")
    #expect(!clean.hasFindings)
    let yaml =
      "keep: ['name-*']\ndates: keep\ntypes: {Note: {text: keep, note: text, count: keep, big: number, at: keep}}"
    let found = try check(yaml)
    #expect(
      found.places.filter(\.isFinding).map(\.name) == [
        "Note.at", "Note.text", "creation and modification dates", "record names",
      ])
    #expect(found.places.first { $0.name == "Note.text" }?.shared == 20)
    #expect(found.places.first { $0.name == "Note.count" }?.common == 20)
    #expect(!(try check(yaml, policy: true).hasFindings))
    // A text of the source in another field.
    let moved = try maker.source(
      [SourceMaker.record("z", ["other": .string("of person a3")])])
    #expect(
      try FixtureCheck(of: source, against: moved).places.filter(\.isFinding).map(\.name).contains(
        "Note.other"))
  }

  @Test(
    "finds a text of the source in any form, and in any place",
    arguments: [
      "kastanienallee 12, berlin", "We met Mira Kowalski-Sato!", "MIRA_KOWALSKI_SATO",
      "mira.kowalski.sato@tact.app", "Mira%20Kowalski%20Sato", "x-Kastanienallee-x",
      #"{"who":"M\u0069ra Kowalski Sato"}"#, "TWlyYSBLb3dhbHNraSBTYXRv",
      "4d697261204b6f77616c736b69205361746f", "see _0123456789abcdef0123456789abcdef",
      "ÅSA ØSTERGÅRD", "“Kastanienallee 12, Berlin”", "«Kastanienallee 12, Berlin»",
      "—Kastanienallee 12, Berlin—", "Name:\u{A0}Kastanienallee 12, Berlin…",
      "、Kastanienallee 12, Berlin、", "👋Kastanienallee 12, Berlin❤️", "a\u{30A}sa østerga\u{30A}rd",
    ])
  func forms(_ text: String) throws {
    let source = try maker.source([
      SourceMaker.record(
        "home-of-kenji", by: "_0123456789abcdef0123456789abcdef",
        [
          "name": .string("Mira Kowalski Sato"), "street": .string("Kastanienallee 12, Berlin"),
          "other": .string("åsa østergård"), "kind": .string("work"),
        ])
    ])
    // The zone, its owner and the date are those of both containers.
    func places(_ record: ResultRecord) throws -> [String] {
      try FixtureCheck(of: source, against: maker.source([record])).places
        .filter { $0.shared > ($0.name.hasSuffix("zone names") || $0.name == "user names" ? 1 : 0) }
        .map(\.name).filter { !$0.hasPrefix("creation") }
    }
    #expect(try places(SourceMaker.record("made-up", ["v": .string(text)])) == ["Note.v"])
    #expect(try places(SourceMaker.record(text)) == ["record names"])
    #expect(try places(SourceMaker.record("x", zone: ZoneID(zoneName: text))) == ["zone names"])
    for data in [Data(text.utf8), Data([1, 0] + text.utf8 + [0xFF])]
    where text.utf8.allSatisfy({ $0 < 0x80 }) {
      #expect(try places(SourceMaker.record("x", ["v": .bytes(data)])) == ["Note.v"])
    }
    var share = SourceMaker.record("y", Share.recordType).systemFields
    share.created?.deviceID = text
    var draft = DraftRecord(recordType: Share.recordType, recordID: share.recordID)
    draft.shareInfo = Share(
      participants: [ShareParticipant(userIdentity: .init(nameComponents: .init(givenName: text)))],
      link: "https://www.icloud.com/share/0#\(text)")
    share.otherMembers = draft.otherMembers
    #expect(
      try places(ResultRecord(systemFields: share, fields: [])) == [
        "device names", "links of shares", "names of persons",
      ])
  }

  @Test("finds names of the source as parents and shares, and in zones of references")
  func identities() throws {
    let names = ["home-of-kenji", "share-of-kenji", "zone-of-kenji"]
    let other = ZoneID(zoneName: names[2])
    let source = try maker.source(
      [
        SourceMaker.record(names[0]), SourceMaker.record(names[1]),
        SourceMaker.record("x", zone: other),
      ])
    var record = SourceMaker.record("y", parent: names[0]).systemFields
    record.share = Reference(recordID: RecordID(recordName: names[1], zoneID: SourceMaker.zoneID))
    let target = Reference(recordID: RecordID(recordName: "made-up", zoneID: other))
    let result = try maker.source([
      ResultRecord(systemFields: record, fields: [Field(name: "to", value: .reference(target))])
    ])
    let places = try FixtureCheck(of: source, against: result).places
    #expect(places.first { $0.name == "record names" }?.shared == 2, "\(places)")
    #expect(places.first { $0.name == "zone names" }?.shared == 2, "\(places)")
  }

  @Test("finds a text at any place of an asset", arguments: [0, 1 << 20, (1 << 20) - 9, 3_000_001])
  func assets(offset: Int) throws {
    let source = try maker.source([
      SourceMaker.record("a", ["name": .string("Mira Kowalski Østergård")])
    ])
    let container = try ContainerStore.inMemory()
    var draft = DraftRecord(recordType: "Note", recordID: RecordID(recordName: "b"))
    let words = String(repeating: "é ", count: offset / 3 + 1) + "Mira Kowalski Østergård. Ende"
    draft["file"] = Asset(data: Data(words.utf8))
    try container.database(.public).save([draft])
    let check = try FixtureCheck(of: source, against: .container(container))
    #expect(check.places.filter(\.isFinding).map(\.name).contains("contents of assets"))
  }

  @Test("does not count the constants of an anonymisation, nor a field that the default keeps")
  func constants() throws {
    let container = try ContainerStore.inMemory(info: ContainerInfo(currentUserRecordName: "_me"))
    var draft = DraftRecord(recordType: "Note", recordID: RecordID(recordName: "note-of-mira"))
    draft["place"] = Location(latitude: 0, longitude: 0)
    draft["at"] = Date(timeIntervalSinceReferenceDate: 0)
    draft["text"] = "redacted"
    draft["bytes"] = Data(count: 512)
    draft["file"] = Asset(data: ReplacementContent(replacing: .init(start: nil, count: 0)).data)
    try container.database(.public).save([draft])
    let source = ArchiveSource.container(container)
    let redacted = try maker.run("default: redact", source)
    let check = try FixtureCheck(of: source, against: .open([redacted.path]))
    #expect(!check.hasFindings, "\(check.places)")
    let yaml = "default: keep"
    let texts = try maker.source([
      SourceMaker.record("note-of-mira", by: "_mira-of-notes", ["v": .string("Mira Kowalski")])
    ])
    let kept = try ArchiveSource.open([maker.run(yaml, texts).path])
    #expect(
      try FixtureCheck(of: texts, against: kept).places.contains {
        $0.name == "Note.v" && $0.isFinding
      })
    let allowed = try FixtureCheck(of: texts, against: kept, policy: SourceMaker.policy(yaml))
    #expect(!allowed.places.contains { $0.name == "Note.v" && $0.isFinding }, "\(allowed.places)")
  }

  @Test("does not take made-up values for those of the source that are equal by chance")
  func chance() throws {
    let source = try maker.source(
      (0..<3000).map { number in
        SourceMaker.record(
          "name-\(number)", by: "_person-\(number)",
          [
            "price": .double(Double(number) / 4),
            "name": .string(["Amir Taylor", "Felix Silva"][number % 2]),
            "word": .string("Flower"),
            "text": .string("Plan fire page bread sister clock come \(number) flower"),
            "phone": .string("+44 7700 900\(100 + number % 900)"),
            "at": .timestamp(Date(timeIntervalSince1970: 1_500_000_000 + Double(number))),
          ])
      })
    let result = try maker.run(
      "types: {Note: {price: number, name: name, word: text, text: text, phone: phone, at: date}}",
      source)
    let check = try FixtureCheck(of: source, against: .open([result.path]))
    #expect(!check.hasFindings, "\(check.places.filter(\.isFinding))")
  }

  @Test("finds the pseudonyms that two results with one key share")
  func pseudonyms() throws {
    let (one, two) = (try maker.source(records("a")), try maker.source(records("a")))
    func result(_ source: ArchiveSource, _ key: UInt8) throws -> ArchiveSource {
      let path = maker.folder.path("\(UUID())")
      try Anonymisation(
        SourceMaker.policy(
          "types: {Note: {text: text, note: text, count: number, big: number, at: date}}"),
        key: PseudonymTests.key(key)
      ).write(source, to: path)
      return try .open([path])
    }
    let same = try FixtureCheck(of: result(one, 1), against: result(two, 1))
    #expect(same.places.contains { $0.name == "record names" && $0.shared == 20 })
    #expect(same.places.contains { $0.name == "user names" && $0.shared == 21 })
    let other = try FixtureCheck(of: result(one, 1), against: result(two, 2))
    #expect(!other.places.contains { $0.name.hasSuffix("names") }, "\(other.places)")
  }
}
