import RecordModel
import Testing

@testable import RecordSchema

/// CloudKit stores names as they are written. `String.==` takes `é` in one scalar and in two for
/// the same text; here they are two names.
@Suite("Names that differ only in Unicode normalization")
struct ExactNameTests {
  static let composed = "caf\u{E9}"
  static let decomposed = "cafe\u{301}"

  static func schema(_ type: String, _ field: String, _ role: String = "_world") -> String {
    """
    DEFINE SCHEMA
    CREATE ROLE "r\(role)";
    RECORD TYPE "\(type)" ("\(field)" STRING QUERYABLE, GRANT READ TO "\(role)");
    """
  }

  static func document(_ text: String) -> SchemaDocument { SchemaDocument(parsing: text) }

  /// The bytes, as `#expect` on strings would take both forms for the same.
  static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

  @Test("schemas with such names are not equal, nor are their parts and changes")
  func equality() {
    let one = Self.document(Self.schema(Self.composed, Self.composed, Self.composed)).schema
    let other = Self.document(Self.schema(Self.decomposed, Self.decomposed, Self.decomposed)).schema
    #expect(one != other)
    #expect(one.roles != other.roles)
    #expect(one.recordTypes[0].fields != other.recordTypes[0].fields)
    #expect(one.recordTypes[0].grants != other.recordTypes[0].grants)
    #expect(
      SchemaSubject.field(Self.composed, of: "T") != SchemaSubject.field(Self.decomposed, of: "T"))
    #expect(SchemaChange.roleAdded(.init(Self.composed)) != .roleAdded(.init(Self.decomposed)))
    #expect(
      ValueKind(typeName: Self.composed) != ValueKind(typeName: Self.decomposed))
  }

  @Test("lookups find the name that is meant")
  func lookups() {
    let text = """
      DEFINE SCHEMA
      RECORD TYPE "\(Self.composed)" ("\(Self.composed)" STRING, "\(Self.decomposed)" INT64,
        GRANT READ TO "\(Self.composed)");
      RECORD TYPE "\(Self.decomposed)" (x STRING);
      """
    let schema = Self.document(text).schema
    #expect(schema.recordType(named: Self.decomposed)?.fields.count == 1)
    let type = schema.recordType(named: Self.composed)
    #expect(type?.field(named: Self.decomposed)?.type == .int64)
    #expect(type?.permissions(of: Self.decomposed) == [])
    #expect(schema.canonicalized().recordTypes.count == 2)
    #expect(schema.semanticForm().recordTypes.count == 3)
  }

  @Test("a deployment that changes the form removes one name and adds another")
  func deployment() throws {
    let report = try SchemaChecker().compare(
      from: Self.document(Self.schema("T", Self.composed)),
      to: Self.document(Self.schema("T", Self.decomposed)))
    let removed = report.findings.filter { $0.rule == "FIELD_REMOVED" }
    #expect(Self.bytes(removed.compactMap(\.subject.field)) == Self.bytes([Self.composed]))
    let types = try SchemaChecker().compare(
      from: Self.document(Self.schema(Self.composed, "f", Self.composed)),
      to: Self.document(Self.schema(Self.decomposed, "f", Self.decomposed)))
    #expect(types.findings.contains { $0.rule == "RECORD_TYPE_REMOVED" })
    #expect(types.findings.contains { $0.rule == "ROLE_REMOVED" })
  }

  @Test("a change of the form can be applied")
  func applying() {
    let from = Self.document(Self.schema("T", Self.composed, Self.composed)).schema
    let to = Self.document(Self.schema("T", Self.decomposed, Self.decomposed)).schema
    let diff = SchemaDiff(from: from, to: to)
    #expect(!diff.isEmpty)
    #expect(from.applying(diff).semanticForm() == to.semanticForm())
  }

  @Test("two forms in one schema are no duplicates, and a grant names one of two roles")
  func duplicates() throws {
    let text = """
      DEFINE SCHEMA
      CREATE ROLE "\(Self.composed)";
      RECORD TYPE T ("\(Self.composed)" STRING, "\(Self.decomposed)" STRING,
        GRANT READ TO "\(Self.composed)", GRANT READ TO "\(Self.decomposed)");
      RECORD TYPE "\(Self.composed)" (x STRING, GRANT READ TO "_world");
      RECORD TYPE "\(Self.decomposed)" (x STRING, GRANT READ TO "_world");
      """
    let rules = try SchemaChecker().validate(Self.document(text)).findings.map(\.rule.rawValue)
    #expect(!rules.contains { $0.hasPrefix("DUPLICATE_") })
    #expect(rules.count { $0 == "GRANT_UNDECLARED_ROLE" } == 1)
    #expect(rules.count { $0 == "NAME_ILLEGAL" } > 3)
  }

  @Test("records are held against the name that they hold, and counted by it")
  func records() throws {
    let schema = Self.document(Self.schema(Self.composed, Self.composed))
    var census = RecordCensus(source: "records")
    for (type, field) in [
      (Self.composed, Self.composed), (Self.composed, Self.decomposed),
      (Self.decomposed, Self.composed),
    ] {
      let record = ResultRecord(
        systemFields: SystemFields(recordID: RecordID(recordName: "a"), recordType: type),
        fields: [Field(name: field, value: .string("x"))])
      try census.add(record, in: .private)
      let problems = RecordValidator(schema.schema).problems(in: record, database: .private)
      #expect(
        problems.isEmpty == (type.unicodeScalars.count == 4 && field.unicodeScalars.count == 4))
    }
    let report = try SchemaChecker().validate(census, against: schema)
    #expect(
      report.findings.map(\.rule.rawValue) == ["RECORD_TYPE_UNKNOWN", "RECORD_FIELD_UNKNOWN"]
        || report.findings.map(\.rule.rawValue) == ["RECORD_FIELD_UNKNOWN", "RECORD_TYPE_UNKNOWN"])
    #expect(census.byType.map(\.records.records).sorted() == [1, 2])
    let inferred = SchemaInference().infer(from: census).schema
    #expect(inferred.recordTypes.count == 3)
    #expect(inferred.recordType(named: Self.composed)?.userFields.count == 2)
  }

  @Test("a permission for one form does not cover the other")
  func permissions() throws {
    let from = Self.document(Self.schema("T", Self.composed))
    let comment = "// recordpack:allow FIELD_REMOVED(T.\(Self.decomposed)) never shipped\n"
    let to = Self.document(comment + Self.schema("T", "other"))
    let report = try SchemaChecker().compare(from: from, to: to)
    #expect(report.suppressed.isEmpty)
    #expect(report.findings.contains { $0.rule == "FIELD_REMOVED" })
  }

  @Test("the printed order is that of the bytes, however the names came")
  func order() {
    let fields = [Self.composed, Self.decomposed].map { CloudSchema.Field($0, .string) }
    let one = CloudSchema(recordTypes: [CloudSchema.RecordType("T", fields: fields)])
    let other = CloudSchema(recordTypes: [CloudSchema.RecordType("T", fields: fields.reversed())])
    let text = SchemaPrinter().print(one)
    #expect(Array(text.utf8) == Array(SchemaPrinter().print(other).utf8))
  }
}
