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
    let code: SchemaDiagnostic.Code
    let place: String
    var hint: String?
    var testDescription: String { body }
  }

  /// Each body follows the line `DEFINE SCHEMA`, so it begins on line 2.
  static let faults: [Fault] = [
    Fault(body: "RECORD TYPE T (f BADTYPE);", code: .unknownType, place: "2:18"),
    Fault(body: "RECORD TYPE T (f BOOLEAN);", code: .unknownType, place: "2:18", hint: "INT64"),
    Fault(body: "RECORD TYPE T (f STRNG);", code: .unknownType, place: "2:18", hint: "STRING"),
    Fault(body: "RECORD TYPE T (f VARCHAR(9), g INT64);", code: .unknownType, place: "2:18"),
    Fault(body: "RECORD TYPE T (f QUERYABLE);", code: .unexpectedToken, place: "2:18"),
    Fault(body: "RECORD TYPE T (f);", code: .unexpectedToken, place: "2:17"),
    Fault(
      body: "RECORD TYPE T (f STRING LIST);", code: .illegalType, place: "2:25",
      hint: "LIST<STRING>"),
    Fault(body: "RECORD TYPE T (f LIST);", code: .illegalType, place: "2:22"),
    Fault(body: "RECORD TYPE T (f LIST<STRING);", code: .illegalType, place: "2:29"),
    Fault(body: "RECORD TYPE T (f LIST<LIST<STRING>>);", code: .illegalType, place: "2:23"),
    Fault(body: "RECORD TYPE T (f ENCRYPTED ASSET);", code: .illegalType, place: "2:28"),
    Fault(body: "RECORD TYPE T (f ENCRYPTED LIST<STRING>);", code: .illegalType, place: "2:18"),
    Fault(body: "RECORD TYPE T (f STRING ENCRYPTED);", code: .illegalType, place: "2:25"),
    Fault(body: "RECORD TYPE T (f NUMBER PREFERRED INT64);", code: .illegalType, place: "2:35"),
    Fault(body: "RECORD TYPE T (f NUMBER PREFERRED AS STRING);", code: .illegalType, place: "2:38"),
    Fault(
      body: "RECORD TYPE T (f STRING NOT NULL);", code: .unknownOption, place: "2:25",
      hint: "optional"),
    Fault(body: "RECORD TYPE T (f STRING INDEXED);", code: .unknownOption, place: "2:25"),
    Fault(
      body: "RECORD TYPE T (f STRING QUERYABEL);", code: .unknownOption, place: "2:25",
      hint: "QUERYABLE"),
    Fault(body: "RECORD TYPE T (f STRING\n  g INT64);", code: .missingComma, place: "2:24"),
    Fault(body: "RECORD TYPE T (f STRING g INT64);", code: .missingComma, place: "2:24"),
    Fault(body: "RECORD TYPE T (f STRING\n  GRANT READ TO x);", code: .missingComma, place: "2:24"),
    Fault(
      body: "RECORD TYPE T (GRANT DELETE TO x);", code: .unknownPermission, place: "2:22",
      hint: "WRITE"),
    Fault(body: "RECORD TYPE T (GRANT READ x);", code: .unexpectedToken, place: "2:27"),
    Fault(
      body: "RECORD TYPE T (GRANT READ TO \"_world\", \"_icloud\");", code: .severalRoles,
      place: "2:40"),
    Fault(body: "RECORD TYPE T (\"\" STRING);", code: .emptyName, place: "2:16"),
    Fault(body: "RECORD TYPE T (\"f STRING\n);", code: .unterminatedName, place: "2:16"),
    Fault(
      body: "RECORD TYPE T {f STRING};", code: .unexpectedToken, place: "2:15", hint: "parentheses"),
    Fault(body: "RECORD T (f STRING);", code: .unexpectedToken, place: "2:8"),
    Fault(body: "RECORD TYPE T (f STRING)", code: .unexpectedEnd, place: "2:25"),
    Fault(
      body: "RECORD TYPE T (f STRING)\nRECORD TYPE U (f STRING);", code: .missingSemicolon,
      place: "2:25"),
    Fault(body: "RECORD TYPE T (f STRING", code: .unexpectedEnd, place: "2:24"),
    Fault(body: "RECORD TYPE T (f STRING;", code: .unexpectedToken, place: "2:24"),
    Fault(
      body: "RECORD TYPE T (f STRING\nRECORD TYPE U (f STRING);", code: .unexpectedToken,
      place: "2:24"),
    Fault(body: "RECORD TYPE T (f STRING); /* open", code: .unterminatedComment, place: "2:27"),
    Fault(body: "TYPE T (f STRING);", code: .unexpectedToken, place: "2:1", hint: "RECORD TYPE"),
    Fault(body: "CREATE INDEX x;", code: .unexpectedToken, place: "2:1"),
    Fault(body: "DEFINE RECORD TYPE T (f STRING);", code: .unexpectedToken, place: "2:1"),
    Fault(body: "DEFINE INDEX i ON T;", code: .unexpectedToken, place: "2:1", hint: "QUERYABLE"),
    Fault(body: "DEFINE SCHEMA RECORD TYPE T (f STRING);", code: .unexpectedToken, place: "2:1"),
    Fault(body: "CREATE ROLE ;RECORD TYPE T (f STRING);", code: .unexpectedToken, place: "2:13"),
    Fault(body: "", code: .noRecordType, place: "2:1"),
    Fault(body: "CREATE ROLE r;", code: .noRecordType, place: "2:15"),
  ]

  @Test("an error names its place, what was found and what was expected", arguments: faults)
  func errors(_ fault: Fault) throws {
    let document = Self.parse(fault.body)
    let error = try #require(document.diagnostics.first { $0.severity == .error })
    #expect(error.code == fault.code, "\(document.diagnosticText())")
    #expect("\(error.span.line):\(error.span.column)" == fault.place)
    if let hint = fault.hint { #expect(error.hint?.contains(hint) == true) }
    #expect(document.diagnostics.count { $0.severity == .error } == 1, "no error follows from it")
    #expect(throws: SchemaSyntaxError.self) { try document.validSchema() }
  }

  @Test("all errors of a file are reported, and what lies between is read")
  func recovery() {
    let document = Self.parse(
      """
      RECORD TYPE A (good STRING, bad BOOL, alsoGood INT64 QUERYABLE, worse STRING UNIQUE);
      nonsense here;
      RECORD TYPE B (f LIST<X>, GRANT READ TO);
      RECORD TYPE C (f STRING);
      """)
    #expect(
      document.diagnostics.map { "\($0.span.line) \($0.code.rawValue)" } == [
        "2 UNKNOWN_TYPE", "2 UNKNOWN_OPTION", "3 UNEXPECTED_TOKEN", "4 UNKNOWN_TYPE",
        "4 UNEXPECTED_TOKEN",
      ])
    #expect(document.schema.recordTypes.map(\.name) == ["A", "B", "C"])
    #expect(document.schema.recordTypes[0].fields.map(\.name) == ["good", "alsoGood", "worse"])
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
      ("", SchemaDiagnostic.Code.emptyInput), (" \n\t\r\n", .emptyInput),
      ("// nothing\n/* at all */", .emptyInput), ("DEFINE SCHEMA", .noRecordType),
      ("DEFINE", .missingHeader), ("RECORD TYPE T (f STRING);", .missingHeader),
      ("import Foundation\nstruct S { let a = 1 }", .notASchema), ("{\"a\": 1}", .notASchema),
      ("<html><body>Not found</body></html>", .notASchema), ("\0\0\0\0", .encoding),
    ])
  func notASchema(_ text: String, _ code: SchemaDiagnostic.Code) {
    let document = SchemaDocument(parsing: text)
    #expect(document.diagnostics.first?.code == code)
    #expect(document.hasErrors)
    #expect(document.diagnostics.count == 1)
  }

  @Test("the invented dialect DEFINE RECORD TYPE lacks its header and has a word too many")
  func inventedDialect() {
    let document = SchemaDocument(parsing: "DEFINE RECORD TYPE T (f STRING);")
    #expect(document.diagnostics.map(\.code) == [.missingHeader, .unexpectedToken])
    #expect(document.schema.recordTypes.map(\.name) == ["T"])
  }

  @Test("UTF-16 is named as such, a byte order mark is only a warning")
  func encodings() {
    let utf16 = SchemaDocument(parsing: [0xFF, 0xFE, 0x44, 0x00])
    #expect(utf16.diagnostics.map(\.code) == [.encoding])
    let marked = SchemaDocument(
      parsing: [0xEF, 0xBB, 0xBF] + Array((Self.header + "RECORD TYPE T (f STRING);").utf8))
    #expect(marked.diagnostics.map(\.code) == [.doubtfulText])
    #expect(marked.schema.recordTypes.count == 1)
  }

  @Test("what only we are unsure of is a warning, reported once")
  func warnings() {
    let document = SchemaDocument(
      parsing: "define schema\nrecord type T (f string, g int64,);\nRECORD TYPE U ();;")
    #expect(!document.hasErrors)
    #expect(
      Set(document.diagnostics.map(\.code))
        == [.keywordCase, .trailingComma, .emptyRecordType, .emptyStatement])
    #expect(document.diagnostics.count == 4)
    #expect(document.schema.recordTypes.map(\.name) == ["T", "U"])
  }
}
