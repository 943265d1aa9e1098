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
    for script in ["catalogue", "links", "pages.py", "prose", "prose.json"] {
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
      (
        Self.guide, "See [`Gone.now()`](../../MockCloud/Documentation.docc/MockCloud.md).",
        "no symbol MockCloud/Gone/now"
      ),
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

  @Test("the headings of an article are found by the filter of the navigation")
  func siteStart() async throws {
    let folder = try TestFolder()
    let page = """
      {"identifier": {"url": "doc://RecordPack"}, "abstract": [], "references": {},
       "topicSections": [], "primaryContentSections": [{"kind": "content", "content": [
         {"type": "heading", "level": 2, "text": "Overview", "anchor": "Overview"},
         {"type": "heading", "level": 3, "text": "A full `quota`", "anchor": "A-full-quota"}]}]}
      """
    let index = """
      {"interfaceLanguages": {"swift": [{"title": "RecordPack", "type": "module", "children": [
        {"title": "RecordPack", "type": "module", "path": "/documentation/recordpack", "children": [
          {"title": "Guide", "type": "article", "path": "/documentation/guide"}]}]}]}}
      """
    let files = [
      "data/documentation.json": page, "data/documentation/recordpack.json": page,
      "data/documentation/guide.json": page, "index/index.json": index,
    ]
    for (name, text) in files {
      let url = URL(fileURLWithPath: folder.path(name))
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    let result = try await Command("python3", Place.inPackage("Scripts/site-start"), folder.path)
    #expect(result.code == 0, "\(result.output)")
    let found = try String(contentsOfFile: folder.path("index/index.json"), encoding: .utf8)
    #expect(found.contains(#""title": "A full quota", "type": "article", "path""#))
    #expect(found.contains("/documentation/guide#A-full-quota"))
    #expect(!found.contains("Overview"))
  }

  @Test("the notes of a release say what is stable, with links that a release's page follows")
  func releaseNotes() async throws {
    let version = try String(
      contentsOfFile: Place.inPackage("Sources/RecordPackTool/Version.swift"), encoding: .utf8)
    let number = try #require(version.firstMatch(of: /= "(.+)"/)).1
    let notes = try await Command(Place.inPackage(".github/release-notes"), "v\(number)")
    #expect(notes.code == 0, "\(notes.output)")
    #expect(notes.output.contains("### Stable") && notes.output.contains("### May change"))
    #expect(
      notes.output.contains("](https://github.com/OWNER/RecordPack/blob/v\(number)/README.md)"))
    #expect(!notes.output.contains(/\]\((?!https)/))
  }

  @Test("links of the repository's page become those of the site, and options keep their hyphens")
  func catalogue() async throws {
    let mock = "../../MockCloud/Documentation.docc/MockCloud.md"
    let text = """
      [RecordPack](RecordPack.md), [it](#part), [`Mock.run(_:)`](\(mock)), `code`,
      [`MockCloud`](\(mock)), [file](../Note.swift) and `[code](Guide.md)`.
      `Code of
      two lines`: [`Mock.speed`](\(mock)), [Rules](../../MockCloud/Documentation.docc/Rules.md#rules).

          print --write

      Run `a --b`, and print --write (--json).

      ### `speed`
      """
    let folder = try package(adding: [
      (Self.guide, text),
      ("Sources/MockCloud/Documentation.docc/Rules.md", "# The rules\n\nRead.\n\n## Rules\n\nOne."),
      ("Sources/MockCloud/Mock.swift", "enum Speed {}"),
    ])
    let result = try await Command(
      "python3", folder.path("Scripts/catalogue"), "RecordPack", folder.path("out"))
    #expect(result.code == 0, "\(result.output)")
    let page = try String(contentsOfFile: folder.path("out/Guide.md"), encoding: .utf8)
    #expect(
      page.contains(
        """
        ``/RecordPack``, [it](<doc:Guide#Part>), ``/MockCloud/Mock/run(_:)``, `code`,
        ``/MockCloud``, file and `[code](Guide.md)`.
        `Code of
        two lines`: ``/MockCloud/Mock/speed-swift.property``, [Rules](<doc:/MockCloud/Rules>).

            print --write

        Run `a --b`, and print \\--write (\\--json).

        ### speed
        """), "\(page)")
  }
}
