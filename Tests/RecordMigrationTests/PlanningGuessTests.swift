import Foundation
import RecordModel
import RecordSchema
import Testing

@testable import RecordMigration

@Suite("Guesses in drafts of plans")
struct PlanningGuessTests {
  private func renames(_ draft: PlanDraft) -> [String] {
    draft.asked.filter { $0.kind == .renamedField }
      .map { "\($0.fields.joined()) → \($0.candidate ?? "")" }
  }

  @Test("a conversion is offered where a step makes it, and nowhere else")
  func possibleConversions() throws {
    let samples: [CloudSchema.Primitive: [RecordValue]] = [
      .asset: [.asset(Asset(data: Data([1])))], .bytes: [.bytes(Data("7".utf8))],
      .double: [.double(7)], .int64: [.int64(7)],
      .location: [.location(Location(latitude: 1, longitude: 2))],
      .reference: [Sample.reference("7")],
      .string: [.string("7"), .string("2024-03-01")],
      .timestamp: [.timestamp(Date(timeIntervalSinceReferenceDate: 7))],
    ]
    for (from, values) in samples {
      for to in samples.keys {
        let works = values.contains { value in
          guard let type = ValueType(CloudSchema.FieldType(to)) else { return false }
          return (try? Conversion(to: type).convert(value, in: Sample.zone)) != nil
        }
        let change = TypeChange(from: CloudSchema.FieldType(from), to: CloudSchema.FieldType(to))
        #expect(change.isPossible == works, "\(from) → \(to)")
        if !change.mayFail, change.isPossible {
          for value in values {
            let type = try #require(ValueType(CloudSchema.FieldType(to)))
            #expect(
              throws: Never.self, "\(from) → \(to)",
              performing: { try Conversion(to: type).convert(value, in: Sample.zone) })
          }
        }
      }
    }
  }

  @Test(
    "a field is taken for another by fitting types, by name, and by being the only one",
    arguments: [
      ("attachment BYTES, a STRING", "photo ASSET, a STRING", ["attachment → photo"]),
      ("chat REFERENCE, a STRING", "chatName STRING, a STRING", ["chat → chatName"]),
      ("text STRING", "body STRING", ["text → body"]),
      ("userId STRING, n INT64", "userID STRING, n INT64", ["userId → userID"]),
      ("photo_data BYTES, t STRING", "photoAsset ASSET, u INT64", ["photo_data → photoAsset"]),
      ("place LOCATION", "name STRING", []), ("photo ASSET", "title STRING", []),
      ("color STRING", "owner STRING, size STRING", []),
      ("title STRING, body STRING", "bodyText STRING, x STRING", ["body → bodyText", "title → x"]),
    ])
  func guesses(_ old: String, _ new: String, _ expected: [String]) throws {
    let draft = try Planning.draft(old, new)
    #expect(renames(draft) == expected, "\(draft.yaml)")
  }

  @Test("values that fields have in common decide, where records are of both ages")
  func commonValues() throws {
    let (old, new) = ("nick STRING, city STRING", "alpha STRING, omega STRING")
    var records: [ResultRecord] = []
    for number in 0..<30 {
      records.append(
        Sample.record(
          "Note", "o\(number)",
          [
            "nick": .string("nick \(number)"), "city": .string("city \(number)"),
          ]))
      records.append(
        Sample.record(
          "Note", "n\(number)",
          [
            "alpha": .string("city \(number + 6)"), "omega": .string("nick \(number)"),
          ]))
    }
    let draft = try Planning.draft(old, new, records)
    #expect(renames(draft) == ["city → alpha", "nick → omega"], "\(draft.yaml)")
    #expect(
      draft.yaml.replacingOccurrences(of: "\n  #", with: "")
        .contains("24 of 30 distinct values occur in both"))
    #expect(renames(try Planning.draft(old, new)) == [])
    // Records may be looked at in any order.
    let shuffled = try Planning.draft(old, new, records.reversed())
    #expect(shuffled.yaml == draft.yaml)
  }

  @Test("a sample tells how much two fields have in common, whatever their size")
  func samples() {
    func sample(_ numbers: Range<Int>) -> ValueSample {
      var sample = ValueSample()
      for number in numbers { sample.add("value \(number)") }
      return sample
    }
    let half = sample(0..<20_000).common(with: sample(10_000..<30_000))
    #expect((30...70).contains(half.common * 100 / max(1, half.of)), "\(half)")
    let within = sample(0..<50_000).common(with: sample(100..<300))
    #expect(within.common == within.of)
    #expect(sample(0..<5000).common(with: sample(5000..<10_000)).common == 0)
    #expect(sample(0..<3).common(with: sample(2..<9)) == (1, 3))
    #expect(ValueSample().common(with: sample(0..<3)) == (0, 0))
  }

  @Test("a new field of the old type under a like name keeps what does not fit")
  func overflow() throws {
    let draft = try Planning.draft("count STRING", "count INT64, countText STRING")
    #expect(draft.yaml.contains("misfit: {keep-in: countText}"), "\(draft.yaml)")
    #expect(draft.asked.map(\.kind) == [.convertedField])
    let other = try Planning.draft(
      "count ENCRYPTED STRING", "count ENCRYPTED INT64, countText STRING")
    #expect(other.yaml.contains("misfit: fail"), "an encrypted value is not kept in plain")
  }

  @Test("texts that are names of numbers are listed with a number each, to be decided on")
  func naming() throws {
    let records = ["low", "high", "low", "a \"b\""].enumerated().map {
      Sample.record("Note", "n\($0)", ["level": .string($1)])
    }
    let draft = try Planning.draft("level STRING", "level INT64", records)
    #expect(
      draft.yaml.contains(##"  #   values: {"a \"b\"": 1, "high": 2, "low": 3}"##),
      "\(draft.yaml)")
    #expect(draft.asked.first?.stepsAreComments == true)
  }

  @Test(
    "the size of numbers tells how they count dates",
    arguments: [
      (1_700_000_000, "seconds"), (1_700_000_000_000, "milliseconds"),
      (700_000_000, "reference-seconds"), (86_400, "seconds"),
    ])
  func dates(_ number: Int64, _ form: String) throws {
    let draft = try Planning.draft(
      "at INT64", "at TIMESTAMP", [Sample.record(["at": .int64(number)])])
    #expect(draft.yaml.contains("format: \(form)\n"), "\(draft.yaml)")
  }

  @Test("facts are counted in the values")
  func facts() throws {
    let records = [
      Sample.record(
        "Note", "1",
        [
          "a": .string("7"), "b": .string("x"), "c": .double(1.5), "d": Sample.reference("r"),
          "e": .stringList(["1"]), "f": .bytes(Data([0xFF])),
        ]),
      Sample.record(
        "Note", "2",
        [
          "a": .string("many"), "b": .string("2024-03-01"), "c": .double(2),
          "d": Sample.reference("r", zone: Sample.other), "e": .stringList(["1", "2"]),
          "f": .bytes(Data("ü".utf8)),
        ]),
    ]
    let yaml = try Planning.draft(
      "a STRING, b STRING, c DOUBLE, d REFERENCE, e LIST<STRING>, f BYTES",
      "a INT64, b TIMESTAMP, c INT64, d STRING, e STRING, f STRING", records
    ).yaml.replacingOccurrences(of: "\n  #", with: "")
    for fact in [
      "integers", "ISO 8601 dates", "lists of one element", "UTF-8 strings",
    ] { #expect(yaml.contains("1 of 2 values are \(fact)"), "\(fact)\n\(yaml)") }
    #expect(yaml.contains("1 of 2 values lead to records in the same zone"))
  }

  @Test("values of encrypted fields are counted, and never shown")
  func encrypted() throws {
    let records = (0..<4).map {
      Sample.record("Note", "n\($0)", encrypted: ["level": .string("hidden \($0 % 2)")])
    }
    let draft = try Planning.draft(
      "level ENCRYPTED STRING", "level ENCRYPTED INT64", records)
    #expect(!draft.yaml.contains("hidden"))
    #expect(draft.asked[0].text.contains("0 of 4 values are integers"))
  }

  @Test("types are taken for one by their fields")
  func types() throws {
    let old = "RECORD TYPE Note (a STRING, b INT64, c BYTES); RECORD TYPE Old (x STRING);"
    let new =
      "RECORD TYPE Memo (a STRING, b INT64, d BYTES); RECORD TYPE Wide (x STRING, y STRING, "
      + "z BYTES, w BYTES);"
    let draft = Planning.draft(try Planning.schema(old), try Planning.schema(new))
    #expect(
      draft.asked.map(\.kind) == [.renamedType, .removedType, .renamedField], "\(draft.yaml)")
    #expect(draft.asked[1].text.contains("merge-types into 'Wide'"))
  }
}
