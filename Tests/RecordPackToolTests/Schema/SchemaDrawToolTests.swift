import Foundation
import TestSupport
import Testing

@Suite("recordpack schema draw")
struct SchemaDrawToolTests {
  @Test("draws a schema by its names, to standard output or a file that is not overwritten")
  func schema() async throws {
    try await withFolder { folder in
      try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
      let shown = try await ToolProcess.run("schema", "draw", "s.ckdb", in: folder)
      #expect(shown.code == 0 && shown.errors.isEmpty)
      #expect(shown.output.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
      #expect(shown.output.contains("<title>The record types of s.ckdb</title>"))
      #expect(shown.output.contains("<title>Message.chat → Chat, guessed by its name</title>"))
      let draw = ["schema", "draw", "s.ckdb", "-o", "s.svg"]
      let written = try await ToolProcess.run(draw, in: folder)
      #expect(written.code == 0 && written.output.isEmpty)
      let file = String(decoding: try Samples.read("s.svg", in: folder), as: UTF8.self)
      #expect(file == shown.output)
      let again = try await ToolProcess.run(draw, in: folder)
      #expect(again.code == 2 && again.errors.contains("--force"))
      #expect(try await ToolProcess.run(draw + ["--force"], in: folder).code == 0)
    }
  }

  @Test("a container or bundle gives the schema, and what its records refer to")
  func records() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      for source in ["Tact.sqlite", "Tact.recordpack"] {
        let own = try await ToolProcess.run(
          "schema", "draw", source, "--format", "mermaid", in: folder)
        #expect(own.code == 0, "\(own.errors)")
        #expect(own.output.contains("t1[\"Message (2)\"]"))
        #expect(own.output.contains("t1 }o--o| t0 : \"chat\""), "\(own.output)")
      }
      try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
      let guessed = try await ToolProcess.run(
        "schema", "draw", "s.ckdb", "--format", "mermaid", in: folder)
      #expect(guessed.output.contains("t1 }o..o| t0 : \"chat\""))
      let counted = try await ToolProcess.run(
        "schema", "draw", "s.ckdb", "--records", "Tact.recordpack", "--format", "mermaid",
        in: folder)
      #expect(counted.output.contains("t1 }o--o| t0 : \"chat\""))
    }
  }

  @Test("JSON says what refers to what, and how that is known")
  func json() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
      let counted = try await ToolProcess.run(
        "schema", "draw", "Tact.recordpack", "--json", in: folder)
      #expect(counted.output.hasSuffix("}\n"))
      #expect(counted.output.hasPrefix(#"{"format":"recordpack.schema-draw","version":1,"#))
      #expect(counted.output.contains(#"{"name":"Message","records":2}"#))
      #expect(
        counted.output.contains(
          #"{"recordType":"Message","place":"field","field":"chat","target":"Chat","#
            + #""basis":"records","records":"#), "\(counted.output)")
      let guessed = try await ToolProcess.run(
        "schema", "draw", "s.ckdb", "--json", "-o", "s.json", in: folder)
      #expect(guessed.code == 0 && guessed.output.isEmpty)
      let file = String(decoding: try Samples.read("s.json", in: folder), as: UTF8.self)
      #expect(
        file.contains(
          #"{"recordType":"Message","place":"field","field":"chat","target":"Chat","basis":"name"}"#
        ), "\(file)")
      #expect(file.contains(#"{"name":"Chat"}"#))
    }
  }

  @Test("JSON has a pair of inverse relationships once, with both names")
  func inverses() async throws {
    try await withFolder { folder in
      let code = """
        @Model class Person { var passport: Passport? }
        @Model class Passport { @Relationship(inverse: \\Person.passport) var owner: Person? }
        """
      try Samples.write(Data(code.utf8), "Models.swift", in: folder)
      let result = try await ToolProcess.run("schema", "draw", "Models.swift", "--json", in: folder)
      #expect(result.code == 0, "\(result.errors)")
      #expect(
        result.output.contains(
          #""references":[{"recordType":"CD_Passport","place":"field","field":"CD_owner","#
            + #""target":"CD_Person","inverse":"CD_passport","basis":"model"}]"#),
        "\(result.output)")
    }
  }

  @Test("only the chosen types are drawn, and those that are a number of references away")
  func types() async throws {
    try await withFolder { folder in
      try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
      func boxes(_ arguments: String...) async throws -> [String] {
        let result = try await ToolProcess.run(
          ["schema", "draw", "s.ckdb", "--format", "mermaid"] + arguments, in: folder)
        #expect(result.code == 0, "\(result.errors)")
        return result.output.components(separatedBy: "[\"").dropFirst()
          .map { String($0.prefix { $0 != "\"" }) }
      }
      #expect(try await boxes() == ["Chat", "Message"])
      #expect(try await boxes("--type", "Mess*") == ["Message"])
      #expect(try await boxes("--type", "Message", "--neighbours", "1") == ["Chat", "Message"])
      let unknown = try await ToolProcess.run(
        "schema", "draw", "s.ckdb", "--type", "Msg", in: folder)
      #expect(unknown.code == 2)
      #expect(unknown.errors.contains("no record type 'Msg'; available: Chat, Message"))
    }
  }

  @Test("wrong use, and schemas with nothing to draw, are exit code 2")
  func refused() async throws {
    try await withFolder { folder in
      try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
      try Samples.write(Data("DEFINE SCHEMA".utf8), "empty.ckdb", in: folder)
      let users = "DEFINE SCHEMA RECORD TYPE Users (roles LIST<INT64>);"
      try Samples.write(Data(users.utf8), "users.ckdb", in: folder)
      for (line, message) in [
        ("s.ckdb --neighbours 1", "--neighbours does not apply without --type"),
        ("s.ckdb --type Chat --neighbours -1", "must be from 0 to 1000, not -1"),
        ("s.ckdb --type Chat --neighbours 9999", "must be from 0 to 1000"),
        ("s.ckdb --quiet", "--quiet does not apply without records"),
        ("s.ckdb --force", "--force does not apply to standard output"),
        ("s.ckdb --format png", "png"),
        ("s.ckdb --json --format svg", "--format does not apply with --json"),
        ("- --records -", "standard input (-) can be read only once"),
        ("none.ckdb", "there is no file 'none.ckdb'"),
        ("s.ckdb --records none.recordpack", "none.recordpack"),
        ("s.ckdb --records s.ckdb", "s.ckdb"),
        ("s.ckdb -o s.ckdb --force", "'s.ckdb' is an input file"),
        ("empty.ckdb", "the schema defines no record type"),
        ("users.ckdb", "no record types but those that every container has"),
      ] {
        let result = try await ToolProcess.run(line: "schema draw " + line, in: folder)
        #expect(result.code == 2, "\(line): \(result.output)")
        #expect(result.errors.contains(message), "\(line): \(result.errors)")
      }
      #expect(try Samples.read("s.ckdb", in: folder) == Data(Samples.schema.utf8))
    }
  }

  @Test("reports on schemas are pages that need no other file")
  func pages() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      try Samples.write(Data(Samples.schema.utf8), "s.ckdb", in: folder)
      let changed = Samples.schema.replacingOccurrences(of: "title STRING", with: "name STRING")
      try Samples.write(Data(changed.utf8), "new.ckdb", in: folder)
      func page(_ line: String, _ code: Int32) async throws -> String {
        let result = try await ToolProcess.run(line: line + " --format html", in: folder)
        #expect(result.code == code, "\(line): \(result.errors)")
        #expect(result.output.hasPrefix("<!DOCTYPE html>"), "\(line)")
        #expect(!result.output.contains("<script") && !result.output.contains(" src="))
        return result.output
      }
      let diff = try await page("schema diff s.ckdb new.ckdb", 1)
      #expect(diff.contains("<strong>No.</strong>") && diff.contains("FIELD_REMOVED"))
      #expect(diff.contains("class=\"edge guess\""))
      let counted = try await page("schema diff s.ckdb new.ckdb --records Tact.sqlite", 1)
      #expect(counted.contains("Message.chat → Chat, in 2 records"))
      #expect(try await page("schema validate s.ckdb", 0).contains("<strong>Yes.</strong>"))
      #expect(
        try await page("validate Tact.sqlite --schema new.ckdb", 1).contains("RECORD_FIELD_UNKNOWN")
      )
      let deployed = try await page("schema deploy s.ckdb Production.sqlite --create", 0)
      #expect(deployed.contains("class=\"type added\""))
      let both = try await ToolProcess.run(
        line: "schema diff s.ckdb s.ckdb --json --format html", in: folder)
      #expect(both.code == 2 && both.errors.contains("--format does not apply with --json"))
      let coloured = try await ToolProcess.run(
        line: "schema diff s.ckdb s.ckdb --color always --format html", in: folder)
      #expect(coloured.code == 2)
    }
  }
}
