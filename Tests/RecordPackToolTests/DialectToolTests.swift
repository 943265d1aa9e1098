import Foundation
import Testing

@Suite("Dialects of responses in the tool")
struct DialectToolTests {
  private static let books = """
    {"records":[
     {"recordName":"b1","recordType":"Book","recordChangeTag":"1",
      "created":{"timestamp":"2025-01-31T18:00:00Z","userRecordName":"_u"},
      "zone":{"zoneName":"Shelf","ownerRecordName":"_o"},
      "fields":{"title":{"type":"stringType","value":"Treasure Island"},
       "pages":{"type":"int64Type","value":304},
       "read":{"type":"timestampListType","value":["2025-01-31"]}}},
     {"recordName":"b2","recordType":"Book","zone":{"zoneName":"Shelf","ownerRecordName":"_o"},
      "fields":{"title":{"type":"stringType","value":"The Mysterious Island"}}}]}
    """

  @Test("What cktool printed is imported; its dialect is not written")
  func cktool() async throws {
    try await withFolder { folder in
      try Samples.write(Data(Self.books.utf8), "books.json", in: folder)
      let imported = try await ToolProcess.run(
        line:
          "import --from cktool books.json Books.sqlite --database public", in: folder)
      #expect(imported.code == 0, "\(imported.errors)")
      #expect(imported.output.hasPrefix("Imported 2 records into the new Books.sqlite; 1 zone"))
      #expect(
        try await ToolProcess.list("Books.sqlite", ["--database", "public"], in: folder).output
          .contains("b1"))
      let shown = try await ToolProcess.run(
        line: "show Books.sqlite b1 --database public --json", in: folder)
      let fields = try #require(
        try Samples.json(shown.output)["fields"] as? [String: [String: Any]])
      #expect(fields["title"]?["value"] as? String == "Treasure Island")
      #expect(fields["pages"]?["value"] as? Int == 304)
      #expect(fields["read"]?["value"] as? [Int] == [1_738_281_600_000])
      let written = try await ToolProcess.run(
        line: "export Books.sqlite -o o.json --to cktool", in: folder)
      #expect(written.code == 2 && !Samples.exists("o.json", in: folder), "\(written.errors)")
    }
  }

  @Test("Responses become a bundle, a bundle a smaller one, and a container another")
  func conversions() async throws {
    try await withFolder { folder in
      try Samples.write(Data(Self.books.utf8), "books.json", in: folder)
      let bundle = try await ToolProcess.run(
        line:
          "export books.json -o Books.recordpack --from cktool --database public", in: folder)
      #expect(bundle.code == 0, "\(bundle.errors)")
      #expect(bundle.output.hasPrefix("Exported 2 records to Books.recordpack"))
      #expect(
        try await ToolProcess.run(
          line: "import --from cktool books.json B.sqlite --database public", in: folder
        ).code == 0)
      #expect(
        try await ToolProcess.run(line: "diff Books.recordpack B.sqlite --records-only", in: folder)
          .code
          == 0)
      #expect(try await ToolProcess.run(line: "import B.sqlite C.sqlite", in: folder).code == 0)
      #expect(try await ToolProcess.run(line: "diff C.sqlite B.sqlite", in: folder).code == 0)
      try await Samples.makeBundle(in: folder)
      let part = try await ToolProcess.run(
        line: "export Tact.recordpack -o Chats.recordpack --type Chat", in: folder)
      #expect(part.code == 0, "\(part.errors)")
      #expect(
        try await ToolProcess.run(line: "import Tact.recordpack T.sqlite", in: folder).code == 0)
      #expect(
        try await ToolProcess.run(
          line: "export T.sqlite -o Same.recordpack --type Chat", in: folder
        ).code
          == 0)
      #expect(
        try Samples.read("Chats.recordpack", in: folder)
          == Samples.read("Same.recordpack", in: folder))
      let broken = Self.books.replacingOccurrences(of: "304", with: #""many""#)
      try Samples.write(Data(broken.utf8), "broken.json", in: folder)
      let partial = try await ToolProcess.run(
        line: "export broken.json -o x.recordpack --from cktool", in: folder)
      #expect(partial.code == 1 && partial.errors.contains("expected a 64-bit integer"))
      #expect(partial.output.hasPrefix("Exported 2 records"))
    }
  }

  @Test("A value that cannot be read is told with its file and place, and the rest is imported")
  func unread() async throws {
    try await withFolder { folder in
      let books = Self.books.replacingOccurrences(of: "304", with: #""many""#)
      try Samples.write(Data(books.utf8), "books.json", in: folder)
      let imported = try await ToolProcess.run(
        line: "import --from cktool books.json Books.sqlite", in: folder)
      #expect(imported.code == 1)
      #expect(imported.output.hasPrefix("Imported 2 records"))
      #expect(
        imported.errors.contains(
          #"records[0].fields.pages.value: found the string "many", expected a 64-bit integer"#),
        "\(imported.errors)")
      #expect(imported.errors.contains("books.json: byte "))
      let shown = try await ToolProcess.run(line: "show Books.sqlite b1", in: folder)
      #expect(shown.output.contains("Treasure Island") && !shown.output.contains("pages"))
      let inferred = try await ToolProcess.run(
        line: "schema infer --from cktool books.json", in: folder)
      #expect(inferred.code == 1)
      #expect(inferred.output.contains("title") && !inferred.output.contains("pages"))
    }
  }

  @Test("Records go to Canopy's mocks and back, with encrypted fields")
  func canopy() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      let exported = try await ToolProcess.run(
        line:
          "export Tact.sqlite -o mocks.json --to canopy --type Message --json", in: folder)
      #expect([0, 1].contains(exported.code), "\(exported.errors)")
      let mocks = try Samples.read("mocks.json", in: folder)
      let json = try #require(try JSONSerialization.jsonObject(with: mocks) as? [[String: Any]])
      #expect(json.allSatisfy { $0["type"] as? String == "mock" } && !json.isEmpty)
      let text = String(decoding: mocks, as: UTF8.self)
      #expect(text.contains(Samples.secret))
      let imported = try await ToolProcess.run(
        line: "import --from canopy mocks.json Copy.sqlite", in: folder)
      #expect(imported.code == 0, "\(imported.errors)")
      let compared = try await ToolProcess.run(
        line:
          "diff Tact.sqlite Copy.sqlite --records-only --type Message", in: folder)
      #expect(compared.code == 0, "\(compared.output)\(compared.errors)")
      let inferred = try await ToolProcess.run(
        line: "schema infer --from canopy mocks.json", in: folder)
      #expect(inferred.code == 0, "\(inferred.errors)")
      #expect(inferred.output.contains("ENCRYPTED STRING"))
    }
  }

  @Test("What a dialect cannot say is told and counted, and the exit code is 1")
  func losses() async throws {
    try await withFolder { folder in
      try Samples.makeContainer(in: folder)
      let exported = try await ToolProcess.run(
        line: "export Tact.sqlite -o t.json --to canopy", in: folder)
      #expect(exported.code == 1)
      #expect(exported.errors.contains("deleted record"), "\(exported.errors)")
      #expect(exported.output.contains("to t.json as a response of Canopy"))
      #expect(Samples.exists("t.json", in: folder))
      let counted = try await ToolProcess.run(
        line: "export Tact.sqlite -o u.json --to canopy --json", in: folder)
      #expect(counted.code == 1)
      let losses = try #require(try Samples.json(counted.output)["losses"] as? [String: Int])
      #expect(losses["deletions"] == 1 && losses["encryption"] == nil)
    }
  }

  @Test("A record type can be selected that only deleted records have")
  func deletedType() async throws {
    try await withFolder { folder in
      let records = ["a", "b"].map { #"{"recordName":"\#($0)","recordType":"Note","fields":{}}"# }
      let deletions = ["a", "b"].map {
        #"{"recordName":"\#($0)","recordType":"Note","deleted":true}"#
      }
      for (name, items) in ["1.json": records, "2.json": deletions] {
        let text = #"{"records":[\#(items.joined(separator: ","))]}"#
        try Samples.write(Data(text.utf8), name, in: folder)
      }
      for line in [
        "import --from web-services 1.json c.sqlite",
        "import --from web-services 2.json c.sqlite --type Note --on-conflict replace",
        "import --from web-services 1.json 2.json d.sqlite --type Note",
        "export --from web-services 2.json -o deleted.recordpack --type Note",
        "export c.sqlite -o also.recordpack --type Note",
        "import also.recordpack e.sqlite --type Note",
      ] {
        let result = try await ToolProcess.shell("recordpack \(line)", in: folder)
        #expect(result.code == 0, "\(line): \(result.errors)")
      }
      for container in ["c", "d", "e"] {
        let shown = try await ToolProcess.shell(
          "recordpack inspect \(container).sqlite --json", in: folder)
        let totals = try Samples.json(shown.output)
        #expect(totals["records"] as? Int == 0 && totals["tombstones"] as? Int == 2, "\(shown)")
      }
      let typo = try await ToolProcess.shell(
        "recordpack import --from web-services 2.json c.sqlite --type Notes", in: folder)
      #expect(typo.code == 2)
      #expect(
        typo.errors.contains("no record type 'Notes'; available: Note"), "\(typo.errors)")
    }
  }

  @Test("A file of a folder of responses that is read is not written over")
  func overwriting() async throws {
    try await withFolder { folder in
      try FileManager.default.createDirectory(
        atPath: folder + "/d", withIntermediateDirectories: true)
      for name in ["d/1.json", "d/2.json"] {
        try Samples.write(Data(Self.books.utf8), name, in: folder)
      }
      for line in [
        "export d -o d/2.json --from cktool --to canopy --force",
        "export d -o d/1.json --from cktool --force",
        "schema infer d --from cktool -o d/2.json --force",
      ] {
        let result = try await ToolProcess.run(line: line, in: folder)
        #expect(
          result.code == 2 && result.errors.contains("is an input file"),
          "\(result.errors)")
      }
      #expect(try Samples.read("d/2.json", in: folder) == Data(Self.books.utf8))
      #expect(
        try await ToolProcess.run(
          line: "import d/1.json d/2.json x.sqlite --from cktool --on-conflict keep", in: folder
        )
        .code == 0)
      let same = try await ToolProcess.run(line: "import x.sqlite x.sqlite", in: folder)
      #expect(same.code == 2 && same.errors.contains("is an input file"))
    }
  }

  @Test("What is no response of the dialect is refused under its name")
  func refused() async throws {
    try await withFolder { folder in
      try Samples.write(Data("[7]".utf8), "7.json", in: folder)
      try Samples.write(Data(Self.books.utf8), "books.json", in: folder)
      for (line, words) in [
        ("import --from cktool 7.json x.sqlite", "not a response of cktool"),
        ("import --from canopy books.json x.sqlite", "contain only errors: books.json: byte"),
        ("import --from canopy books.json 7.json x.sqlite", "contain only errors"),
        ("schema infer --from canopy 7.json", "contain only errors"),
        ("import --from Canopy 7.json x.sqlite", "'web-services', 'cktool' or 'canopy'"),
        ("import books.json x.sqlite", "it is JSON text; for a response, use --from web-services"),
        (
          "export books.json -o x.recordpack",
          "it is JSON text; for a response, use --from web-services"
        ),
        ("schema infer books.json", "it is JSON text; for a response, use --from web-services"),
      ] {
        let result = try await ToolProcess.run(line: line, in: folder)
        #expect(result.code == 2 && result.errors.contains(words), "\(line): \(result.errors)")
        #expect(!Samples.exists("x.sqlite", in: folder), "\(line)")
      }
    }
  }

  @Test(
    "Options that say nothing with responses are refused in every dialect",
    arguments: ["web-services", "cktool", "canopy"])
  func options(_ dialect: String) async throws {
    try await withFolder { folder in
      try Samples.write(Data(Self.books.utf8), "books.json", in: folder)
      try Samples.makeContainer(in: folder)
      for line in [
        "import --from \(dialect) books.json x.sqlite --threads 2",
        "import --from \(dialect) books.json x.sqlite --plan Plans",
        "import --from \(dialect) books.json x.sqlite --database public --database private",
        "export Tact.sqlite -o x.json --to \(dialect) --level 3",
        "export books.json -o x.json --from \(dialect) --database public --database private",
        "schema infer --from \(dialect) books.json --threads 2",
      ] {
        let result = try await ToolProcess.run(line: line, in: folder)
        #expect(result.code == 2, "\(line)")
        #expect(!Samples.exists("x.sqlite", in: folder) && !Samples.exists("x.json", in: folder))
      }
    }
  }
}
