import RecordSchema
import AppModel
import Testing

/// The code of the article and the doc comments of AppModel, run.
@Suite("Snippets of AppModel")
struct AppModelSnippetTests {
  @Test("source code held against a schema")
  func check() throws {
    let bytes = Array("func f(note: CKRecord) { note[\"order\"] = 1 }".utf8)
    let production = SchemaDocument(parsing: "DEFINE SCHEMA RECORD TYPE Note (title STRING);")
    let scan = SourceScan(files: [("Sources/Note.swift", bytes)], named: "Sources")
    let report = try SchemaChecker().check(scan.uses, against: production)
    print(report.text(as: .text))
    #expect(report.findings.map(\.rule) == ["FIELD_NOT_DEPLOYED"])
  }
}
