import Foundation
import TestSupport
import Testing

@Suite("recordpack schema scan and protection")
struct SchemaScanToolTests {
  private func prepare(_ folder: String) throws {
    try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
    for path in ["Sources/App", "Sources/.build", "Sources/Lib.swift"] {
      try FileManager.default.createDirectory(
        atPath: folder + "/" + path, withIntermediateDirectories: true)
    }
    let code = "func f(m: CKRecord) {\n  m[\"text\"]\n  m[\"txet\"] = 1\n  m[key]\n}\n"
    try Samples.write(Data(code.utf8), "Sources/App/A.swift", in: folder)
    try Samples.write(Data(code.utf8), "Sources/.build/B.swift", in: folder)
  }

  @Test("what is not deployed is told with file, line and column")
  func scan() async throws {
    try await withFolder { folder in
      try prepare(folder)
      let text = try await ToolProcess.run(
        "schema", "scan", "Sources", "Sources/App/A.swift", "--schema", "s.ckdb", in: folder)
      #expect(text.code == 1)
      #expect(text.output.contains("Sources/App/A.swift:3:5: error: FIELD_NOT_DEPLOYED *.txet"))
      #expect(
        text.output.contains("1 error · 2 uses in 1 file checked, 1 computed name not checked"))
      for format in ["markdown", "github", "sarif", "junit"] {
        let other = try await ToolProcess.run(
          "schema", "scan", "Sources/", "--schema", "s.ckdb", "--format", format, in: folder)
        #expect(other.code == 1 && other.output.contains("txet"), "\(format)")
      }
      let passing = try await ToolProcess.run(
        "schema", "scan", "Sources", "--schema", "s.ckdb", "--fail-on", "off", in: folder)
      #expect(passing.code == 0)
    }
  }

  @Test("a file that cannot be read is a finding: its uses are not known")
  func notScanned() async throws {
    try await withFolder { folder in
      try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
      try FileManager.default.createDirectory(
        atPath: folder + "/A", withIntermediateDirectories: true)
      try Samples.write(Data("func f(m: CKRecord) { m[\"text\"] }\n".utf8), "A/A.swift", in: folder)
      let whole = try await ToolProcess.run("schema", "scan", "A", "--schema", "s.ckdb", in: folder)
      #expect(whole.code == 0)
      try Samples.write(Data([0x2F, 0x2F, 0xFF, 0x0A]), "A/B.swift", in: folder)
      for sources in ["A", "A/B.swift"] {
        let part = try await ToolProcess.run(
          "schema", "scan", sources, "--schema", "s.ckdb", in: folder)
        #expect(part.code == 1)
        #expect(part.errors.contains("'A/B.swift' is not scanned: byte 2 is not UTF-8"))
        #expect(part.output.contains("nothing found") == (sources == "A"))
      }
    }
  }

  @Test("the uses of a missing field are one finding with its places")
  func repeated() async throws {
    try await withFolder { folder in
      try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
      let uses = (0..<13).map { "  m[\"txet\"] = \($0)" }.joined(separator: "\n")
      try Samples.write(
        Data("func f(m: CKRecord) {\n\(uses)\n}\nfunc g(m: CKRecord) { m[\"texts\"] }\n".utf8),
        "A.swift",
        in: folder)
      let scan = try await ToolProcess.run(
        "schema", "scan", "A.swift", "--schema", "s.ckdb", in: folder)
      #expect(scan.output.contains("A.swift:2:5: error: FIELD_NOT_DEPLOYED *.txet"))
      #expect(scan.output.contains("\n      also at A.swift:3:5, "))
      #expect(scan.output.contains("A.swift:12:5 and 2 more\n"), "\(scan.output)")
      #expect(scan.output.contains("\n2 errors · 14 uses"), "\(scan.output)")
      let typed = uses.replacing("m[", with: "n[") + "\n  n[\"last\"] = 0"
      try Samples.write(
        Data("func f() {\n  let n = CKRecord(recordType: \"Message\")\n\(typed)\n}\n".utf8),
        "B.swift", in: folder)
      let table = try await ToolProcess.run(
        "schema", "scan", "B.swift", "--schema", "s.ckdb", "--format", "markdown", in: folder)
      #expect(table.output.contains("`FIELD_NOT_DEPLOYED` `last`, `txet` |"), "\(table.output)")
    }
  }

  @Test("no Swift files, and a schema that cannot be read, are exit code 2")
  func unreadable() async throws {
    try await withFolder { folder in
      try prepare(folder)
      for (arguments, message) in [
        (["nothing", "--schema", "s.ckdb"], "there is no file or folder 'nothing'"),
        ([".", "--schema", "none.ckdb"], "there is no file 'none.ckdb'"),
        (["Sources/.build/empty", "--schema", "s.ckdb"], "there is no Swift file in"),
      ] {
        try FileManager.default.createDirectory(
          atPath: folder + "/Sources/.build/empty", withIntermediateDirectories: true)
        let result = try await ToolProcess.run(["schema", "scan"] + arguments, in: folder)
        #expect(result.code == 2 && result.errors.contains(message), "\(result.errors)")
      }
    }
  }

  @Test("fields that could be end-to-end encrypted, in a schema and in records")
  func protection() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
      let schema = try await ToolProcess.run("schema", "protection", "s.ckdb", in: folder)
      #expect(
        schema.output == """
          s.ckdb: what could be end-to-end encrypted?

          Chat
            photo  ASSET   could be: an asset
            title  STRING  never: a plain value

          Message
            chat    REFERENCE         never: a reference
            number  INT64             never: a plain value
            secret  ENCRYPTED STRING  could be: an encrypted value
            text    STRING            never: a plain value

          Never, in any record: the names of records and zones; record types and the names of \
          fields; system fields: dates, users, change tags, parents and shares.
          No app can know who has Advanced Data Protection turned on.
          It only applies if all participants of a share have it turned on.
          Nothing in the public database is end-to-end encrypted.

          """)
      let json = try await ToolProcess.run("schema", "protection", "s.ckdb", "--json", in: folder)
      #expect(try Samples.json(json.output)["format"] as? String == "recordpack.schema.protection")
    }
  }

  @Test("the JSON on end-to-end encryption is as its JSON Schema says")
  func protectionSchema() async throws {
    try await withFolder { folder in
      try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
      let plain = try await ToolProcess.run("schema", "protection", "s.ckdb", "--json", in: folder)
      let wrong = [
        plain.output.replacing("\"plainValue\"", with: "\"open\""),
        plain.output.replacing("\"possible\":", with: "\"perhaps\":"),
        plain.output.replacing("\"version\":1", with: "\"version\":2"),
      ]
      for text in wrong { #expect(text != plain.output) }
      guard
        let verdicts = try await SchemaValidator.verdicts(
          of: [plain.output] + wrong, by: "recordpack-report-1.schema.json")
      else { return }
      #expect(verdicts == [true] + wrong.map { _ in false })
    }
  }
}
