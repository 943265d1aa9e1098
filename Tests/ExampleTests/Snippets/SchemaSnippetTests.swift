import Foundation
import RecordPack
import Testing

/// The code of the articles of RecordSchema, run.
struct SchemaSnippetTests {
  private static let text =
    "DEFINE SCHEMA RECORD TYPE Todo (title STRING, GRANT READ TO \"_world\");"

  @Test("two schemas compared")
  func compare() throws {
    let (productionBytes, proposalBytes) = (Array(Self.text.utf8), Array(Self.text.utf8))
    let production = SchemaDocument(parsing: productionBytes, name: "production.ckdb")
    let proposal = SchemaDocument(parsing: proposalBytes, name: "CloudKit/schema.ckdb")
    let report = try SchemaChecker().compare(from: production, to: proposal, kind: .deploy)
    print(report.text(as: .text))
    if report.fails(at: .error) { exit(1) }
    #expect(report.findings.isEmpty)
  }

  @Test("records held against a schema")
  func judge() throws {
    let production = SchemaDocument(parsing: Self.text)
    var draft = DraftRecord(recordType: "Todo", recordID: RecordID(recordName: "a"))
    draft["order"] = 1
    let records = [try draft.resultRecord()]
    var census = RecordCensus(source: "Todo.recordpack")
    for record in records { try census.add(record, in: .private) }
    let report = try SchemaChecker().validate(census, against: production)
    print(report.text(as: .text))
    #expect(report.findings.map(\.rule) == ["RECORD_FIELD_UNKNOWN"])
    let validator = RecordValidator(try production.validSchema())
    let problems = validator.problems(in: draft, database: .private)
    #expect(problems.map(\.rule) == ["RECORD_FIELD_UNKNOWN"])
  }
}
