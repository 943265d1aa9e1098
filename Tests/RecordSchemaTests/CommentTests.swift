import Testing

@testable import RecordSchema

@Suite("Comments")
struct CommentTests {
  static let text = """
    // head of the file

    /* second */
    DEFINE SCHEMA -- behind the header

        // about roles
        CREATE ROLE moderator; // since 2

        // --- todos ---

        // a todo
        RECORD TYPE Todo ( // open
            // DEPRECATED
            -- really
            order INT64, // not used
            title STRING, /* the title */
            -- who may
            GRANT READ TO "_world" // all
            // nothing more
        ); // end of Todo

    // end of file

    """

  @Test("each belongs to what it stands above, beside or behind")
  func attachment() throws {
    let schema = try SchemaDocument(parsing: Self.text).validSchema()
    #expect(schema.comments.leading.map(\.text) == ["head of the file", "second"])
    #expect(schema.comments.leading.map(\.isFollowedByBlankLine) == [true, false])
    #expect(schema.comments.trailing?.text == "behind the header")
    #expect(schema.comments.closing.map(\.text) == ["end of file"])
    #expect(schema.roles[0].comments.leading.map(\.text) == ["about roles"])
    #expect(schema.roles[0].comments.trailing?.text == "since 2")
    let type = schema.recordTypes[0]
    #expect(type.comments.leading.map(\.text) == ["--- todos ---", "a todo"])
    #expect(type.comments.trailing?.text == "open")
    #expect(type.comments.closing.map(\.text) == ["nothing more"])
    #expect(type.comments.ending?.text == "end of Todo")
    #expect(type.fields[0].comments.leading.map(\.text) == ["DEPRECATED", "really"])
    #expect(type.fields[0].comments.trailing?.text == "not used")
    #expect(type.fields[1].comments.trailing?.text == "the title")
    #expect(type.grants[0].comments.leading.map(\.text) == ["who may"])
    #expect(type.grants[0].comments.trailing?.text == "all")
  }

  @Test("they travel with their element when it is sorted, and all survive")
  func survival() throws {
    let schema = try SchemaDocument(parsing: Self.text).validSchema()
    #expect(SchemaPrinter(order: .asWritten).print(schema) == Self.text)
    let unsorted = """
      DEFINE SCHEMA
      RECORD TYPE B (
        // about z
        z INT64, // z
        a INT64 -- a
      );
      // about A
      RECORD TYPE A (x INT64);
      """
    let printed = SchemaPrinter().print(try SchemaDocument(parsing: unsorted).validSchema())
    #expect(
      printed == """
        DEFINE SCHEMA

            // about A
            RECORD TYPE A (
                x INT64
            );

            RECORD TYPE B (
                a INT64, -- a
                // about z
                z INT64 // z
            );

        """)
  }

  @Test("one in the middle of an entry moves above it, and the text is a fixed point from then on")
  func comments() throws {
    let text = """
      DEFINE SCHEMA
      RECORD /* 1 */ TYPE // 2
      T /* 3 */ ( // 4
        /* 5 */ f /* 6 */ STRING // 7
        QUERYABLE /* 8 */ , /* 9
        9 */ // 10
        g INT64 /* 11 */ ) /* 12 */ ; // 13
      """
    let schema = try SchemaDocument(parsing: text).validSchema()
    let printed = SchemaPrinter().print(schema)
    for number in 1...13 { #expect(printed.contains(" \(number)"), "\(number)\n\(printed)") }
    let again = try SchemaDocument(parsing: printed).validSchema()
    #expect(again == schema)
    #expect(SchemaPrinter().print(again) == printed)
  }

  @Test("line breaks of other systems become ours, also inside a comment")
  func lineBreaks() throws {
    let text = "DEFINE SCHEMA\r\n/* a\r\nb\rc */\r\nRECORD TYPE T (f STRING); // x \r\n"
    let printed = SchemaPrinter().print(try SchemaDocument(parsing: text).validSchema())
    #expect(!printed.contains("\r"))
    #expect(printed.contains("/* a\nb\nc */\n"))
    #expect(printed.hasSuffix("); // x\n"))
  }

  @Test("grants to one role are merged in canonical text, their comments kept")
  func mergedGrants() throws {
    let text = """
      DEFINE SCHEMA
      RECORD TYPE T (GRANT WRITE TO "_creator", // one
        GRANT READ TO "_creator" // two
      );
      """
    let printed = SchemaPrinter().print(try SchemaDocument(parsing: text).validSchema())
    #expect(printed.contains("        // two\n        GRANT READ, WRITE TO \"_creator\" // one\n"))
  }

  @Test("one made by code is one line, whatever its text")
  func madeByCode() {
    #expect(CloudSchema.Comment("a\nb  ").source == "// a b")
    #expect(CloudSchema.Comment("a\nb").text == "a b")
  }

  @Test("a comment between any two tokens is kept, beside stray semicolons and merged grants too")
  func everywhere() throws {
    let tokens = """
      DEFINE SCHEMA ; ; CREATE ROLE r ; ; RECORD TYPE T ( a STRING QUERYABLE , b LIST < INT64 > ,
      GRANT READ , WRITE TO r , GRANT CREATE TO r , GRANT READ TO "_world" , ) ; ; ; RECORD TYPE U (
      c NUMBER PREFERRED AS INT64 ) ; ;
      """.split(whereSeparator: \.isWhitespace)
    let forms: [(Int) -> String] = [
      { "// c\($0).\n" }, { "/* c\($0). */" }, { "\n-- c\($0).\n\n" },
    ]
    for form in forms {
      let text =
        tokens.enumerated().map { form($0.offset) + " " + $0.element }
        .joined(separator: " ") + " " + form(tokens.count)
      let document = SchemaDocument(parsing: text)
      #expect(!document.hasErrors, "\(document.diagnosticText())")
      for order in [SchemaPrinter.Order.canonical, .asWritten] {
        let printed = SchemaPrinter(order: order).print(document.schema)
        for number in 0...tokens.count {
          #expect(printed.matches(of: try Regex("c\(number)\\.")).count == 1, "c\(number)")
        }
        #expect(
          SchemaPrinter(order: order).print(SchemaDocument(parsing: printed).schema) == printed)
      }
    }
  }
}
