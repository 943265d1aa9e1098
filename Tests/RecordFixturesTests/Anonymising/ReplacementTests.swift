import Foundation
import RecordArchive
import RecordBundle
import RecordModel
import RecordStore
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("The values that anonymisation makes up")
struct ReplacementTests {
  private let maker: SourceMaker
  private let zoneID = SourceMaker.zoneID

  init() throws { maker = try SourceMaker() }

  @Test("The default redacts or keeps; encrypted values and assets are replaced all the same")
  func defaults() throws {
    let given = [
      Field(name: "a", value: .string("Mira 7")),
      Field(name: "b", value: .string("Secret"), isEncrypted: true),
      Field(name: "c", value: .int64(42)), Field(name: "d", value: .bytes(Data([1, 2, 3]))),
      Field(name: "e", value: .timestamp(Date(timeIntervalSince1970: 0))),
      Field(name: "f", value: .asset(Asset(size: 7, fileChecksum: "AbC9"))),
    ]
    let redacted = try maker.fields("default: redact", given)
    #expect(redacted.map(\.name) == ["a", "b", "c", "d", "e", "f"])
    #expect(redacted[0].value == .string("redacted"))
    #expect(redacted[1].value == .string("redacted") && redacted[1].isEncrypted)
    #expect(redacted[2].value == .int64(0))
    #expect(redacted[3].value == .bytes(Data(count: 512)))
    #expect(redacted[4].value == .timestamp(Date(timeIntervalSinceReferenceDate: 0)))
    let kept = try maker.fields("default: keep", given)
    #expect(kept[0].value == given[0].value && kept[2].value == given[2].value)
    #expect(kept[1].value == .string("redacted"))
    guard case .asset(let asset) = kept[5].value else {
      Issue.record("no asset")
      return
    }
    #expect(asset.size == 512 && asset.fileChecksum?.count == 28)
  }

  @Test("Dates come in any order, unless the rule keeps it")
  func orderOfDates() throws {
    let names = (0..<12).map { "d" + String($0 + 10) }
    let dates = names.indices.map { Date(timeIntervalSince1970: 86_400 * Double($0)) }
    func order(_ rule: String) throws -> [Date] {
      try maker.fields(
        "types: {Note: {\(names.map { "\($0): \(rule)" }.joined(separator: ", "))}}",
        zip(names, dates).map { Field(name: $0, value: .timestamp($1)) }
      ).map { if case .timestamp(let date) = $0.value { date } else { .distantPast } }
    }
    let (any, ordered) = (try order("date"), try order("date-order"))
    #expect(any != any.sorted() && Set(any).count == names.count)
    #expect(ordered == ordered.sorted() && Set(ordered).isDisjoint(with: dates))
    let list = try maker.fields(
      "types: {Note: {a: date-order}}", [Field(name: "a", value: .timestampList(dates.reversed()))])
    guard case .timestampList(let found) = list[0].value else {
      Issue.record("no list")
      return
    }
    #expect(found == found.sorted().reversed() && found.count == dates.count)
  }

  @Test("A list says nothing by its length, unless equal elements stay equal")
  func lists() throws {
    let texts = (0..<50).map { "\($0)" }
    let rules =
      "types: {Note: {a: text, b: redact, c: name-consistent, d: identifier, e: date, f: content}}"
    func lengths(_ count: Int) throws -> [Int] {
      let list = RecordValue.stringList(Array(texts.prefix(count)))
      let dates = (0..<count).map { Date(timeIntervalSince1970: Double($0)) }
      return try maker.fields(
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
    let path = maker.folder.path("types.recordpack")
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
    let report = try SourceMaker.anonymisation("types: {\"*\": {kept: keep, text: text}}").write(
      .bundle(BundleReader(path: path)), to: maker.folder.path("out.recordpack"))
    for type in ["A", "B", "C"] {
      #expect(report.fields[.init(recordType: type, field: "text")]?.replaced == 3)
      #expect(report.fields[.init(recordType: type, field: "kept")]?.kept == 3)
    }
  }

  @Test("The form of a replacement is that of the rule, whatever the value was")
  func forms() throws {
    for value in ["Mira", "mira@tact.app", "", "+49 170 1234567", "ⓐ 🅰 ᵃ ① ⠓ ㊞"] {
      let found = try maker.fields(
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
    let path = maker.folder.path("in.sqlite")
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
    let out = maker.folder.path("out.recordpack")
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
}
