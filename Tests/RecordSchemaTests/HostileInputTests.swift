import Testing

@testable import RecordSchema

@Suite("Hostile and damaged schema files")
struct HostileInputTests {
  static let sample = """
    // household — sharing
    DEFINE SCHEMA

        CREATE ROLE moderator; // since 2

        RECORD TYPE Todo (
            "___recordID" REFERENCE QUERYABLE,
            -- the order
            order         NUMBER PREFERRED AS INT64 QUERYABLE SORTABLE, /* kept */
            secret        LIST<ENCRYPTED STRING>,
            GRANT READ, WRITE TO moderator,
            GRANT READ TO "_world"
        );

    """

  @Test("a file cut anywhere is an error, or has lost comments and white space only")
  func truncation() throws {
    let bytes = Array(Self.sample.utf8)
    let whole = try SchemaDocument(parsing: bytes).validSchema()
    for length in 0..<bytes.count {
      let document = SchemaDocument(parsing: Array(bytes[..<length]))
      if document.hasErrors { continue }
      #expect(document.schema.semanticForm() == whole.semanticForm(), "cut at \(length)")
    }
  }

  @Test("any changed byte is read without a crash, and what is read can be printed and read again")
  func flippedBytes() {
    let bytes = Array(Self.sample.utf8)
    let printer = SchemaPrinter(order: .asWritten)
    for position in bytes.indices {
      for byte: UInt8 in [
        0, 0x0A, 0x22, 0x28, 0x29, 0x2A, 0x2C, 0x2F, 0x3B, 0x3C, 0x5A, 0x80, 0xFF,
      ] {
        var damaged = bytes
        damaged[position] = byte
        let document = SchemaDocument(parsing: damaged)
        guard !document.hasErrors else { continue }
        let printed = printer.print(document.schema)
        let again = SchemaDocument(parsing: printed)
        #expect(!again.hasErrors, "byte \(byte) at \(position): \(again.diagnosticText())")
        #expect(printer.print(again.schema) == printed, "byte \(byte) at \(position)")
      }
    }
  }

  @Test(
    "deep nesting and endless runs cost neither stack nor many diagnostics",
    arguments: [
      "LIST<", "(", ")", "{", "<", ",", ";", "\"", "GRANT ", "RECORD TYPE ", "/*", "a.", "-",
    ])
  func runs(_ piece: String) {
    let run = String(repeating: piece, count: 20_000)
    for text in [run, "DEFINE SCHEMA " + run, "DEFINE SCHEMA RECORD TYPE T (f " + run] {
      let document = SchemaDocument(parsing: text)
      #expect(document.hasErrors)
      #expect(document.diagnostics.count <= 101)
      #expect(document.diagnosticText().utf8.count < 200_000)
    }
  }

  @Test("a name of any length gives short messages")
  func longName() {
    let name = String(repeating: "n", count: 5000)
    for text in ["RECORD TYPE \(name) (f STRING);", "RECORD TYPE T (\"\(name)\" STRING);"] {
      let document = SchemaDocument(parsing: "DEFINE SCHEMA " + text)
      #expect(document.diagnostics.map(\.code) == [.syntax])
      #expect(document.diagnosticText().utf8.count < 1000)
    }
  }

  @Test("a file above the limit is refused without being read")
  func tooLarge() {
    let bytes = [UInt8](repeating: 0x20, count: SchemaDocument.maxSize + 1)
    #expect(SchemaDocument(parsing: bytes).diagnostics.map(\.code) == [.unreadable])
  }

  @Test("control characters of a file never reach the terminal")
  func controlCharacters() throws {
    let text = "DEFINE SCHEMA RECORD TYPE \"a\u{1B}[31m\" (f STRING, \u{1B} BAD\u{7});"
    #expect(!SchemaDocument(parsing: text).diagnosticText().contains("\u{1B}"))
    let document = SchemaDocument(parsing: "DEFINE SCHEMA RECORD TYPE \"a\u{1B}[31m\" (f STRING);")
    let report = try SchemaChecker().validate(document)
    for format in SchemaReportFormat.allCases {
      #expect(!report.text(as: format).contains("\u{1B}"), "\(format)")
    }
  }

  @Test(
    "broken UTF-8 in a comment is told, and in a name refused",
    arguments: [[0x80], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]])
  func brokenText(_ bytes: [UInt8]) {
    func document(_ before: String, _ after: String) -> SchemaDocument {
      SchemaDocument(parsing: Array(before.utf8) + bytes + Array(after.utf8))
    }
    let comment = document("DEFINE SCHEMA // ä ", "\nRECORD TYPE T (f STRING);")
    #expect(!comment.hasErrors)
    #expect(comment.diagnostics.map(\.code) == [.unusual])
    #expect(comment.diagnostics.first?.span.column == 20)
    for (before, after) in [
      ("DEFINE SCHEMA RECORD TYPE T (\"a", "\" STRING);"),
      ("DEFINE SCHEMA RECORD TYPE a", " (f INT64);"),
    ] {
      let name = document(before, after)
      #expect(name.hasErrors)
      #expect(name.diagnostics.contains { $0.code == .unreadable })
    }
  }

  @Test("a zero byte is found wherever it stands")
  func zero() {
    for distance in [10, 5000, 100_000] {
      let text =
        "DEFINE SCHEMA RECORD TYPE T (f STRING); //" + String(repeating: "x", count: distance)
      let document = SchemaDocument(parsing: Array(text.utf8) + [0] + Array("\n".utf8))
      #expect(document.diagnostics.map(\.code) == [.unreadable])
    }
  }
}
