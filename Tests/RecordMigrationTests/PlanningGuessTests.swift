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
      (
        "CD_color STRING, CD_color_ckAsset ASSET",
        "CD_owner STRING, CD_size STRING, CD_size_ckAsset ASSET", []
      ),
      (
        "CD_text STRING, CD_text_ckAsset ASSET", "CD_body STRING, CD_body_ckAsset ASSET",
        ["CD_text → CD_body"]
      ),
    ])
  func guesses(_ old: String, _ new: String, _ expected: [String]) throws {
    let draft = try Planning.draft(old, new)
    #expect(renames(draft) == expected, "\(draft.yaml)")
  }

  @Test("the file of large values follows its attribute without a question of its own")
  func largeValues() throws {
    let draft = try Planning.draft(
      "CD_text STRING, CD_text_ckAsset ASSET", "CD_body STRING, CD_body_ckAsset ASSET")
    #expect(
      draft.yaml.contains("    field: CD_text_ckAsset\n    to: CD_body_ckAsset"), "\(draft.yaml)")
    #expect(draft.questions == 1)
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
