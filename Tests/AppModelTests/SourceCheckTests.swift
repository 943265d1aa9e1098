import RecordSchema
import Testing

@testable import AppModel

@Suite("Source code against a schema")
struct SourceCheckTests {
  private static let schema = """
    DEFINE SCHEMA
      RECORD TYPE Note (title STRING, secret ENCRYPTED STRING, order INT64);
      RECORD TYPE Tag (name STRING, secret STRING);
    """

  private func report(_ source: String) throws -> SchemaReport {
    let document = SchemaDocument(parsing: Array(Self.schema.utf8), name: "production.ckdb")
    let scan = SourceScan(files: [("Note.swift", Array(source.utf8))], named: "Sources")
    return try SchemaChecker().check(scan.uses, against: document)
  }

  /// The findings in order: rule, subject and line.
  private func findings(_ source: String) throws -> [String] {
    try report(source).findings.map {
      "\($0.rule) \($0.subject) \($0.location?.span.line ?? 0)"
    }
  }

  @Test("code that makes shares needs their type in production")
  func shares() throws {
    let code = "func f(note: CKRecord) { let share = CKShare(rootRecord: note); share[\"x\"] }"
    #expect(try findings(code) == ["RECORD_TYPE_NOT_DEPLOYED cloudkit.share 1"])
    // A share that is read was made by somebody else.
    #expect(
      try findings("func f(share: CKShare) { g(CKShare(from: coder)) }")
        == ["NO_USE_RECOGNISED schema 1"])
  }

  @Test("what tests use is left out, unless there are tests only")
  func tests() {
    func uses(_ files: String...) -> [String] {
      SourceScan(
        files: files.enumerated().map { ("\($0.offset).swift", Array($0.element.utf8)) }, named: "a"
      ).uses.uses.compactMap(\.recordType)
    }
    let app = "CKRecord(recordType: \"App\")"
    for module in ["XCTest", "Testing"] {
      let test = "import \(module)\nCKRecord(recordType: \"Test\")"
      #expect(uses(app, test) == ["App"])
      #expect(uses(test) == ["Test"])
    }
  }

  @Test("what production lacks is told with its place, the server's words and near names")
  func text() throws {
    let report = try report(
      """
      func f(é: CKRecord) {
        let note = CKRecord(recordType: "Note")
        note["titel"] = 1; é["ordr"]
        note["secret"] = "x"
        note.encryptedValues["title"] = "x"
        CKQuery(recordType: "Todo", predicate: p)
        note[key()] = 1
      }
      """)
    #expect(
      report.text(as: .text) == """
        Sources → production.ckdb: does production have everything that the code uses?

        CLIENT · Client compatibility
          Note.swift:3:24: error: FIELD_NOT_DEPLOYED *.ordr
              production has no field 'ordr' in any record type
              → did you mean 'order'? Otherwise deploy the schema before the app is released
          Note.swift:4:8: error: FIELD_ENCRYPTION_MISMATCH Note.secret
              the field 'secret' of 'Note' is ENCRYPTED STRING in production, and used as a plain value here
              → use encryptedValues
          Note.swift:3:8: error: FIELD_NOT_DEPLOYED Note.titel
              production has no field 'titel' in 'Note'; saving it fails with: Cannot create or modify field 'titel' in record 'Note' in production schema
              → did you mean 'title'? Otherwise deploy the schema before the app is released
          Note.swift:5:24: error: FIELD_ENCRYPTION_MISMATCH Note.title
              the field 'title' of 'Note' is STRING in production, and used through encryptedValues here
              → use it as a plain value
          Note.swift:6:23: error: RECORD_TYPE_NOT_DEPLOYED Todo
              production has no record type 'Todo'; a query fails with: Did not find record type: Todo
              → deploy the schema before the app is released

        5 errors · 6 uses in 1 file checked, 2 computed names not checked
        Do not release the app: deploy to production what it lacks, or change the app.

        """)
    #expect(report.fails(at: .error))
  }

  @Test("fields of an unknown record type are missing only if no type has them")
  func unknownType() throws {
    #expect(
      try findings(
        """
        func f(record: CKRecord) {
          record["name"] = 1
          record["secret"] = 1
          record.encryptedValues["secret"] = 1
          record.encryptedValues["order"] = 1
        }
        """) == ["FIELD_ENCRYPTION_MISMATCH *.order 5"])
  }

  @Test("users, CloudKit's own fields, and fields of a missing type are not reported")
  func system() throws {
    #expect(
      try findings(
        """
        func f() {
          let share = CKRecord(recordType: "cloudkit.share")
          share["cloudkit.title"] = 1
          CKQuery(recordType: "Users", predicate: NSPredicate(format: "creationDate > %@", date))
          let todo = CKRecord(recordType: "Todo")
          todo["missing"] = 1
        }
        """) == ["RECORD_TYPE_NOT_DEPLOYED Todo 5", "RECORD_TYPE_NOT_DEPLOYED cloudkit.share 2"])
  }

  @Test("a comment allows the findings in its line, the next line, or of a subject in the file")
  func allowances() throws {
    let report = try report(
      """
      func f(record: CKRecord) {
        record["a"] = 1  // recordpack:allow FIELD_NOT_DEPLOYED comes with version 2
        // recordpack:allow FIELD_NOT_DEPLOYED comes too
        record["b"] = 1
        record["c"] = 1
        record["d"] = 1
        /* recordpack:allow FIELD_NOT_DEPLOYED(*.d) anywhere */
      }
      """)
    #expect(report.findings.map(\.subject.description) == ["*.c"])
    #expect(
      report.suppressed.map(\.suppression.reason) == [
        "comes with version 2", "comes too", "anywhere",
      ])
  }

  @Test("malformed and unused comments are told where they are")
  func comments() throws {
    #expect(
      try findings(
        """
        // recordpack: allow FIELD_NOT_DEPLOYED with a space
        // recordpack:allow FIELD_NOT_DEPLOYED
        // recordpack:allow NO_RULE reason
        // recordpack:allow RECORD_TYPE_NOT_DEPLOYED has no finding
        // A tool like recordpack allows this.
        """) == [
          "NO_USE_RECOGNISED schema 1", "SUPPRESSION_MALFORMED schema 1",
          "SUPPRESSION_MALFORMED schema 2",
          "SUPPRESSION_MALFORMED schema 3", "SUPPRESSION_UNUSED schema 4",
        ])
  }

  @Test("the machine-readable report has what was not told")
  func json() throws {
    let json = try report("func f(r: CKRecord) { r[key] }").text(as: .json)
    #expect(json.contains(#""question": "source""#))
    #expect(json.contains(#""computed": 1"#))
    #expect(json.contains(#""column": 25"#))
  }
}
