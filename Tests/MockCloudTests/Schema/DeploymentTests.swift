import CloudInterface
import Foundation
import MockCloud
import RecordModel
import RecordSchema
import Testing

/// Development's schema becomes production's. Source: Apple, "Deploying an iCloud Container's
/// Schema"; the rules of RecordSchema for deployments.
struct DeploymentTests {
  @Test("what development learned is accepted in production after the deployment")
  func deploy() async throws {
    let development = try await makeContainer(.development)
    let production = try await makeContainer(.production)
    let draft = note("n", type: "Todo", "order", .int64(1))
    try await development.privateCloudDatabase.save(draft)
    try await development.privateCloudDatabase.save(note("m", "order", .int64(1)))
    #expect(await production.refusal(of: draft) != nil)
    let report = try await production.deploySchema(from: development)
    #expect(report.findings.map(\.rule).contains("RECORD_TYPE_ADDED"))
    #expect(report.findings.map(\.rule).contains("FIELD_ADDED"))
    #expect(await production.refusal(of: draft) == nil)
    #expect(SchemaDiff(from: try development.schema, to: try production.schema).isEmpty)
    #expect(try production.store.info().environment == .production)
  }

  @Test("a schema that removes or changes fields is refused with all reasons; nothing is changed")
  func refused() async throws {
    let production = try await makeContainer(.production)
    let schema =
      noteSchema.replacingOccurrences(of: "count     INT64", with: "counter   INT64")
      .replacingOccurrences(of: "text      STRING", with: "text      INT64")
      .replacingOccurrences(of: "secret    ENCRYPTED STRING", with: "secret    STRING")
    let development = try await makeContainer(.development, schema: schema)
    let before = try production.store.info()
    do {
      try await production.deploySchema(from: development)
      Issue.record("the schema was deployed")
    } catch SchemaDeploymentError.refused(let findings) {
      let rules: [SchemaRule.ID] = [
        "FIELD_REMOVED", "FIELD_ENCRYPTION_CHANGED", "FIELD_TYPE_CHANGED",
      ]
      #expect(Set(findings.map(\.rule)) == Set(rules))
      let text = "\(SchemaDeploymentError.refused(findings))"
      let isComplete = rules.allSatisfy { text.contains($0.rawValue) }
      #expect(isComplete)
    }
    #expect(try production.store.info() == before)
  }

  @Test("a comment that allows a finding does not make the server accept the schema")
  func allowed() async throws {
    let production = try await makeContainer(.production)
    let schema =
      "// recordpack:allow FIELD_REMOVED(Note.count) was never shipped\n"
      + noteSchema.replacingOccurrences(of: "count     INT64,", with: "")
    let document = SchemaDocument(parsing: schema)
    await #expect(throws: SchemaDeploymentError.self) { try await production.deploy(document) }
    #expect(try production.schemaText == noteSchema)
  }

  @Test("the first deployment makes a schema of none, also if development has the type Users only")
  func first() async throws {
    let production = try await makeContainer(.production, schema: nil)
    try await production.deploy(SchemaDocument(parsing: noteSchema))
    #expect(await production.refusal(of: note("n", "text", .string("x"))) == nil)
    let empty = try await makeContainer(.production, schema: nil)
    let users = SchemaPrinter().print(CloudSchema(recordTypes: [.builtInUsers]))
    try await empty.deploy(SchemaDocument(parsing: users))
    #expect(try empty.schemaText != nil)
  }

  @Test("an equivalent schema changes nothing")
  func equivalent() async throws {
    let production = try await makeContainer(.production)
    let printed = SchemaPrinter().print(try production.schema)
    #expect(printed != noteSchema)
    try await production.deploy(SchemaDocument(parsing: printed))
    #expect(try production.schemaText == noteSchema)
  }

  @Test("only development is deployed, only to production, and only with a schema")
  func wrongContainers() async throws {
    let development = try await makeContainer(.development)
    let production = try await makeContainer(.production)
    let unknown = try await makeContainer(nil)
    let empty = try await makeContainer(.development, schema: nil)
    for (from, to, error) in [
      (development, development, SchemaDeploymentError.notProduction(.development)),
      (development, unknown, .notProduction(nil)), (production, production, .fromProduction),
      (empty, production, .noSchema),
    ] {
      await #expect(throws: error) { try await to.deploySchema(from: from) }
    }
    let broken = SchemaDocument(parsing: "DEFINE")
    await #expect(throws: SchemaError.self) { try await production.deploy(broken) }
    #expect(try production.schemaText == noteSchema)
  }
}
