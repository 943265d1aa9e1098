import Foundation
import RecordPack
import Testing

@Suite("recordpack report")
struct ReportCommandTests {
  private static let schema = "recordpack-container-report-v1.schema.json"

  private func permissions(_ name: String, in folder: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.posixPermissions] as? Int
  }

  @Test("writes a page for its owner only, and replaces none without --force")
  func file() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let written = try await ToolProcess.run(
        "report", "Tact.recordpack", "-o", "r.html", in: folder)
      #expect(written.code == 0, "\(written.errors)")
      #expect(written.output.isEmpty)
      #expect(try permissions("r.html", in: folder) == 0o600)
      let html = String(decoding: try Samples.read("r.html", in: folder), as: UTF8.self)
      #expect(html.hasPrefix("<!DOCTYPE html>"))
      #expect(html.contains("iCloud.com.example.tact"))
      let again = try await ToolProcess.run("report", "Tact.recordpack", "-o", "r.html", in: folder)
      #expect(again.code == 2)
      #expect(again.errors.contains("already exists"))
      let forced = try await ToolProcess.run(
        "report", "Tact.recordpack", "-o", "r.html", "-f", in: folder)
      #expect(forced.code == 0, "\(forced.errors)")
      for toStandardOutput in [[], ["-o", "-"]] {
        let printed = try await ToolProcess.run(
          ["report", "Tact.recordpack"] + toStandardOutput, in: folder)
        #expect(printed.output == html)
      }
      let piped = try await ToolProcess.run(
        "report", "-", "-o", "-", in: folder, input: try Samples.read("Tact.recordpack", in: folder)
      )
      #expect(piped.code == 0, "\(piped.errors)")
      #expect(piped.output == html)
    }
  }

  @Test("has no values, and names only with --show-names")
  func names() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      for source in ["Tact.sqlite", "Tact.recordpack"] {
        for format in [[], ["--json"]] {
          let arguments = ["report", source, "-o", "-"] + format
          let covered = try await ToolProcess.run(arguments, in: folder)
          let named = try await ToolProcess.run(arguments + ["--show-names"], in: folder)
          for value in [Samples.secret, "Hello", "A chat"] {
            #expect(!(covered.output + named.output).contains(value), "\(arguments)")
          }
          for name in ["Chats", "chat-1", source] {
            #expect(!covered.output.contains(name), "\(arguments)")
            #expect(named.output.contains(name), "\(arguments)")
          }
        }
      }
    }
  }

  @Test("counts a selection")
  func selection() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let result = try await ToolProcess.run(
        "report", "Tact.recordpack", "--json", "--type", "Message", in: folder)
      let report = try Samples.json(result.output)
      #expect(report["records"] as? Int == 2)
      #expect(report["whole"] as? Bool == false)
    }
  }

  @Test("writes JSON that its schema describes, and the schema refuses other JSON")
  func json() async throws {
    try await withFolder { folder in
      try await Samples.makeBundle(in: folder)
      let chats = Place.inPackage("Examples/Tact/Tests/Fixtures/Chats.recordpack")
      var documents: [String] = []
      for source in ["Tact.sqlite", "Tact.recordpack", chats] {
        for options in [[], ["--show-names"], ["--type", "Chat"]] {
          let result = try await ToolProcess.run(
            ["report", source, "--json"] + options, in: folder)
          #expect(result.code == 0, "\(result.errors)")
          documents.append(result.output)
        }
      }
      let wrong = documents.map { $0.replacing("\"recordBytes\":", with: "\"bites\":") }
      guard
        let verdicts = try await SchemaValidator.verdicts(of: documents + wrong, by: Self.schema)
      else { return print("skipped: python3-jsonschema is not installed") }
      #expect(verdicts == documents.map { _ in true } + wrong.map { _ in false })
    }
  }

  @Test("is the same twice, and with any number of threads")
  func determinism() async throws {
    try await withFolder { folder in
      let chats = Place.inPackage("Examples/Tact/Tests/Fixtures/Chats.recordpack")
      var pages: [String] = []
      for threads in ["1", "1", "4"] {
        pages.append(
          try await ToolProcess.run(
            ["report", chats, "-o", "-", "--threads", threads], in: folder
          ).output)
      }
      #expect(pages[0].count > 10_000)
      #expect(pages == [pages[0], pages[0], pages[0]])
    }
  }
}
