import Foundation
import Testing

@Suite("recordpack validate, and --validate")
struct ValidateToolTests {
  static let tight = Samples.schema.replacing("secret ENCRYPTED STRING", with: "secret STRING")
    .replacing("        number INT64 QUERYABLE SORTABLE,\n", with: "")

  @Test("the schema of the source is the default, and records that do not fit are told")
  func findings() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      for source in ["Tact.sqlite", "Tact.recordpack"] {
        let clean = try await ToolProcess.run("validate", source, in: folder)
        #expect(clean.code == 0, "\(clean.output)\(clean.errors)")
        #expect(clean.output.contains("nothing found · 3 records checked, 1 subscription"))
        try SchemaToolTests.write(Self.tight, "tight.ckdb", in: folder)
        let result = try await ToolProcess.run(
          "validate", source, "--schema", "tight.ckdb", "--examples", "1", in: folder)
        #expect(result.code == 1)
        #expect(
          result.output.contains(
            "Cannot create or modify field 'number' in record 'Message' in production schema"))
        #expect(
          result.output.contains("Attempt to save encrypted data in non encrypted field type"))
        #expect(result.output.contains("in 2 records, such as Chats"))
        #expect(result.output.contains("message-1") && !result.output.contains("message-2"))
        #expect(!result.output.contains(Samples.secret))
        let some = try await ToolProcess.run(
          "validate", source, "--schema", "tight.ckdb", "--type", "Chat", in: folder)
        #expect(some.code == 0)
      }
    }
  }

  @Test("a source without records does not pass in silence")
  func nothingChecked() async throws {
    try await withFolder { folder in
      try SchemaToolTests.write(Samples.schema, "schema.ckdb", in: folder)
      try SchemaToolTests.write(#"{"records": []}"#, "none.json", in: folder)
      let made = try await ToolProcess.run(
        line: "import --from web-services none.json none.sqlite", in: folder)
      #expect(made.code == 0, "\(made.errors)")
      let result = try await ToolProcess.run(
        line: "validate none.sqlite --schema schema.ckdb", in: folder)
      #expect(result.code == 1)
      #expect(result.errors.contains("'none.sqlite' has no records to check"), "\(result.errors)")
    }
  }

  @Test("in development, the types and fields that saving creates are listed")
  func development() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try SchemaToolTests.write(Self.tight, "tight.ckdb", in: folder)
      let result = try await ToolProcess.run(
        "validate", "Tact.recordpack", "--schema", "tight.ckdb", "--environment", "development",
        in: folder)
      #expect(result.code == 1)
      #expect(result.output.contains("+ Message.number INT64 QUERYABLE SORTABLE"))
      #expect(result.output.contains("RECORD_VALUE_ENCRYPTED Message.secret"))
      #expect(!result.output.contains("RECORD_FIELD_UNKNOWN"))
      let json = try await ToolProcess.run(
        "validate", "Tact.recordpack", "--environment", "development", "--json",
        in: folder)
      let growth = try #require(try Samples.json(json.output)["extendedSchema"] as? [String: Any])
      #expect((growth["additions"] as? [String])?.isEmpty == true)
    }
  }

  @Test("what cannot be judged is exit code 2")
  func unjudged() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try SchemaToolTests.write("DEFINE SCHEMA", "cut.ckdb", in: folder)
      let cut = try await ToolProcess.run(
        "validate", "Tact.recordpack", "--schema", "cut.ckdb", in: folder)
      #expect(cut.code == 2 && cut.errors.contains("cut.ckdb:1:"))
      try Samples.write(Samples.response(records: 2), "r.json", in: folder)
      _ = try await ToolProcess.run(
        "import", "--from", "web-services", "r.json", "bare.sqlite", in: folder)
      let bare = try await ToolProcess.run("validate", "bare.sqlite", in: folder)
      #expect(bare.code == 2 && bare.errors.contains("schema infer"))
      let bundle = try Samples.read("Tact.recordpack", in: folder)
      try Samples.write(bundle.dropLast(100), "cut.recordpack", in: folder)
      #expect(try await ToolProcess.run("validate", "cut.recordpack", in: folder).code == 2)
    }
  }

  @Test("export and import with --validate write nothing that does not fit")
  func archiver() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try SchemaToolTests.write(Self.tight, "tight.ckdb", in: folder)
      let export = try await ToolProcess.run(
        "export", "Tact.sqlite", "-o", "b.recordpack", "--validate", "--schema", "tight.ckdb",
        in: folder)
      #expect(export.code == 1 && !Samples.exists("b.recordpack", in: folder))
      #expect(export.errors.contains("RECORD_VALUE_ENCRYPTED Message.secret"))
      let imported = try await ToolProcess.run(
        "import", "Tact.recordpack", "b.sqlite", "--validate", "--schema", "tight.ckdb", in: folder)
      #expect(imported.code == 1 && !Samples.exists("b.sqlite", in: folder))
      #expect(imported.errors.contains("nothing was written"))
      let fine = try await ToolProcess.run(
        "import", "Tact.recordpack", "b.sqlite", "--validate", in: folder)
      #expect(fine.code == 0, "\(fine.errors)")
      #expect(
        try await ToolProcess.run(
          "export", "Tact.sqlite", "-o", "c.recordpack", "--validate", in: folder
        )
        .code
          == 0)
      #expect(
        try await ToolProcess.run("import", "c.recordpack", "d.sqlite", "--schema", "x", in: folder)
          .code
          == 2)
    }
  }
}
