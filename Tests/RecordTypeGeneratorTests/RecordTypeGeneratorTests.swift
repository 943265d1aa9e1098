import Foundation
import RecordSchema
import TestSupport
import Testing

/// The program that the plugin runs. `Examples/Notes` builds with the plugin itself.
@Suite("What the plugin RecordTypeGenerator runs")
struct RecordTypeGeneratorTests {
  private static let schema = """
    DEFINE SCHEMA
        RECORD TYPE Note (
            title STRING
        );

    """

  private let folder: TestFolder
  private let program: String

  init() throws {
    folder = try TestFolder()
    program = try #require(TestSupport.Place.program("RecordTypeGeneratorTool"))
  }

  /// Runs the program as the plugin does.
  private func generate(_ schema: String, configuration: String? = nil) async throws -> Command {
    let path = try folder.write(Array(schema.utf8), as: "Notes.ckdb")
    let output = folder.path("Notes.ckdb.swift")
    guard let configuration else { return try await Command(program, path, output) }
    return try await Command(
      program, path, output, folder.write(Array(configuration.utf8), as: "config.json"))
  }

  private func generated() throws -> String {
    try String(contentsOfFile: folder.path("Notes.ckdb.swift"), encoding: .utf8)
  }

  @Test("writes what 'recordpack schema generate' writes into one file, and says nothing")
  func writes() async throws {
    let result = try await generate(Self.schema)
    #expect(result.code == 0 && result.output.isEmpty, "\(result.output)")
    let document = SchemaDocument(parsing: Self.schema)
    let text = try generated()
    #expect(text == SwiftSource(document.schema).merged)
  }

  @Test("takes access level and system fields from the configuration")
  func configuration() async throws {
    let result = try await generate(
      Self.schema, configuration: #"{"access": "public", "systemFields": true}"#)
    #expect(result.code == 0, "\(result.output)")
    var options = SwiftSource.Options()
    options.access = .public
    options.hasSystemFields = true
    let document = SchemaDocument(parsing: Self.schema)
    let text = try generated()
    #expect(text == SwiftSource(document.schema, options).merged)
  }

  @Test("leaves a file alone that would be the same, so that it is not compiled again")
  func sameFile() async throws {
    let before = try await generate(Self.schema)
    let file = folder.path("Notes.ckdb.swift")
    let old = Date(timeIntervalSince1970: 1_000_000)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: file)
    let after = try await generate(
      Self.schema.replacing("title STRING", with: "title STRING QUERYABLE"))
    #expect(before.code == 0 && after.code == 0)
    let date = try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
    #expect(date == old)
    let changed = try await generate(Self.schema.replacing("title", with: "text"))
    #expect(changed.code == 0)
    #expect(try generated().contains("var text: String?"))
  }

  @Test("says where a schema is wrong, as the compiler does, and writes nothing")
  func wrongSchema() async throws {
    let result = try await generate(Self.schema.replacing("STRING", with: "STRNG"))
    #expect(result.code == 1)
    let start = folder.path("Notes.ckdb") + ":3:15: error: "
    #expect(result.output.hasPrefix(start), "\(result.output)")
    #expect(result.output.contains("did you mean STRING?"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("Notes.ckdb.swift")))
  }

  @Test("refuses a schema without types of its own")
  func noTypes() async throws {
    let result = try await generate(
      "DEFINE SCHEMA\n    RECORD TYPE \"cloudkit.share\" (a STRING);\n")
    #expect(result.code == 1)
    #expect(result.output.contains(":1:1: error: the schema has no record types"))
  }

  @Test(
    "says what is wrong with a configuration",
    arguments: [
      (#"{"acces": "public"}"#, #"there is no member "acces""#),
      (#"{"access": "open"}"#, #""access" must be one of "internal", "package", "public""#),
      (#"{"systemFields": "yes"}"#, #""systemFields" must be true or false"#),
      ("[1]", "expected a JSON object"), ("{", "expected a JSON object"),
    ])
  func wrongConfiguration(json: String, message: String) async throws {
    let result = try await generate(Self.schema, configuration: json)
    #expect(result.code == 1)
    let start = folder.path("config.json") + ":1:1: error: " + message
    #expect(result.output.hasPrefix(start), "\(result.output)")
  }

  @Test("says which file it cannot read or write, and how it is called")
  func files() async throws {
    let schema = try folder.write(Array(Self.schema.utf8), as: "Notes.ckdb")
    let missing = try await Command(program, folder.path("No.ckdb"), folder.path("out.swift"))
    #expect(missing.code == 1)
    #expect(missing.output.hasPrefix(folder.path("No.ckdb") + ": error: cannot read it"))
    let nowhere = try await Command(program, schema, folder.path("no/out.swift"))
    #expect(nowhere.code == 1)
    #expect(nowhere.output.hasPrefix(folder.path("no/out.swift") + ": error: cannot write it"))
    let usage = try await Command(program, schema)
    #expect(usage.code == 1 && usage.output.hasPrefix("usage: "))
  }
}
