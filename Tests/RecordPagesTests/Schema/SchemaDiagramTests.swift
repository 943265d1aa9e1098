import Foundation
import RecordModel
import RecordSchema
import TestSupport
import Testing

@testable import RecordPages

@Suite struct SchemaDiagramTests {
  static let chats = SchemaDocument(
    parsing: Array(
      """
      DEFINE SCHEMA
        RECORD TYPE Chat ("___recordID" REFERENCE QUERYABLE, title STRING QUERYABLE SORTABLE);
        RECORD TYPE Message (chat REFERENCE, text ENCRYPTED STRING, related LIST<REFERENCE>);
        RECORD TYPE Users (roles LIST<INT64>);
      """.utf8), name: "chats.ckdb"
  ).schema

  static let records = SchemaReferences(
    [
      SchemaReference(from: "Message", .field("related"), to: "Message", .records(2)),
      SchemaReference(from: "Message", .parent, to: "Chat", .records(3)),
    ], counts: ["Chat": 1, "Message": 1234])

  static let hostile = "<g onload=\"a()\">&'\\\n\u{0}\u{202E}\u{FFFE}]]>--{}%#;\u{1F469}漢"

  static var hostileSchema: CloudSchema {
    CloudSchema(recordTypes: [
      CloudSchema.RecordType(hostile, fields: [CloudSchema.Field(hostile + "ref", .reference)]),
      CloudSchema.RecordType("Plain", fields: [CloudSchema.Field("javascript:1", .string)]),
    ])
  }

  @Test func aBoxHasTheFieldsWithTypesAndIndexes() {
    let svg = SchemaDiagram(Self.chats, title: "A & B").svg.text
    #expect(svg.contains("role=\"img\""))
    #expect(svg.contains("<title>A &amp; B</title>"))
    #expect(
      svg.contains("<desc>2 record types, 1 reference. Message.chat → Chat, guessed by its name.<"))
    #expect(svg.contains("<title>title: STRING QUERYABLE SORTABLE</title>"))
    #expect(svg.contains(">QS</text>"))
    #expect(svg.contains("<title>text: ENCRYPTED STRING</title>"))
    #expect(svg.contains(">LIST&lt;REFERENCE&gt;</text>"))
    #expect(svg.contains("class=\"lock\""))
    #expect(!svg.contains("___recordID"))
    #expect(!svg.contains("Users"))
  }

  @Test func aBoxOfAFewFieldsIsDrawnAsItShouldBe() {
    let schema = CloudSchema(recordTypes: [
      CloudSchema.RecordType("A", fields: [CloudSchema.Field("b", .int64, .sortable)])
    ])
    // 170 wide, which is the least; a header of 32, a row of 20 and 7 below; 20 around it.
    #expect(
      SchemaDiagram(schema).svg.text == """
        <svg xmlns="http://www.w3.org/2000/svg" class="diagram" role="img" \
        width="210" height="125" viewBox="0 0 210 125">
        <title>Schema</title>
        <desc>1 record type, 0 references.</desc>


        <g class="type" transform="translate(20 20)"><title>A: 1 field</title>
        <rect class="frame" width="170" height="59" rx="7"/>
        <path class="head" d="M0.5 31.5V7a6.5 6.5 0 0 1 6.5 -6.5H163a6.5 6.5 0 0 1 6.5 6.5V31.5Z"/>
        <text class="name" x="12" y="21">A</text>
        <path class="rule" d="M0.5 32H169.5"/>
        <g class="row"><title>b: INT64 SORTABLE</title>\
        <text class="field" x="12" y="49">b</text>\
        <text class="kind" x="141" y="49">INT64</text>\
        <text class="marks" x="152.5" y="48.5">S</text></g>
        </g>
        <g><text class="marks" x="24" y="108.5">S</text>\
        <text class="legend" x="33" y="108.5">sortable</text></g>
        </svg>
        """)
  }

  @Test func whatRecordsReferToIsDrawnOtherThanWhatIsGuessed() {
    let references = SchemaReferences(of: Self.chats, records: Self.records)
    let diagram = SchemaDiagram(Self.chats, references: references)
    let svg = diagram.svg.text
    #expect(
      svg.contains("class=\"edge\"><title>Message.related → Message, in 2 records</title>"))
    #expect(svg.contains("class=\"edge guess\"><title>Message.chat → Chat, guessed by its name<"))
    #expect(svg.contains(">1,234</text>"))
    #expect(svg.contains("reference guessed by its name</text>"))
    #expect(svg.contains("reference in records</text>"))
    #expect(diagram.content.edges.map(\.isGuess) == [true, false, false])
  }

  @Test func mermaidHasTheSame() {
    let references = SchemaReferences(of: Self.chats, records: Self.records)
    #expect(
      SchemaDiagram(Self.chats, references: references, title: "Chats: 1").mermaid == """
        ---
        title: "Chats: 1"
        ---
        erDiagram
          t0["Chat (1)"] {
            STRING title "QUERYABLE SORTABLE"
          }
          t1["Message (1,234)"] {
            REFERENCE chat
            STRING text "ENCRYPTED"
            REFERENCE[] related
            REFERENCE parent
          }
          t1 }o..o| t0 : "chat"
          t1 }o--o{ t1 : "related"
          t1 }o--o| t0 : "parent"

        """)
  }

  private let people = SchemaDiagram(
    SchemaReferencesTests.people.fullSchema,
    references: SchemaReferences(
      of: SchemaReferencesTests.people.fullSchema, model: SchemaReferencesTests.people))

  @Test func aPairOfInversesIsOneLineWithTheRightEnds() {
    let lines = people.mermaid.split(separator: "\n").suffix(2)
    #expect(
      lines.map(String.init) == [
        "  t0 |o--o| t1 : \"CD_owner / CD_passport\"",
        // Mermaid draws one line from a type to itself.
        "  t1 }o--o| t1 : \"CD_mother, CD_next / CD_previous, CD_spouse / CD_spouse\"",
      ])
    let edge = people.content.edges[0]
    let box = people.content.boxes[1]
    #expect(edge.targetRow.map { box.rows[$0].name } == "CD_passport")
    let route = people.geometry.routes[0]
    let row = DiagramMetrics.middle(ofRow: edge.targetRow ?? -1)
    #expect(route.points.last?.y == people.geometry.frames[1].y + row)
    // An arrowhead at each end, and no dot.
    let path = DiagramPath(route, isList: false, isMutual: true)
    #expect(path.tip.count { $0 == "Z" } == 2 && !path.tip.contains("a"))
  }

  @Test func aManyToManyRelationshipHasARowAndTwoArrowheadsAtEachEnd() {
    let model = MirroredModel(
      name: "m", kind: .swiftData,
      entities: [
        .init("Note", relationships: [.init("tags", to: "Tag", isToMany: true, inverse: "notes")]),
        .init("Tag", relationships: [.init("notes", to: "Note", isToMany: true, inverse: "tags")]),
      ])
    let diagram = SchemaDiagram(
      model.fullSchema, references: SchemaReferences(of: model.fullSchema, model: model))
    #expect(diagram.mermaid.hasSuffix("t1 }o--o{ t2 : \"CD_tags / CD_notes\"\n"))
    #expect(diagram.content.boxes[2].rows.map(\.name) == ["CD_entityName", "CD_notes"])
    let path = DiagramPath(diagram.geometry.routes[0], isList: true, isMutual: true)
    #expect(path.tip.count { $0 == "Z" } == 4)
  }

  @Test func linesFromATypeToItselfAreApart() {
    let loops = people.geometry.routes.filter(\.isLoop)
    #expect(loops.count == 3)
    #expect(Set(loops.map(\.reach)).count == 3)
    let right = loops.compactMap { route in route.points.first.map { $0.x + route.reach } }.max()
    #expect((right ?? 0) <= people.geometry.width)
  }

  @Test func theLegendSaysWhereReferencesAreFrom() {
    let svg = people.svg.text
    #expect(svg.contains("relationship of the model</text>"))
    #expect(!svg.contains("in records"))
  }

  @Test func companionsAreOnlyCounted() {
    let fields = (0..<50).map { CloudSchema.Field("CD_f\($0)", .string) }
    let companions = (fields.map(\.name) + ["CD_moveReceipt"])
      .map { CloudSchema.Field(CoreDataNames.assetField(of: $0), .asset) }
    let type = CloudSchema.RecordType(
      "CD_Wide", fields: companions + [.init("CD_moveReceipt", .bytes)] + fields)
    let diagram = SchemaDiagram(CloudSchema(recordTypes: [type]))
    #expect(diagram.content.boxes[0].rows.map(\.name) == fields.prefix(40).map(\.name))
    #expect(diagram.svg.text.contains(">… 10 more fields, 52 companions</text>"))
    #expect(diagram.mermaid.contains("MORE fields \"10 more fields, 52 companions\""))
    // A change of one is shown.
    var changed = type
    changed.fields.removeAll { $0.name == "CD_f7_ckAsset" }
    let schemas = (CloudSchema(recordTypes: [type]), CloudSchema(recordTypes: [changed]))
    let changes = DiagramChanges(from: schemas.0, to: schemas.1)
    #expect(
      SchemaDiagram(schemas.1, changes: changes).content.boxes[0].rows
        .contains { $0.name == "CD_f7_ckAsset" })
  }

  @Test func aNameIsCutOnlyWhereItsRowEnds() {
    let name = "aFieldWithALongNameForWhichThereIsRoom"
    func svg(_ other: String) -> String {
      SchemaDiagram(
        CloudSchema(recordTypes: [
          CloudSchema.RecordType(
            "T", fields: [.init(name, .asset), .init(other, .list(of: .timestamp))])
        ])
      ).svg.text
    }
    #expect(svg("b").contains(">aFieldWithALongNameForWhichThereI…</text>"))
    #expect(svg(String(repeating: "b", count: 30)).contains(">\(name)</text>"))
  }

  @Test func whatMermaidDoesNotTakeAsANameFollowsIt() {
    let schema = CloudSchema(recordTypes: [
      CloudSchema.RecordType(
        "T",
        fields: [
          CloudSchema.Field("pk", .string), CloudSchema.Field("a.b", .double, .queryable),
          CloudSchema.Field("題", .list(of: .asset)),
        ])
    ])
    let lines = SchemaDiagram(schema).mermaid.split(separator: "\n").suffix(4)
    #expect(
      lines.map(String.init) == [
        "    STRING f_pk \"pk\"", "    DOUBLE f_a_b \"a.b QUERYABLE\"",
        "    ASSET[] f__ \"題\"", "  }",
      ])
  }

  @Test func namesCannotBecomeMarkup() {
    let diagram = SchemaDiagram(
      Self.hostileSchema, title: Self.hostile, link: { "/type?" + $0 })
    for text in [diagram.svg.text, diagram.standaloneSVG] {
      #expect(!text.contains("<g onload"))
      #expect(!text.contains("\u{202E}"))
      #expect(!text.contains("\u{FFFE}"))
      #expect(!text.contains("\u{0}"))
    }
    let mermaid = diagram.mermaid
    #expect(!mermaid.contains("<g"))
    #expect(mermaid.contains("#60;g onload#61;#34;a()#34;#62;"))
    // Between quotation marks, or one of Mermaid's own lines.
    let odd = mermaid.split(separator: "\n").filter { $0.count { $0 == "\"" } % 2 != 0 }
    #expect(odd.isEmpty)
  }

  @Test func aLongNameIsCutAndWholeInItsTitle() {
    let name = String(repeating: "長い名前", count: 20)
    let schema = CloudSchema(recordTypes: [CloudSchema.RecordType(name)])
    let diagram = SchemaDiagram(schema)
    let svg = diagram.svg.text
    #expect(svg.contains("<title>\(name): 0 fields</title>"))
    #expect(svg.contains("長い名前長い名前長い名前長い名前…</text>"))
    #expect(diagram.geometry.width < 320)
  }

  @Test func aLinkedBoxLeadsToItsType() {
    let svg = SchemaDiagram(Self.chats, link: { $0 == "Chat" ? "/t?a=1&b=2" : nil }).svg.text
    #expect(svg.contains("<a href=\"/t?a=1&amp;b=2\"><g class=\"type\""))
    #expect(svg.components(separatedBy: "<a ").count == 2)
    #expect(svg.contains("role=\"group\""))
  }

  @Test func aFileHasColoursOfItsOwn() {
    let file = SchemaDiagram(Self.chats).standaloneSVG
    #expect(!file.contains("var("))
    #expect(!file.contains("currentColor"))
    #expect(file.contains(".diagram .frame { fill: #ffffff; stroke: #d9dce1;"))
    #expect(file.contains("@media (prefers-color-scheme: dark) {"))
    #expect(file.contains(".diagram .frame { fill: #16181c; stroke: #3a3f49;"))
  }

  @Test func onlyChosenTypesAreShown() {
    let diagram = SchemaDiagram(Self.chats, only: ["Message"])
    #expect(diagram.content.boxes.map(\.name) == ["Message"])
    #expect(diagram.content.edges.isEmpty)
    let users = SchemaDiagram(Self.chats, only: ["Users"])
    #expect(users.content.boxes.map(\.name) == ["Users"])
  }

  @Test func ofVeryManyFieldsOnlySomeAreShownButAllThatRefer() {
    var fields = (0..<100).map { CloudSchema.Field("f\($0)", .string) }
    fields.append(CloudSchema.Field("chat", .reference))
    let schema = CloudSchema(recordTypes: [
      CloudSchema.RecordType("Chat"), CloudSchema.RecordType("Wide", fields: fields),
    ])
    let diagram = SchemaDiagram(schema)
    let wide = diagram.content.boxes[1]
    #expect(wide.rows.count == 40)
    #expect(wide.rows[diagram.content.edges[0].row].name == "chat")
    #expect(diagram.svg.text.contains("… 61 more fields"))
  }

  @Test func changesAreMarked() {
    let before = CloudSchema(recordTypes: [
      CloudSchema.RecordType("Chat", fields: [.init("a", .string), .init("b", .string)]),
      CloudSchema.RecordType("Gone", fields: [.init("chat", .reference)]),
    ])
    let after = CloudSchema(recordTypes: [
      CloudSchema.RecordType("Chat", fields: [.init("a", .int64), .init("c", .string)]),
      CloudSchema.RecordType("New"),
    ])
    let changes = DiagramChanges(from: before, to: after)
    let diagram = SchemaDiagram(after, changes: changes)
    #expect(diagram.content.boxes.map(\.name) == ["Chat", "Gone", "New"])
    #expect(diagram.content.boxes.map(\.change) == [.changed, .removed, .added])
    let rows = diagram.content.boxes[0].rows
    #expect(rows.map(\.name) == ["a", "b", "c"])
    #expect(rows.map(\.change) == [.changed, .removed, .added])
    #expect(rows[0].title == "a: INT64 (before: STRING)")
    #expect(diagram.content.edges.map(\.change) == [.removed])
    #expect(diagram.svg.text.contains("class=\"edge guess removed\""))
  }
}
