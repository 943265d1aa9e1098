import Foundation
import Testing

/// The scripts that check the pages find planted faults.
@Suite(.enabled("needs Python") { Command.exists("python3") })
struct ScriptTests {
  private static let guide = "Sources/RecordPack/Documentation.docc/Guide.md"
  private static let source = "Sources/RecordPack/Note.swift"

  /// A package without faults, and the scripts.
  private func package(adding faults: [(file: String, text: String)] = []) throws -> TestFolder {
    let folder = try TestFolder()
    var files = [
      "README.md": "# Notes\n\nA page of notes.\n",
      "CONTRIBUTING.md": "# Contribute\n\nA page of notes.\n",
      "ARCHITECTURE.md": "# Modules\n\nA page of notes.\n",
      "Sources/RecordPack/Documentation.docc/RecordPack.md":
        "# ``RecordPack``\n\nKeep data.\n\n- [Guide](Guide.md)\n"
        + "- [`MockCloud`](../../MockCloud/Documentation.docc/MockCloud.md)\n",
      Self.guide: "# Guide\n\nRead this page.\n\n## Part\n\nText.\n",
      Self.source: "/// A note.\npublic struct Note {}\n",
      "Sources/MockCloud/Documentation.docc/MockCloud.md": "# ``MockCloud``\n\nTest an app.\n",
      "Sources/MockCloud/Mock.swift": "/// A mock.\npublic struct Mock {}\n",
    ]
    for script in ["links", "pages.py", "prose", "prose.json"] {
      files["Scripts/\(script)"] = try String(
        contentsOfFile: Place.inPackage("Scripts/\(script)"), encoding: .utf8)
    }
    for fault in faults { files[fault.file, default: ""] += "\n\(fault.text)\n" }
    for (name, text) in files {
      let url = URL(fileURLWithPath: folder.path(name))
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    return folder
  }

  private func run(_ script: String, in folder: TestFolder) async throws -> Command {
    try await Command("python3", folder.path("Scripts/\(script)"))
  }

  @Test("a package without faults passes", arguments: ["links", "prose"])
  func noFaults(script: String) async throws {
    let result = try await run(script, in: package())
    #expect(result.code == 0, "\(result.output)")
  }

  @Test("dead links, lonely and pending pages, and sources without links are found")
  func links() async throws {
    let catalogue = "Sources/RecordPack/Documentation.docc/"
    let faults = [
      (Self.guide, "See <doc:RecordPack>.", "the repository's page shows it as text: <doc:"),
      (Self.guide, "@Metadata {", "the repository's page shows it as text: @Metadata"),
      (Self.guide, "See [it](RecordPack.md#no-such-part).", "no heading: RecordPack.md#no-such"),
      (Self.guide, "See [`Mock`](../Mock.md).", "no file: ../Mock.md"),
      (Self.guide, "See ``/MockCloud/Nothing``.", "no symbol /MockCloud/Nothing"),
      (Self.guide, "See ``/OldCloud``.", "no symbol /OldCloud"),
      (Self.guide, "See [it](Other.md).", "no file: Other.md"),
      ("README.md", "See [it](Gone.md).", "no file: Gone.md"),
      ("README.md", "See [it](#gone).", "no heading: #gone"),
      ("README.md", "[it]: Away.md", "no file: Away.md"),
      (Self.guide, "Source: Apple Developer Forums 123456.", "forums/thread/NUMBER"),
      (Self.guide, "Source: sqlite-data #333.", "a source without a link: sqlite-data #333"),
      (Self.guide, "Source: SomeKit #4.", "a source without a link: SomeKit #4"),
      (Self.guide, "By RFC 4180.", "a source without a link: RFC 4180"),
      (Self.guide, "TODO: the limits.", "a pending page: TODO"),
      ("\(catalogue)Empty.md", "# Empty", "a pending page: it has no summary"),
      (
        "\(catalogue)Lonely.md", "# Lonely\n\nNo page leads here.",
        "Lonely.md:1: no link leads here"
      ),
      (
        "Sources/Other/Documentation.docc/Other.md", "# ``Other``\n\nA module.",
        "Other.md:1: no link leads here"
      ),
    ]
    let result = try await run("links", in: package(adding: faults.map { ($0.0, $0.1) }))
    #expect(result.code == 1)
    for fault in faults {
      #expect(result.output.contains(fault.2), "\(fault.1)\n\(result.output)")
    }
  }

  @Test("long sentences, openings and verbs are counted in pages, comments and texts")
  func prose() async throws {
    let long = "The app " + String(repeating: "saves a record and ", count: 8) + "ends."
    let pages = [
      long, "| a | b |\n|---|---|\n| \(long) | c |", "What the mock does is known.",
      "- Which fields there are.", "```swift\n// What another device fetches.\n```",
      "The server refuses the save.", "All fields but for one are read.",
      "Other than the server, the mock is silent.", "```swift\n// The save is judged here.\n```",
    ]
    let comments = [
      "/// \(long)", "/// - Returns: What was saved.", "/// It works also if it is empty.",
    ]
    let texts = ["let a = \"\(long)\"", "let b = \"the server answered with an error\""]
    let faults =
      pages.map { (Self.guide, $0) } + (comments + texts).map { (Self.source, $0) }
    let result = try await run("prose", in: package(adding: faults))
    #expect(result.code == 1)
    let counts = result.output.split(separator: "\n").map {
      $0.split(separator: " ").prefix(3).joined(separator: " ")
    }
    #expect(
      counts == [
        "long pages 2", "long help 1", "long comments 1", "opening pages 3", "opening help 0",
        "opening comments 1", "verb pages 4", "verb help 1", "verb comments 1",
      ])
  }
}
