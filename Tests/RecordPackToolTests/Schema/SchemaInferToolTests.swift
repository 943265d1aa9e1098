import Foundation
import Testing

@Suite("recordpack schema infer")
struct SchemaInferToolTests {
  @Test("infer makes the schema of records, from bundles, containers and responses")
  func infer() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let bundle = try await ToolProcess.run("schema", "infer", "Tact.recordpack", in: folder)
      let container = try await ToolProcess.run("schema", "infer", "Tact.sqlite", in: folder)
      #expect(bundle.code == 0 && container.code == 0)
      let withoutHeader = { (text: String) in text.split(separator: "\n").dropFirst() }
      #expect(withoutHeader(bundle.output) == withoutHeader(container.output))
      #expect(bundle.output.contains("secret          ENCRYPTED STRING"))
      #expect(bundle.output.contains("number          INT64 QUERYABLE SORTABLE"))
      #expect(!bundle.output.contains(Samples.secret))
      let none = try await ToolProcess.run(
        "schema", "infer", "Tact.sqlite", "--indexes", "none", "-o", "n.ckdb", in: folder)
      #expect(none.code == 0 && none.output.isEmpty)
      let text = String(decoding: try Samples.read("n.ckdb", in: folder), as: UTF8.self)
      #expect(text.contains("number          INT64,") && !text.contains("INT64 QUERYABLE"))
      let again = try await ToolProcess.run(
        "schema", "infer", "Tact.sqlite", "-o", "n.ckdb", in: folder)
      #expect(again.code == 2 && again.errors.contains("--force"))
      #expect(
        try await ToolProcess.run("schema", "validate", "n.ckdb", "--fail-on", "note", in: folder)
          .code
          == 0)
      let response = """
        {"records":[{"recordName":"a","recordType":"T","fields":{"l":{"type":"UNKNOWN_LIST","value":[]},
        "n":{"type":"INT64","value":1}}},
        {"recordName":"b","recordType":"T","fields":{"n":{"type":"DOUBLE","value":1.5}}}]}
        """
      let mixed = try await ToolProcess.run(
        "schema", "infer", "--from", "web-services", "-", in: folder, input: Data(response.utf8))
      #expect(mixed.code == 0)
      #expect(mixed.output.contains("n               NUMBER"))
      #expect(mixed.output.contains("// l: only empty lists in 1 record: a"))
      #expect(mixed.errors.contains("note: T.l: ") && mixed.errors.contains("note: T.n: "))
    }
  }

  @Test("infer tells of errors among the responses, and refuses what is nothing else")
  func inferErrors() async throws {
    try await withFolder { folder in
      let error = #"{"recordName":"b","serverErrorCode":"NOT_FOUND","reason":"gone"}"#
      let record = #"{"recordName":"a","recordType":"T","fields":{"n":{"type":"INT64","value":1}}}"#
      func infer(_ items: String...) async throws -> ToolProcess.Result {
        try await ToolProcess.run(
          "schema", "infer", "--from", "web-services", "-", in: folder,
          input: Data(#"{"records":[\#(items.joined(separator: ","))]}"#.utf8))
      }
      let some = try await infer(record, error)
      #expect(some.code == 1 && some.output.contains("RECORD TYPE T"))
      #expect(
        some.errors.contains("1 error instead of records in the responses")
          && some.errors.contains("gone"))
      let all = try await infer(error)
      #expect(all.code == 2 && all.output.isEmpty && all.errors.contains("gone"))
    }
  }

  @Test("a record type can be selected that only one source has, or that a later response deletes")
  func selectedType() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      for (name, item) in [
        "1.json": #""recordName":"a","recordType":"Note","fields":{"t":{"value":"x"}}"#,
        "2.json": #""recordName":"a","recordType":"Note","deleted":true"#,
      ] {
        try Samples.write(Data(#"{"records":[{\#(item)}]}"#.utf8), name, in: folder)
      }
      for line in [
        "schema infer --from web-services 1.json 2.json --type Note",
        "import --from web-services 1.json notes.sqlite -q",
        "schema infer notes.sqlite Tact.recordpack --type Note",
      ] {
        let result = try await ToolProcess.shell("recordpack \(line)", in: folder)
        #expect(result.code == 0, "\(line): \(result.errors)")
        #expect(result.output.contains("RECORD TYPE Note (") || line.hasPrefix("import"))
      }
    }
  }

  @Test("infer writes over nothing that it reads, and keeps the permissions of what it replaces")
  func inferOverInput() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link", withDestinationPath: "Tact.recordpack")
      try FileManager.default.createDirectory(
        atPath: folder + "/r", withIntermediateDirectories: false)
      try Samples.write(Samples.response(records: 1), "r/a.json", in: folder)
      for (arguments, output) in [
        (["Tact.recordpack"], "Tact.recordpack"), (["Tact.recordpack"], "link"),
        (["Tact.sqlite", "Tact.recordpack"], "Tact.sqlite"),
        (["--from", "web-services", "r"], "r/a.json"),
      ] {
        let before = try Samples.read(output, in: folder)
        let result = try await ToolProcess.run(
          ["schema", "infer"] + arguments + ["--output", output, "--force"], in: folder)
        #expect(result.code == 2 && result.errors.contains("is an input file"))
        #expect(try Samples.read(output, in: folder) == before)
      }
      try SchemaToolTests.write("old", "n.ckdb", in: folder)
      chmod(folder + "/n.ckdb", 0o640)
      let result = try await ToolProcess.run(
        "schema", "infer", "Tact.sqlite", "-o", "n.ckdb", "--force", in: folder)
      #expect(result.code == 0, "\(result.errors)")
      #expect(try SchemaToolTests.mode("n.ckdb", in: folder) == 0o640)
    }
  }
}
