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

  @Test("comments that allow a finding", arguments: [true, false])
  func allowed(inTheLine: Bool) throws {
    let code = """
      note["draft"] = text  // recordpack:allow FIELD_NOT_DEPLOYED comes with version 2
      // recordpack:allow FIELD_NOT_DEPLOYED(Note.draft) comes with version 2
      """.split(separator: "\n").map(String.init)
    let lines =
      inTheLine ? [code[0]] : [code[1], "print(note)", "note[\"draft\"] = text"]
    let body = "let note = CKRecord(recordType: \"Note\")\n" + lines.joined(separator: "\n")
    let production = SchemaDocument(parsing: "DEFINE SCHEMA RECORD TYPE Note (title STRING);")
    let scan = SourceScan(files: [("Note.swift", Array(body.utf8))], named: "Sources")
    let report = try SchemaChecker().check(scan.uses, against: production)
    #expect(report.findings.isEmpty && report.suppressed.count == 1)
  }
}
