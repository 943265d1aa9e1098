import Foundation
import RecordPack
import Testing

@Suite("recordpack schema deploy")
struct DeployToolTests {
  /// A container of an environment with the schema of the samples.
  private func make(
    _ name: String, _ environment: ContainerInfo.Environment?, in folder: String,
    schema: String? = SchemaToolTests.production
  ) throws {
    let container = try ContainerStore.open(
      path: folder + "/" + name, mode: .create,
      info: ContainerInfo(environment: environment, schema: schema))
    try container.close()
  }

  private func schema(of name: String, in folder: String) throws -> String? {
    let container = try ContainerStore.open(path: folder + "/" + name, mode: .readOnly)
    defer { _ = try? container.close() }
    return try container.info().schema
  }

  private static let longer = SchemaToolTests.production.replacing(
    "        title STRING QUERYABLE,\n",
    with: "        note STRING,\n        title STRING QUERYABLE,\n")

  @Test("deploys from a file and from development, reports the changes, and exits as schema diff")
  func deploy() async throws {
    try await withFolder { folder in
      try make("Production.sqlite", .production, in: folder)
      try make("Development.sqlite", .development, in: folder, schema: Self.longer)
      try SchemaToolTests.write(SchemaToolTests.production, "same.ckdb", in: folder)
      let same = try await ToolProcess.run(
        "schema", "deploy", "same.ckdb", "Production.sqlite", in: folder)
      #expect(same.code == 0, "\(same.errors)")
      #expect(same.output.contains("nothing to deploy: 'Production.sqlite' has this schema"))
      let dry = try await ToolProcess.run(
        "schema", "deploy", "Development.sqlite", "Production.sqlite", "--dry-run", in: folder)
      #expect(dry.code == 0, "\(dry.errors)")
      #expect(dry.output.contains("1 change would be deployed to 'Production.sqlite'"))
      #expect(try schema(of: "Production.sqlite", in: folder) == SchemaToolTests.production)
      let strict = try await ToolProcess.run(
        "schema", "deploy", "Development.sqlite", "Production.sqlite", "--fail-on", "info",
        in: folder)
      #expect(strict.code == 1)
      #expect(strict.output.contains("not deployed: 'Production.sqlite' is unchanged"))
      #expect(try schema(of: "Production.sqlite", in: folder) == SchemaToolTests.production)
      let done = try await ToolProcess.run(
        "schema", "deploy", "Development.sqlite", "Production.sqlite", in: folder)
      #expect(done.code == 0, "\(done.errors)")
      #expect(done.output.contains("FIELD_ADDED"))
      #expect(done.output.contains("1 change deployed to 'Production.sqlite'"))
      let printed = SchemaPrinter().print(SchemaDocument(parsing: Self.longer).schema)
      #expect(try schema(of: "Production.sqlite", in: folder) == printed)
    }
  }

  @Test("what CloudKit rejects is not deployed, also if it is allowed or nothing fails")
  func refused() async throws {
    try await withFolder { folder in
      try make("Production.sqlite", .production, in: folder)
      let allowed = "// recordpack:allow FIELD_REMOVED(Todo.order) was never shipped\n"
      for (text, options) in [
        (SchemaToolTests.shorter, []), (SchemaToolTests.shorter, ["--fail-on", "off"]),
        (allowed + SchemaToolTests.shorter, []),
        (SchemaToolTests.production.replacing("order INT64", with: "order STRING"), ["--dry-run"]),
      ] {
        try SchemaToolTests.write(text, "s.ckdb", in: folder)
        let result = try await ToolProcess.run(
          ["schema", "deploy", "s.ckdb", "Production.sqlite"] + options, in: folder)
        #expect(result.code == 1, "\(result.errors)")
        #expect(result.output.contains("CloudKit rejects FIELD_"))
        #expect(result.output.contains("not deployed"))
        #expect(try schema(of: "Production.sqlite", in: folder) == SchemaToolTests.production)
      }
      let new = try await ToolProcess.run(
        "schema", "deploy", "s.ckdb", "Created.sqlite", "--create", "--fail-on", "info", in: folder)
      #expect(new.code == 1)
      #expect(!Samples.exists("Created.sqlite", in: folder))
    }
  }

  @Test("creates an empty production container, which takes records of the schema")
  func create() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      let dry = try await ToolProcess.run(
        "schema", "deploy", "Tact.sqlite", "New.sqlite", "--create", "--dry-run", in: folder)
      #expect(dry.code == 0, "\(dry.errors)")
      #expect(!Samples.exists("New.sqlite", in: folder))
      let result = try await ToolProcess.run(
        "schema", "deploy", "Tact.sqlite", "New.sqlite", "--create", in: folder)
      #expect(result.code == 0, "\(result.errors)")
      let container = try ContainerStore.open(path: folder + "/New.sqlite")
      #expect(try container.info().environment == .production)
      #expect(try container.info().identifier == "iCloud.com.example.tact")
      #expect(try container.info().schema == Samples.schema)
      #expect(try container.info().schemaVersion == "2")
      try container.close()
      let again = try await ToolProcess.run(
        "schema", "deploy", "Tact.sqlite", "New.sqlite", "--create", in: folder)
      #expect(again.code == 2)
    }
  }

  @Test("JSON has what was done, around the report")
  func json() async throws {
    try await withFolder { folder in
      try make("Production.sqlite", .production, in: folder)
      try SchemaToolTests.write(Self.longer, "longer.ckdb", in: folder)
      try SchemaToolTests.write(SchemaToolTests.shorter, "shorter.ckdb", in: folder)
      let refused = try await ToolProcess.run(
        "schema", "deploy", "shorter.ckdb", "Production.sqlite", "--json", in: folder)
      #expect(refused.code == 1)
      let no = try Samples.json(refused.output)
      #expect(no["format"] as? String == "recordpack.schema-deploy" && no["version"] as? Int == 1)
      #expect(no["accepted"] as? Bool == false && no["deployed"] as? Bool == false)
      #expect(no["refusals"] as? [String] == ["FIELD_REMOVED(Todo.order)"])
      let done = try await Samples.json(
        ToolProcess.run(
          "schema", "deploy", "longer.ckdb", "Production.sqlite", "--json", in: folder
        ).output)
      #expect(done["deployed"] as? Bool == true && done["dryRun"] as? Bool == false)
      let report = try #require(done["report"] as? [String: Any])
      #expect(report["format"] as? String == "recordpack.schema.report")
      let markdown = try await ToolProcess.run(
        "schema", "deploy", "longer.ckdb", "Production.sqlite", "--format", "markdown", in: folder)
      #expect(markdown.code == 0)
      #expect(!markdown.output.contains("nothing to deploy"))
      #expect(markdown.errors.contains("nothing to deploy"))
    }
  }

  @Test("wrong containers, files and schemas are errors, and change nothing")
  func wrongUse() async throws {
    try await withFolder { folder in
      try make("Production.sqlite", .production, in: folder)
      try make("Development.sqlite", .development, in: folder)
      try make("Unknown.sqlite", nil, in: folder)
      try make("Empty.sqlite", .development, in: folder, schema: nil)
      try make("Broken.sqlite", .production, in: folder, schema: "DEFINE")
      try SchemaToolTests.write("DEFINE SCHEMA RECORD", "bad.ckdb", in: folder)
      try SchemaToolTests.write(SchemaToolTests.production, "good.ckdb", in: folder)
      _ = try await ToolProcess.run("export", "Production.sqlite", "-o", "P.recordpack", in: folder)
      for (line, word) in [
        ("Development.sqlite Development.sqlite", "environment is development"),
        ("Development.sqlite Unknown.sqlite", "does not name its environment"),
        ("Production.sqlite Production.sqlite", "is from production"),
        ("P.recordpack Production.sqlite", "is from production"),
        ("Empty.sqlite Production.sqlite", "has no schema"),
        ("bad.ckdb Production.sqlite", "bad.ckdb:1"), ("good.ckdb P.recordpack", "is a bundle"),
        ("good.ckdb nowhere.sqlite", "nowhere.sqlite"), ("good.ckdb -", "name a file"),
        ("nowhere.ckdb Production.sqlite", "nowhere.ckdb"), ("good.ckdb good.ckdb", "good.ckdb"),
        ("good.ckdb Broken.sqlite", "Broken.sqlite:1"), ("good.ckdb", "destination"),
        ("good.ckdb Production.sqlite --create", "Production.sqlite"),
      ] {
        let result = try await ToolProcess.run(line: "schema deploy " + line, in: folder)
        #expect(result.code == 2, "\(line): \(result.errors)")
        #expect(result.errors.contains(word), "\(line): \(result.errors)")
        #expect(result.output.isEmpty, "\(line)")
      }
      #expect(try schema(of: "Production.sqlite", in: folder) == SchemaToolTests.production)
    }
  }
}
