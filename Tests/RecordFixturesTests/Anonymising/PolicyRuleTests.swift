import Foundation
import RecordArchive
import RecordModel
import RecordPlatform
import RecordSchema
import RecordStore
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("Rules of a policy")
struct PolicyRuleTests {
  private let maker: SourceMaker

  init() throws { maker = try SourceMaker() }

  private func one(_ rule: String, _ value: RecordValue) throws -> RecordValue? {
    let source = try maker.source([SourceMaker.record("a", ["v": value])])
    return try maker.run("types: {Note: {v: \(rule)}}", source).records[0].field(named: "v")?.value
  }

  // MARK: Keeping

  @Test(
    "A list of values keeps these, and redacts all others",
    arguments: [
      ("{keep: [open, done]}", .string("open"), .string("open")),
      ("{keep: [open, done]}", .string("Mira broke her leg"), .string("redacted")),
      ("{keep: [open]}", .stringList(["open", "x"]), .stringList(["open", "redacted"])),
      ("{keep: [1, 2]}", .int64(2), .int64(2)), ("{keep: [1, 2]}", .int64(41), .int64(0)),
      ("{keep: [0.5]}", .double(0.5), .double(0.5)), ("{keep: [0.5]}", .double(7), .double(0)),
      ("{round: 10}", .int64(17), .int64(20)), ("{round: 10}", .int64(-14), .int64(-10)),
      ("{round: 0.5}", .double(0.7), .double(0.5)),
      (
        "{round: year}", .timestamp(Date(timeIntervalSince1970: 1_700_000_000)),
        .timestamp(Date(timeIntervalSince1970: 1_672_531_200))
      ),
      (
        "{round: month}", .timestamp(Date(timeIntervalSince1970: 1_700_000_000)),
        .timestamp(Date(timeIntervalSince1970: 1_698_796_800))
      ),
    ] as [(String, RecordValue, RecordValue)])
  func keeping(_ rule: String, _ old: RecordValue, _ new: RecordValue) throws {
    #expect(try one(rule, old) == new)
  }

  @Test("keep-if counts persons, not records, and the whole source also where a part is made")
  func keepIf() throws {
    let zones = [SourceMaker.zoneID, ZoneID(zoneName: "Other")]
    var records = (0..<5).map { number in
      SourceMaker.record(
        "a\(number)", by: "_user\(number)", zone: zones[number % 2], ["v": .string("common")])
    }
    records += (0..<50).map {
      SourceMaker.record("b\($0)", by: "_user0", ["v": .string("rare")])
    }
    let source = try maker.source(records)
    let yaml = "types: {Note: {v: {keep-if: 5}}}"
    let whole = try maker.run(yaml, source)
    #expect(SourceMaker.texts("v", whole.records).filter { $0 == "common" }.count == 5)
    #expect(SourceMaker.texts("v", whole.records).filter { $0 == "redacted" }.count == 50)
    let part = try maker.run(yaml, source, filter: RecordFilter(zoneIDs: [zones[1]]))
    #expect(SourceMaker.texts("v", part.records) == ["common", "common"])
    let more = try maker.run("types: {Note: {v: {keep-if: 6}}}", source)
    #expect(Set(SourceMaker.texts("v", more.records)) == ["redacted"])
  }

  @Test("The person is who the policy's field names")
  func personFields() throws {
    // One doctor made all records.
    let source = try maker.source(
      (0..<20).flatMap { number in
        [
          SourceMaker.record("p\(number)", "Patient", by: "_doctor", ["city": .string("Ulm")]),
          SourceMaker.record(
            "v\(number)", "Visit", by: "_doctor",
            [
              "patient": .reference(
                Reference(
                  recordID: RecordID(recordName: "p\(number)", zoneID: SourceMaker.zoneID))),
              "kind": .string(number == 7 ? "long" : "short"),
            ]),
        ]
      })
    let types = "types: {Patient: {city: text}, Visit: {kind: keep}}"
    #expect(try maker.run(types, source).report.verdict.persons == 1)
    let verdict = try maker.run(
      "persons: {Patient: ___recordID, Visit: patient}\n" + types, source
    ).report.verdict
    #expect(verdict.persons == 20 && verdict.alone == 1)
    #expect(verdict.traces == [.init(name: "Visit.kind", alone: 1)])
    let draft = try PolicyDraft(
      of: source, persons: ["Visit": "patient", "Patient": "___recordID"])
    #expect(draft.persons == 20 && draft.yaml.contains("  Visit: patient\n"))
    #expect(draft.yaml.contains("# kind: {keep: [short]}  # persons: short 19 of 20; others, of"))
    #expect(try PolicyDraft(of: source).yaml.contains("# Visit: patient\n"))
  }

  // MARK: Leaving out

  @Test("drop leaves out fields, types, references, subscriptions, comments and deletions")
  func drop() throws {
    let reference = Reference(
      recordID: RecordID(recordName: "b", zoneID: SourceMaker.zoneID), action: .none)
    let source = try maker.source(
      [
        SourceMaker.record(
          "a", parent: "b", ["text": .string("Mira"), "n": .int64(1), "to": .reference(reference)]),
        SourceMaker.record("b", "Log", ["line": .string("x")]),
      ],
      schema: """
        DEFINE SCHEMA
          // of Mira
          RECORD TYPE Note (n INT64, text STRING, to REFERENCE);
          RECORD TYPE Log (line STRING);
        """
    ) { writer in
      try writer.add(
        CloudSubscription(subscriptionID: "s", kind: .database(recordType: nil)), to: .private)
      try writer.add(
        DeletedRecord(
          recordID: RecordID(recordName: "gone", zoneID: SourceMaker.zoneID),
          deletionDate: Date(timeIntervalSince1970: 0)), to: .private)
    }
    let (report, records, path) = try maker.run(
      """
      drop: [references, subscriptions, comments, deletions]
      types: {Log: drop, Note: {text: drop, n: number}}
      """, source)
    #expect(records.count == 1 && report.records == 1)
    #expect(records[0].fields.map(\.name) == ["n"] && records[0].parent == nil)
    let result = try ArchiveSource.open([path])
    #expect(try result.subscriptions().isEmpty)
    #expect(try result.info().schema?.contains("Mira") == false)
    #expect(
      try SchemaDocument(parsing: result.info().schema ?? "", name: "s").validSchema().recordTypes
        .contains { $0.name == "Log" })
    var deletions = 0
    try result.forEachTombstone { _, _ in deletions += 1 }
    #expect(deletions == 0)
    let kept = try maker.run("types: {Log: {line: text}, Note: {text: drop, n: number}}", source)
    let note = try #require(kept.records.first { $0.recordType == "Note" })
    #expect(note.parent != nil && note.fields.map(\.name) == ["n", "to"])
    #expect(!(try ArchiveSource.open([kept.path]).subscriptions().isEmpty))
  }

  @Test("An accepted finding is counted, and no fault")
  func accepted() throws {
    let source = try maker.source(
      [SourceMaker.record("a", ["v": .string("mira@tact.app"), "w": .string("1974-03-03")])],
      schema: "DEFINE SCHEMA // ask kenji@tact.app\n RECORD TYPE Note (v STRING, w STRING);")
    let rules = "types: {Note: {v: {keep: , accepted: a test}, w: keep}}"
    let report = try maker.run(rules, source).report
    #expect(report.findings.map(\.key.field) == ["comments", "w"])
    let settled = try maker.run(
      "dates: keep\naccepted: {comments: of the company, dates: no person}\n"
        + "types: {Note: {v: {keep: , accepted: a test}, w: {keep: , accepted: fixed}}}", source
    ).report
    #expect(!settled.hasFindings && settled.findings.isEmpty && settled.linesWithEmails == 1)
    let key = AnonymisationReport.Key(recordType: "Note", field: "v")
    #expect(settled.fields[key]?.found == [.email: 1] && settled.fields[key]?.accepted == "a test")
  }

  // MARK: Errors

  @Test(
    "A rule that does not apply, and a name that does not exist, are errors, also without a schema",
    arguments: [
      ("types: {Note: {to: redact}}", "'redact' does not apply to REFERENCE values"),
      (
        "default: keep\ntypes: {Note: {txet: redact}}",
        "has the field of Note 'txet'; did you mean 'text'?"
      ),
      ("default: redact\ntypes: {Nota: {a: text}}", "has the type 'Nota'; did you mean 'Note'?"),
      ("default: redact\ntypes: {'*': {txet: text}}", "has the field 'txet'; did you mean 'text'?"),
      ("default: redact\ntypes: {Nota: drop}", "has the type 'Nota'"),
      ("default: redact\npersons: {Note: persn}", "has the field of Note 'persn'"),
      ("types: {Note: {text: {round: 10}}}", "'round' does not apply to STRING values"),
      ("types: {Note: {text: text, n: {round: year}}}", "'year' is for dates; use a number"),
      ("types: {Note: {text: text, n: {keep: [a]}}}", "is not a value of INT64"),
      ("types: {Note: {text: text, n: {date: day}}}", "'date' does not apply to INT64 values"),
    ])
  func errors(_ yaml: String, _ expected: String) throws {
    let source = try maker.source([
      SourceMaker.record(
        "a",
        [
          "text": .string("x"), "n": .int64(1),
          "to": .reference(Reference(recordID: RecordID(recordName: "b"))),
        ])
    ])
    var found = ""
    do { _ = try maker.run(yaml, source) } catch { found = "\(error)" }
    #expect(found.contains(expected), "\(found)")
    #expect(found.contains("policy.yml:"), "\(found)")
  }

  // MARK: Orders and seeds

  @Test("Made-up values are in the order that the policy states, whatever the values were")
  func orders() throws {
    var random = SeededGenerator(3)
    let source = try maker.source(
      (0..<60).map { number in
        SourceMaker.record(
          "\(number)", "Event",
          [
            "start": .timestamp(Date(timeIntervalSince1970: Double(random.below(1_000_000)))),
            "end": .timestamp(Date(timeIntervalSince1970: Double(random.below(1_000_000)))),
            "low": .int64(Int64(random.below(99))), "high": .int64(Int64(random.below(99))),
            "from": .string("2024-01-05"), "till": .string("2024-01-01"),
          ])
      })
    let (_, records, _) = try maker.run(
      """
      orders: {Event: [start <= end, low <= high, from <= till]}
      types:
        Event:
          start: date
          end: date
          low: {integer: 1..9}
          high: {integer: 1..9}
          from: {date: day}
          till: {date: day}
      """, source)
    #expect(records.count == 60)
    var lows: Set<Int64> = []
    for record in records {
      let start = try #require(record["start"] as Date?)
      let end = try #require(record["end"] as Date?)
      #expect(start <= end)
      let (low, high) = (record["low"] as Int64? ?? 0, record["high"] as Int64? ?? 0)
      #expect(low <= high && 1...9 ~= low && 1...9 ~= high)
      lows.insert(low)
      #expect((record["from"] as String? ?? "z") <= (record["till"] as String? ?? ""))
    }
    #expect(lows.count > 4)
  }

  @Test(
    "An order needs fields of one rule that makes values up",
    arguments: [
      "orders: {A: [a <= b]}\ntypes: {A: {a: date, b: keep}}", "orders: {A: [a <= b]}",
      "orders: {A: [a <= a]}\ntypes: {A: {a: date}}",
      "orders: {A: [a <= b]}\ntypes: {A: {a: {integer: 0..1}, b: {integer: 0..2}}}",
    ])
  func wrongOrders(_ yaml: String) {
    #expect(throws: FixtureError.self) { try SourceMaker.policy(yaml) }
  }

  @Test("Records of one name in thirty zones get thirty different values")
  func zones() throws {
    let source = try maker.source(
      (0..<30).map {
        SourceMaker.record(
          "profile", zone: ZoneID(zoneName: "zone\($0)"),
          ["name": .string("Mira"), "born": .timestamp(Date(timeIntervalSince1970: 0))])
      })
    let (_, records, _) = try maker.run("types: {Note: {name: text, born: date}}", source)
    #expect(Set(SourceMaker.texts("name", records)).count == 30)
    #expect(Set(records.compactMap { $0["born"] as Date? }).count == 30)
    // The pseudonym is one, so that parts fit together.
    #expect(Set(records.map(\.recordID.recordName)).count == 1)
  }

  @Test("The name of a participant is that of the address")
  func participants() throws {
    let id = RecordID(recordName: "share", zoneID: SourceMaker.zoneID)
    var draft = DraftRecord(recordType: Share.recordType, recordID: id)
    draft.shareInfo = Share(
      participants: (0..<4).map { number in
        ShareParticipant(
          participantID: "p\(number)",
          userIdentity: UserIdentity(
            userRecordName: "_u\(number)",
            nameComponents: .init(givenName: "Mira", familyName: "Kowalski"),
            lookupInfo: .init(emailAddress: "mira\(number)@tact.app")))
      })
    let share = ResultRecord(
      systemFields: SystemFields(
        recordID: id, recordType: Share.recordType, otherMembers: draft.otherMembers), fields: [])
    let (_, records, _) = try maker.run("types:", try maker.source([share]))
    let people = try #require(try records[0].readShareInfo()).participants
    #expect(people.count == 4)
    for person in people {
      let identity = person.userIdentity
      let name = try #require(identity.nameComponents)
      let start = "\(name.givenName ?? "").\(name.familyName ?? "").".lowercased()
      #expect(identity.lookupInfo?.emailAddress?.hasPrefix(start) == true, "\(identity)")
    }
  }
}
