import RecordModel
import Testing

@testable import RecordSchema

@Suite("Schemas made of records")
struct SchemaInferenceTests {
  static func census(_ records: [(String, [Field])]) throws -> RecordCensus {
    var census = RecordCensus(source: "sample.recordpack")
    for (number, (type, fields)) in records.enumerated() {
      try census.add(RecordValidatorTests.record("r\(number)", type, fields), in: .private)
    }
    return census
  }

  static func field(_ name: String, _ value: RecordValue, encrypted: Bool = false) -> Field {
    Field(name: name, value: value, isEncrypted: encrypted)
  }

  @Test("each type and field is there, with the indexes of the development server or none")
  func plain() throws {
    let census = try Self.census([
      (
        "Todo",
        [Self.field("title", .string("a")), Self.field("secret", .string("b"), encrypted: true)]
      ),
      ("Todo", [Self.field("order", .int64(1)), Self.field("tags", .stringList([]))]),
    ])
    let jit = SchemaInference().infer(from: census)
    let todo = try #require(jit.schema.recordType(named: "Todo"))
    #expect(todo.field(named: "title")?.options == [.queryable, .searchable, .sortable])
    #expect(todo.field(named: "secret") == CloudSchema.Field("secret", .encrypted(.string)))
    #expect(todo.field(named: "order")?.options == [.queryable, .sortable])
    #expect(todo.field(named: "tags")?.type == .list(of: .string))
    #expect(todo.grants.count == 3 && jit.schema.recordType(named: "Users") != nil)
    let none = SchemaInference(indexes: .none).infer(from: census)
    #expect(none.schema.recordTypes.allSatisfy { $0.fields.allSatisfy(\.options.isEmpty) })
    #expect(jit.notes.allSatisfy { $0.subject == SchemaSubject() })
  }

  @Test("what was not known is said, in the schema and beside it")
  func unknown() throws {
    let package = RecordValue.unknown(type: "PACKAGE", json: RawJSON.null)
    let census = try Self.census([
      (
        "T",
        [Self.field("list", .emptyList), Self.field("n", .int64(1)), Self.field("m", .string("a"))]
      ),
      (
        "T",
        [Self.field("list", .emptyList), Self.field("n", .double(1.5)), Self.field("m", .int64(1))]
      ),
      ("T", [Self.field("m", .int64(1)), Self.field("x", package)]),
      ("T", [Self.field("l", .emptyList), Self.field("k", .emptyList)]),
      ("T", [Self.field("l", .assetList([])), Self.field("k", .int64(1))]),
    ])
    let result = SchemaInference().infer(from: census)
    let type = try #require(result.schema.recordType(named: "T"))
    #expect(type.field(named: "list") == nil && type.field(named: "x") == nil)
    #expect(type.field(named: "n")?.type == .number)
    #expect(type.field(named: "m")?.type == .int64)
    #expect(type.field(named: "l")?.type == .list(of: .asset))
    #expect(type.field(named: "k")?.type == .int64)
    let told = Set(result.notes.compactMap { $0.subject.field })
    #expect(told == ["list", "n", "m", "x", "k"])
    let text = SchemaPrinter().print(result.schema)
    for note in result.notes { #expect(text.contains(note.text), "\(note)") }
    #expect(text.contains("// Inferred from 5 records of sample.recordpack."))
    let document = SchemaDocument(parsing: text)
    #expect(document.diagnostics.isEmpty && SchemaPrinter().isPrinted(document))
  }

  @Test("records fit the schema that was made of them", arguments: 1...8)
  func recordsFit(_ seed: UInt64) throws {
    var census = RecordCensus(source: "records")
    var random = SeededGenerator(seed)
    let kinds = RecordValidatorTests.values.filter {
      $0.0.fieldType != nil && !$0.0.isUnsupportedEncryption
    }
    let types = (0..<12).map { _ in kinds[Int(random.next() % UInt64(kinds.count))] }
    for number in 0..<40 {
      let fields = types.enumerated().compactMap { index, kind -> Field? in
        random.next() % 2 == 0
          ? nil : Self.field("f\(index)", kind.1, encrypted: kind.0.isEncrypted)
      }
      try census.add(RecordValidatorTests.record("r\(number)", "T", fields), in: .private)
    }
    for indexes in SchemaInference.Indexes.allCases {
      let text = SchemaPrinter().print(SchemaInference(indexes: indexes).infer(from: census).schema)
      let document = SchemaDocument(parsing: text)
      #expect(try SchemaChecker().validate(census, against: document).findings.isEmpty)
      #expect(!(try SchemaChecker().validate(document)).fails(at: .warning))
    }
  }

  @Test("names that the language cannot write are left out and told")
  func names() throws {
    let census = try Self.census([
      ("A\"b", [Self.field("f", .int64(1))]),
      (
        "T",
        [
          Self.field("g\n// x", .int64(1)), Self.field("grant", .int64(1)),
          Self.field("ä", .int64(1)),
        ]
      ),
    ])
    let result = SchemaInference().infer(from: census)
    #expect(result.notes.count { $0.text.contains("cannot express") } == 2)
    let document = SchemaDocument(parsing: SchemaPrinter().print(result.schema))
    #expect(!document.hasErrors)
    #expect(document.schema.recordType(named: "T")?.userFields.map(\.name) == ["grant", "ä"])
  }

  @Test("the type of shares is the one that CloudKit makes, with what an app adds")
  func shares() throws {
    let census = try Self.census([
      (
        "cloudkit.share",
        [Self.field("cloudkit.title", .string("a")), Self.field("mood", .string("b"))]
      )
    ])
    let type = SchemaInference().infer(from: census).schema.recordType(named: "cloudkit.share")
    #expect(
      type?.userFields.map(\.name).sorted() == [
        "cloudkit.thumbnailImageData", "cloudkit.title", "cloudkit.type", "mood",
      ])
    #expect(type?.field(named: "cloudkit.title")?.options == [])
    #expect(type?.field(named: "mood")?.options == [.queryable, .searchable, .sortable])
  }

  // MARK: - Extension

  @Test("the first value of a new field decides, and old fields stay")
  func extended() throws {
    let schema = CloudSchema(recordTypes: [
      CloudSchema.RecordType(
        "Todo", fields: [CloudSchema.Field("title", .string)], grants: CloudSchema.Grant.defaults)
    ])
    let census = try Self.census([
      (
        "Todo",
        [
          Self.field("title", .int64(1)), Self.field("order", .double(1)),
          Self.field("l", .emptyList),
        ]
      ),
      ("Todo", [Self.field("order", .int64(1))]), ("Todo", [Self.field("order", .int64(2))]),
      ("Tag", [Self.field("name", .string("a"))]),
    ])
    let extended = schema.extended(by: census)
    let todo = try #require(extended.schema.recordType(named: "Todo"))
    #expect(todo.field(named: "title") == CloudSchema.Field("title", .string))
    #expect(todo.field(named: "order")?.type == .double)
    #expect(todo.field(named: "l") == nil)
    #expect(
      extended.additions == [
        "RECORD TYPE Tag (name STRING QUERYABLE SEARCHABLE SORTABLE)",
        "Todo.order DOUBLE QUERYABLE SORTABLE",
      ])
    #expect(extended.notes.map(\.subject.field) == ["l", "order"])
    let report = try SchemaChecker().validate(
      census, against: SchemaDocument(extended.schema, name: "extended"))
    #expect(
      report.findings.map(\.rule) == [
        "RECORD_FIELD_UNKNOWN", "RECORD_VALUE_TYPE", "RECORD_VALUE_TYPE",
      ])
    #expect(extended.schema.extended(by: census).changes.isEmpty)
  }

  @Test("Users is extended too, where the schema leaves it out")
  func users() throws {
    let census = try Self.census([
      ("Users", [Self.field("nick", .string("a")), Self.field("roles", .int64List([1]))])
    ])
    let extended = CloudSchema(recordTypes: []).extended(by: census, indexes: .none)
    #expect(extended.additions == ["Users.nick STRING"])
  }
}
