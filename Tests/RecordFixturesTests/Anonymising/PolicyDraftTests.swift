import Foundation
import RecordArchive
import RecordModel
import RecordPlatform
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("A drafted policy")
struct PolicyDraftTests {
  private let maker: SourceMaker

  init() throws { maker = try SourceMaker() }

  /// The fields of 20 persons with 10 records each.
  private func persons(_ fields: (Int, Int) -> [String: RecordValue]) throws -> ArchiveSource {
    try maker.source(
      (0..<200).map { number in
        SourceMaker.record(
          "\(number)", by: "_user\(number / 10)", fields(number / 10, number % 10))
      })
  }

  @Test("keeps nothing, and proposes to keep nothing that tells a person or a secret")
  func identifiers() throws {
    let source = try persons { person, number in
      [
        "userId": .int64(Int64(person)), "customerNumber": .int64(Int64(1000 + person)),
        "taxId": .string("T\(person)"), "income": .int64(Int64(person % 4) * 10_000),
        "isPregnant": .int64(Int64(person % 2)),
        "hivStatus": .string(person % 2 == 0 ? "neg" : "pos"),
        "kundennummer": .int64(Int64(person)), "geschlecht": .string(person % 2 == 0 ? "w" : "m"),
        "saude": .int64(Int64(person % 2)), "パスワード": .string("a"), "性别": .string("f"),
        "возраст": .int64(Int64(20 + person % 3)),
        "status": .string(number == 0 ? "Mira broke her leg on day \(person)" : "open"),
      ]
    }
    let draft = try PolicyDraft(of: source)
    #expect(draft.persons == 20)
    let rules = try #require(draft.policy.rules["Note"])
    #expect(rules.count == 13 && rules.values.allSatisfy { !$0.rule.keepsValues })
    // The sentences are redacted by this.
    let proposed = draft.yaml.split(separator: "\n").filter { $0.hasPrefix("    # ") }
    #expect(
      proposed.map { $0.prefix(27) } == ["    # status: {keep: [open]}"].map { $0.prefix(27) },
      "\(draft.yaml)")
  }

  @Test("shows beside harmless fields what could stay, with the number of persons")
  func proposals() throws {
    let source = try persons { person, number in
      [
        "state": .string(["open", "done"][number % 2]), "priority": .int64(Int64(number % 3)),
        // Ten records of one person are one person.
        "flag": .int64(person == 0 ? 1 : 0), "grade": .string(person == 0 ? "rare" : "usual"),
        "points": .int64(Int64(number * 37 + person)),
        "share": .double(0.25 * Double(number) + 0.1),
        "day": .string("2024-01-1\(number)"), "at": .string("2024-01-1\(number)T10:00:00Z"),
        "tint": .string("#00FF0\(number)"), "link": .string("myapp://item/\(number)"),
        "build": .string("1.\(number).3"), "body": .string(#"{"kind":"a","count":\#(number)}"#),
        "mood": .string("😀"), "region": .string("de_DE"), "isOn": .string("true"),
        "startAt": .timestamp(Date()), "endAt": .timestamp(Date()),
      ]
    }
    let yaml = try PolicyDraft(of: source).yaml
    for line in [
      "# state: {keep: [done, open]}  # persons: done 20, open 20 of 20",
      "# priority: {keep: [0, 1, 2]}  # persons: 0 20, 1 20, 2 20 of 20",
      "# priority: {integer: 0..2}", "# flag: flag",
      "# flag: {keep: [0]}  # persons: 0 19 of 20; others",
      "# grade: {keep: [usual]}  # persons: usual 19 of 20; others, of fewer than 5, are redacted",
      "# points: {integer: 0..500}", "# share: {decimal: 0..5}", "# day: {date: yyyy-MM-dd}",
      "# state: {enumeration: [done, open]}",
      "# at: date",
      "# tint: colour", "# link: {url: myapp}", "# build: version", "# body: {json: [count, kind]}",
      "# mood: emoji", "# region: locale", "# isOn: flag", "#   Note: [startAt <= endAt]",
    ] {
      #expect(yaml.contains(line), "\(line)\n\(yaml)")
    }
    #expect(!yaml.contains("rare,") && !yaml.contains("[rare"))
    // Each proposal is a rule that the reader takes, and that fits the field.
    let lines = yaml.split(separator: "\n", omittingEmptySubsequences: false)
    for (place, line) in lines.enumerated() where line.hasPrefix("    # ") {
      var edited = lines
      let name = line.dropFirst(6).prefix { $0 != ":" }
      edited.removeAll { $0.hasPrefix("    \(name): ") }
      let index = try #require(edited.firstIndex { $0 == line }, "\(place)")
      edited[index] = "    " + line.dropFirst(6)
      let policy = try AnonymisationPolicy(yaml: edited.joined(separator: "\n"))
      try Anonymisation(policy, key: PseudonymTests.key()).write(
        source, to: maker.folder.path("edited"))
    }
  }

  @Test("does not show keys of JSON that few persons have, and takes addresses for what they are")
  func jsonKeys() throws {
    let source = try persons { person, number in
      [
        "body": .string(
          person == 0 ? #"{"kind":1,"mira@tact.app":1}"# : #"{"kind":1,"Mira\#(person)":2}"#),
        "own": .string(#"{"mira@tact.app":1,"_0123456789abcdef0123456789abcdef":2}"#),
        "server": .string("192.168.\(person).\(number)"), "stamp": .string("1\(number).02.2024"),
        "raw": .bytes(Data(#"{"kind":\#(number)}"#.utf8)),
      ]
    }
    let yaml = try PolicyDraft(of: source).yaml
    for line in [
      "# body: {json: [kind]}", "server: text", "# raw: {json: [kind]}",
      "# stamp: {date: dd.MM.yyyy}",
    ] {
      #expect(yaml.contains(line), "\(line)\n\(yaml)")
    }
    #expect(!yaml.contains("mira@") && !yaml.contains("Mira") && !yaml.contains("_0123"))
    // Most texts of one person have the name.
    let few = try maker.source(
      (0..<20).map { SourceMaker.record("\($0)", ["body": .string(#"{"Mira":1,"kind":1}"#)]) })
    let drafted = try PolicyDraft(of: few).yaml
    #expect(!drafted.contains("Mira") && drafted.contains("# body: {json: [kind]}"), "\(drafted)")
  }

  @Test("reads the whole source")
  func wholeSource() throws {
    let source = try maker.source(
      (0..<20_300).map {
        SourceMaker.record("\($0)", ["state": .string($0 < 20_000 ? "open" : "+49 170 \($0)456")])
      })
    let draft = try PolicyDraft(of: source)
    #expect(draft.policy.rules["Note"]?["state"]?.rule == .text)
    #expect(!draft.yaml.contains("    # state"))
  }

  @Test("has a bound for the number of fields", .timeLimit(.minutes(20)))
  func manyFields() throws {
    let fields = Dictionary(
      uniqueKeysWithValues: (0..<TestAmount.of(60_000, some: 12_000)).map {
        ("f\($0)", RecordValue.int64(1))
      })
    let source = try maker.source([SourceMaker.record("a", fields)])
    let draft = try PolicyDraft(of: source)
    #expect(draft.policy.rules["Note"]?.count == PolicyDraft.maxFields)
    #expect(draft.yaml.contains("more fields than 10000") && draft.yaml.contains("default: redact"))
  }

  @Test("has a rule for each field, and none of the values")
  func rules() throws {
    let people = (0..<40).map { "Person\($0) Kowalski\($0)" }
    let source = try maker.source(
      fields: [
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
      ],
      schema: "DEFINE SCHEMA RECORD TYPE Note (unused DOUBLE, \"who\" STRING);")
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
      source, to: maker.folder.path("out.recordpack"))
  }

  @Test(
    "is read back with any name of a field",
    arguments: [
      "\u{7F}", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{FFFE}", "a: b", "- #", "\"\\", "no",
    ])
  func draftedNames(_ name: String) throws {
    let draft = try PolicyDraft(
      of: maker.source(fields: [Field(name: "x" + name, value: .int64(1))]))
    let read = try AnonymisationPolicy(yaml: draft.yaml)
    #expect(read.namedRule(for: "x" + name, of: "Note")?.rule == .number)
  }
}
