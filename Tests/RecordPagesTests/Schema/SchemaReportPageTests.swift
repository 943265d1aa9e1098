import RecordModel
import RecordSchema
import Testing

@testable import RecordPages

@Suite struct SchemaReportPageTests {
  private static func document(_ text: String, _ name: String) -> SchemaDocument {
    SchemaDocument(parsing: text, name: name)
  }

  private static let before = document(
    """
    DEFINE SCHEMA
      RECORD TYPE Chat (
        kept STRING, order INT64, title STRING QUERYABLE, photo BYTES,
        GRANT READ TO "_world", GRANT WRITE TO "_creator");
      RECORD TYPE Gone (a STRING, GRANT WRITE TO "_creator");
    """, "before.ckdb")

  private static let after = document(
    """
    DEFINE SCHEMA
      RECORD TYPE Chat (
        kept STRING, title STRING, photo ASSET, note STRING,
        GRANT READ, WRITE TO "_world", GRANT WRITE TO "_creator");
      RECORD TYPE Message (chat REFERENCE, GRANT WRITE TO "_creator");
    """, "<after>.ckdb")

  private func page(
    _ from: SchemaDocument? = before, _ to: SchemaDocument = after, failOn: SchemaSeverity = .error
  ) throws -> String {
    let checker = SchemaChecker()
    let report = try from.map { try checker.compare(from: $0, to: to, kind: .deploy) }
    return SchemaReportPage(
      try report ?? checker.validate(to), failOn: failOn, from: from?.schema, to: to.schema
    ).document.html.text
  }

  @Test func theAnswerStandsOnTop() throws {
    let page = try page()
    #expect(page.contains("<h1>before.ckdb → &lt;after&gt;.ckdb: can it be deployed?</h1>"))
    #expect(page.contains("<p class=\"verdict removed filled\"><strong>No.</strong> "))
    let off = try self.page(failOn: .off)
    #expect(off.contains("<strong>Not judged.</strong>"))
    let same = try self.page(Self.before, Self.before)
    #expect(same.contains("<p class=\"verdict added filled\"><strong>Yes.</strong> nothing found"))
  }

  @Test func everyChangeIsInTheTableOfItsType() throws {
    let page = try page()
    let signs = [
      "<span class=\"added\">+ </span><code>note</code>",
      "<span class=\"removed\">− </span><code>order</code>",
      "<span class=\"changed\">~ </span><code>photo</code>",
      "<span class=\"changed\">~ </span><code>title</code>",
    ]
    for sign in signs { #expect(page.contains(sign), "\(sign)") }
    #expect(page.contains("<del>BYTES</del></code></td><td><code><ins>ASSET</ins>"))
    #expect(page.contains("<del>STRING QUERYABLE</del></code></td><td><code><ins>STRING</ins>"))
    #expect(page.contains("<code>GRANT TO _world</code>"))
    #expect(page.contains("<del>READ</del></code></td><td><code><ins>READ, WRITE</ins>"))
    #expect(page.contains("<summary>1 unchanged field</summary>"))
    #expect(page.contains("<h2>Gone <span class=\"badge removed filled\">removed</span></h2>"))
    #expect(page.contains("<h2>Message <span class=\"badge added filled\">added</span></h2>"))
  }

  @Test func aRuleIsExplainedOnce() throws {
    let page = try page()
    let count = page.components(separatedBy: "<details id=\"rule-FIELD_REMOVED\">").count - 1
    #expect(count == 1)
    let rule = try #require(SchemaRule.named("FIELD_REMOVED"))
    #expect(page.contains(HTML(text: rule.effect).text))
  }

  @Test func theDiagramLeadsToTheTypes() throws {
    let page = try page()
    #expect(page.contains("<a href=\"#type-1\"><g class=\"type changed\""))
    #expect(page.contains("<a href=\"#type-2\"><g class=\"type removed\""))
    #expect(page.contains("id=\"type-2\""))
    #expect(page.contains("class=\"edge guess added\""))
  }

  @Test func aPageIsCompleteInItself() throws {
    let page = try page()
    #expect(!page.contains("<script"))
    #expect(!page.contains(" src="))
    let links = page.components(separatedBy: "href=\"").dropFirst()
    #expect(links.allSatisfy { $0.hasPrefix("#") })
    #expect(page.components(separatedBy: "=\"http").count - 1 == 1, "only the name space of SVG")
  }

  @Test func aReportOnOneSchemaHasNoComparison() throws {
    let page = try page(
      nil,
      Self.document("DEFINE SCHEMA RECORD TYPE T (a ENCRYPTED STRING QUERYABLE);", "one.ckdb"))
    #expect(page.contains("one.ckdb: is the schema valid?"))
    #expect(page.contains("ENCRYPTED_INDEXED"))
    #expect(page.contains(">Field</th><th scope=\"col\">Type</th>"))
    #expect(!page.contains("Before"))
    #expect(page.contains("class=\"diagram\""))
  }

  @Test func findingsAloneNeedNoSchema() throws {
    let report = try SchemaChecker().compare(from: Self.before, to: Self.after)
    let page = SchemaReportPage(report).document.html.text
    #expect(page.contains("<h2>Chat </h2>"))
    #expect(page.contains("FIELD_REMOVED"))
    #expect(!page.contains("<svg"))
  }

  @Test func ofManyFieldsADrawingOfChangesHasThoseThatChanged() throws {
    func document(_ added: String, _ name: String) -> SchemaDocument {
      let fields = (10..<70).map { "f\($0) STRING" }.joined(separator: ", ")
      let grant = #"GRANT WRITE TO "_creator""#
      return Self.document(
        """
        DEFINE SCHEMA
          RECORD TYPE Changed (\(fields)\(name == "after" ? ", last INT64" : ""), \(grant));
          \(added.isEmpty ? "" : "RECORD TYPE \(added) (\(fields), \(grant));")
        """, name)
    }
    let page = try page(document("", "before"), document("Added", "after"))
    // Of the changed type, the new field and 19 others; of the added one, 20.
    #expect(page.contains("… 41 more fields"))
    #expect(page.contains("… 40 more fields"))
    #expect(page.contains(">last</text>"))
  }

  @Test func veryManyTypesAreOnlyDrawnIfTheReportIsAboutThem() throws {
    var schema = CloudSchema(
      recordTypes: (0..<200).map {
        CloudSchema.RecordType("T\($0)", grants: [.init(.read, to: "_world")])
      })
    let before = SchemaDocument(schema, name: "before")
    schema.recordTypes[7].fields.append(.init("new", .string))
    schema.recordTypes[8].fields.append(.init("t7", .reference))
    let page = try page(before, SchemaDocument(schema, name: "after"))
    #expect(page.components(separatedBy: "<g class=\"type").count - 1 == 2)
  }

  @Test func aComparisonDrawsTheChangedTypesAndTheirNeighbours() throws {
    var schema = CloudSchema(
      recordTypes: ["Chat", "Message", "Other"].map {
        CloudSchema.RecordType($0, grants: [.init(.read, to: "_world")])
      })
    schema.recordTypes[1].fields.append(.init("chat", .reference))
    let before = SchemaDocument(schema, name: "before")
    schema.recordTypes[0].fields.append(.init("new", .string))
    let drawn = try page(before, SchemaDocument(schema, name: "after"))
    #expect(drawn.components(separatedBy: "<g class=\"type").count - 1 == 2)
    #expect(try !page(before, before).contains("<svg"))
  }

  @Test func aPageHasNoAbsolutePath() throws {
    let folder = "/home/someone/App/"
    let text = "DEFINE SCHEMA RECORD TYPE T (a ENCRYPTED STRING QUERYABLE, b STRING);"
    let other = "DEFINE SCHEMA RECORD TYPE T (a STRING, c INT64);"
    for page in [
      try page(
        Self.document(text, folder + "one.ckdb"), Self.document(other, folder + "two.ckdb")),
      try page(nil, Self.document(text, folder + "one.ckdb")),
      try page(
        Self.document(text, "the schema in \(folder)one.ckdb.sqlite"),
        Self.document(other, "the schema in \(folder)two.recordpack")),
    ] {
      #expect(page.contains("one.ckdb"))
      #expect(!page.contains("someone"))
    }
  }
}
