import Testing

@testable import RecordSchema

@Suite("Reading a schema")
struct ParserTests {
  static let header = "DEFINE SCHEMA\n"

  static func parse(_ body: String) -> SchemaDocument {
    SchemaDocument(parsing: header + body, name: "x.ckdb")
  }

  static func type(of field: String) -> CloudSchema.FieldType? {
    parse("RECORD TYPE T (f \(field));").schema.recordTypes.first?.fields.first?.type
  }

  @Test("every type of the language is read, and printed as it was")
  func everyType() {
    for primitive in CloudSchema.Primitive.allCases {
      #expect(Self.type(of: primitive.rawValue) == CloudSchema.FieldType(primitive))
      #expect(Self.type(of: "LIST<\(primitive.rawValue)>") == .list(of: primitive))
      guard primitive.canBeEncrypted else { continue }
      #expect(Self.type(of: "ENCRYPTED \(primitive.rawValue)") == .encrypted(primitive))
      let list = Self.type(of: "LIST < ENCRYPTED \(primitive.rawValue) >")
      #expect(list == CloudSchema.FieldType(primitive, isList: true, isEncrypted: true))
      #expect(list?.description == "LIST<ENCRYPTED \(primitive.rawValue)>")
    }
    let double = Self.type(of: "NUMBER PREFERRED AS DOUBLE")
    #expect(double == CloudSchema.FieldType(.number, numberPreference: .double))
    #expect(double?.description == "NUMBER PREFERRED AS DOUBLE")
  }

  @Test("options may stand in any order")
  func optionsInAnyOrder() {
    let document = Self.parse("RECORD TYPE T (f STRING SORTABLE QUERYABLE SEARCHABLE, g INT64);")
    #expect(document.diagnostics.isEmpty)
    #expect(
      document.schema.recordTypes[0].fields[0].options == [.queryable, .searchable, .sortable])
    #expect(document.schema.recordTypes[0].fields[1].options == [])
  }

  @Test("roles, grants and quoted names are read")
  func rolesAndGrants() {
    let document = Self.parse(
      """
      CREATE ROLE moderator;
      RECORD TYPE "cloudkit.share" ("___etag" STRING, GRANT READ, WRITE TO moderator,
        GRANT CREATE TO "_icloud");
      """)
    #expect(document.diagnostics.isEmpty)
    #expect(document.schema.roles.map(\.name) == ["moderator"])
    let type = document.schema.recordTypes[0]
    #expect(type.name == "cloudkit.share")
    #expect(
      type.grants == [.init([.read, .write], to: "moderator"), .init(.create, to: "_icloud")])
  }

  @Test("words of the language may be names", arguments: ["type", "role", "TO", "READ", "STRING"])
  func keywordsAsNames(_ name: String) {
    let document = Self.parse("RECORD TYPE \(name) (\(name) STRING QUERYABLE);")
    #expect(document.diagnostics.isEmpty)
    #expect(document.schema.recordTypes.first?.fields.first?.name == name)
  }

  @Test("places count lines by any line break and columns by characters")
  func places() throws {
    let text = "DEFINE SCHEMA\r\n/* ä\r€ */ RECORD TYPE T (\n  f STRING);"
    let document = SchemaDocument(parsing: text)
    let type = try #require(document.schema.recordTypes.first)
    #expect(type.origin?.name.line == 3)
    #expect(type.origin?.name.column == 18)
    #expect(type.fields[0].origin?.detail?.line == 4)
    #expect(type.fields[0].origin?.detail?.column == 5)
  }

  // MARK: - Errors

  struct Fault: CustomTestStringConvertible {
    let body: String
    let message: String
    let place: String
    var hint: String?
    var testDescription: String { body }
  }

  /// Each body follows the line `DEFINE SCHEMA`, so it begins on line 2.
  static let faults: [Fault] = [
    Fault(body: "RECORD TYPE T (f BADTYPE);", message: "no data type", place: "2:18"),
    Fault(
      body: "RECORD TYPE T (f BOOLEAN);", message: "no data type", place: "2:18", hint: "INT64"),
    Fault(body: "RECORD TYPE T (f STRNG);", message: "no data type", place: "2:18", hint: "STRING"),
    Fault(body: "RECORD TYPE T (f VARCHAR(9), g INT64);", message: "no data type", place: "2:18"),
    Fault(body: "RECORD TYPE T (f QUERYABLE);", message: "found the option", place: "2:18"),
    Fault(body: "RECORD TYPE T (f);", message: "expected a data type", place: "2:17"),
    Fault(
      body: "RECORD TYPE T (f STRING LIST);", message: "LIST comes before its element type",
      place: "2:25",
      hint: "LIST<STRING>"),
    Fault(body: "RECORD TYPE T (f LIST);", message: "expected '<' after LIST", place: "2:22"),
    Fault(
      body: "RECORD TYPE T (f LIST<STRING);", message: "expected '>' to close the LIST",
      place: "2:29"),
    Fault(
      body: "RECORD TYPE T (f LIST<LIST<STRING>>);", message: "a list cannot contain lists",
      place: "2:23"),
    Fault(
      body: "RECORD TYPE T (f ENCRYPTED ASSET);", message: "ASSET cannot be ENCRYPTED",
      place: "2:28"),
    Fault(
      body: "RECORD TYPE T (f ENCRYPTED LIST<STRING>);",
      message: "ENCRYPTED must be inside the list", place: "2:18"),
    Fault(
      body: "RECORD TYPE T (f STRING ENCRYPTED);", message: "cannot follow the data type",
      place: "2:25"),
    Fault(body: "RECORD TYPE T (f NUMBER PREFERRED INT64);", message: "expected AS", place: "2:35"),
    Fault(
      body: "RECORD TYPE T (f NUMBER PREFERRED AS STRING);",
      message: "preferred as INT64 or DOUBLE", place: "2:38"),
    Fault(
      body: "RECORD TYPE T (f STRING NOT NULL);", message: "cannot follow the data type",
      place: "2:25",
      hint: "optional"),
    Fault(
      body: "RECORD TYPE T (f STRING INDEXED);", message: "cannot follow the data type",
      place: "2:25"),
    Fault(
      body: "RECORD TYPE T (f STRING QUERYABEL);", message: "or a field option", place: "2:25",
      hint: "QUERYABLE"),
    Fault(
      body: "RECORD TYPE T (f STRING\n  g INT64);", message: "expected ',' before", place: "2:24"),
    Fault(body: "RECORD TYPE T (f STRING g INT64);", message: "expected ',' before", place: "2:24"),
    Fault(
      body: "RECORD TYPE T (f STRING\n  GRANT READ TO x);", message: "expected ',' before",
      place: "2:24"),
    Fault(
      body: "RECORD TYPE T (GRANT DELETE TO x);", message: "expected a permission", place: "2:22",
      hint: "WRITE"),
    Fault(body: "RECORD TYPE T (GRANT READ x);", message: "expected TO or ','", place: "2:27"),
    Fault(
      body: "RECORD TYPE T (GRANT READ TO \"_world\", \"_icloud\");", message: "names one role",
      place: "2:40"),
    Fault(body: "RECORD TYPE T (\"\" STRING);", message: "an empty name", place: "2:16"),
    Fault(body: "RECORD TYPE T (\"f STRING\n);", message: "not closed on its line", place: "2:16"),
    Fault(
      body: "RECORD TYPE T {f STRING};", message: "expected '('", place: "2:15", hint: "parentheses"
    ),
    Fault(body: "RECORD T (f STRING);", message: "expected TYPE after RECORD", place: "2:8"),
    Fault(body: "RECORD TYPE T (f STRING)", message: "expected ';'", place: "2:25"),
    Fault(
      body: "RECORD TYPE T (f STRING)\nRECORD TYPE U (f STRING);", message: "expected ';'",
      place: "2:25"),
    Fault(body: "RECORD TYPE T (f STRING", message: "the file ends inside", place: "2:24"),
    Fault(body: "RECORD TYPE T (f STRING;", message: "expected ')' before ';'", place: "2:24"),
    Fault(
      body: "RECORD TYPE T (f STRING\nRECORD TYPE U (f STRING);", message: "is not closed",
      place: "2:24"),
    Fault(
      body: "RECORD TYPE T (f STRING); /* open", message: "this comment is not closed",
      place: "2:27"),
    Fault(
      body: "TYPE T (f STRING);", message: "expected the next statement", place: "2:1",
      hint: "RECORD TYPE"),
    Fault(body: "CREATE INDEX x;", message: "expected the next statement", place: "2:1"),
    Fault(
      body: "DEFINE RECORD TYPE T (f STRING);", message: "expected the next statement", place: "2:1"
    ),
    Fault(
      body: "DEFINE INDEX i ON T;", message: "expected the next statement", place: "2:1",
      hint: "QUERYABLE"),
    Fault(
      body: "DEFINE SCHEMA RECORD TYPE T (f STRING);", message: "expected the next statement",
      place: "2:1"),
    Fault(
      body: "CREATE ROLE ;RECORD TYPE T (f STRING);", message: "expected a role name", place: "2:13"
    ),
    Fault(body: "", message: "defines no record type", place: "2:1"),
    Fault(body: "CREATE ROLE r;", message: "defines no record type", place: "2:15"),
  ]

  @Test("an error names its place, what was found and what was expected", arguments: faults)
  func errors(_ fault: Fault) throws {
    let document = Self.parse(fault.body)
    let error = try #require(document.diagnostics.last)
    #expect(error.severity == .error)
    #expect(error.message.contains(fault.message), "\(document.diagnosticText())")
    #expect("\(error.span.line):\(error.span.column)" == fault.place)
    if let hint = fault.hint { #expect(error.hint?.contains(hint) == true) }
    #expect(document.diagnostics.count { $0.severity == .error } == 1, "no error follows from it")
    #expect(throws: SchemaError.self) { try document.validSchema() }
  }

  @Test("a file is read up to its first error")
  func firstError() {
    let document = Self.parse(
      """
      RECORD TYPE A (good STRING);
      RECORD TYPE B (good STRING, bad BOOL, worse STRING UNIQUE);
      RECORD TYPE C (f STRING);
      """)
    #expect(document.diagnostics.map(\.code) == [.syntax])
    #expect(document.diagnostics.first?.span.line == 3)
    #expect(document.schema.recordTypes.map(\.name) == ["A"])
  }

  @Test("columns behind a name count its characters")
  func columnBehindName() {
    for name in ["größeööö", "grosseooo"] {
      let document = Self.parse("RECORD TYPE T (GRANT READ TO \"\(name)\" f STRING);")
      #expect(document.diagnostics.first?.span.column == 30 + name.count + 2, "\(name)")
    }
  }

  @Test("a diagnostic is printed with a caret under the offending text")
  func caret() {
    let text = Self.parse("\tRECORD TYPE T (f BADTYPE, g INT64);").diagnostics[0].text(
      file: "x.ckdb")
    #expect(
      text.hasPrefix(
        """
        x.ckdb:2:19: error: the language has no data type 'BADTYPE'
          2 | \tRECORD TYPE T (f BADTYPE, g INT64);
            | \t                 ^~~~~~~
          expected: LIST<…>, ENCRYPTED …, ASSET
        """))
  }

  // MARK: - Files that are none

  @Test(
    "what is no schema is an error, never an empty schema",
    arguments: [
      ("", SchemaDiagnostic.Code.notASchema), (" \n\t\r\n", .notASchema),
      ("// nothing\n/* at all */", .notASchema), ("DEFINE SCHEMA", .notASchema),
      ("DEFINE", .notASchema), ("RECORD TYPE T (f STRING);", .notASchema),
      ("import Foundation\nstruct S { let a = 1 }", .notASchema), ("{\"a\": 1}", .notASchema),
      ("<html><body>Not found</body></html>", .notASchema), ("\0\0\0\0", .unreadable),
    ])
  func notASchema(_ text: String, _ code: SchemaDiagnostic.Code) {
    let document = SchemaDocument(parsing: text)
    #expect(document.diagnostics.first?.code == code)
    #expect(document.hasErrors)
    #expect(document.diagnostics.count == 1)
  }

  @Test("an error does not show the values of a response that is named in place of a schema")
  func response() {
    for text in [#"{"fields":{"note":{"value":"secret","isEncrypted":true}}}"#, "\0 secret"] {
      let error = SchemaDocument(parsing: text).diagnostics.first?.text(file: "a") ?? ""
      #expect(error.contains("a:1:1: error") && !error.contains("secret"), "\(error)")
    }
  }

  @Test("the invented dialect DEFINE RECORD TYPE lacks its header")
  func inventedDialect() {
    let document = SchemaDocument(parsing: "DEFINE RECORD TYPE T (f STRING);")
    #expect(document.diagnostics.map(\.code) == [.notASchema])
    #expect(document.diagnostics.first?.message == "the file does not begin with DEFINE SCHEMA")
  }

  @Test("UTF-16 is named as such, a byte order mark is only a warning")
  func encodings() {
    let utf16 = SchemaDocument(parsing: [0xFF, 0xFE, 0x44, 0x00])
    #expect(utf16.diagnostics.map(\.code) == [.unreadable])
    let marked = SchemaDocument(
      parsing: [0xEF, 0xBB, 0xBF] + Array((Self.header + "RECORD TYPE T (f STRING);").utf8))
    #expect(marked.diagnostics.map(\.code) == [.unusual])
    #expect(marked.schema.recordTypes.count == 1)
  }

  @Test("what only we are unsure of is a warning, reported once")
  func warnings() {
    let document = SchemaDocument(
      parsing: "define schema\nrecord type T (f string, g int64,);\nRECORD TYPE U ();;")
    #expect(!document.hasErrors)
    #expect(
      document.diagnostics.map(\.message) == [
        "keyword 'define' is not in upper case", "a comma after the last entry",
        "the record type 'U' has neither fields nor grants",
        "a semicolon with no statement before it",
      ])
    #expect(document.diagnostics.allSatisfy { $0.code == .unusual })
    #expect(document.schema.recordTypes.map(\.name) == ["T", "U"])
  }
}
