import Foundation
import Testing

/// The tutorials, done as they are written: every file of a step is saved under its name, every
/// command is run, and must print what the tutorial shows.
///
/// `RECORDPACK_UPDATE_EXPECTATIONS=1` writes into the tutorials what the commands print.
@Suite(
  .enabled("needs bash, git, and the recordpack tool built") {
    Command.exists("bash") && Command.exists("git") && Place.program("recordpack") != nil
  })
struct TutorialTests {
  static let names = ["TestWithAFixture", "TestASync", "GateASchema", "MigrateAnArchive"]
  static let guides = ["AdoptInACoreDataApp", "AdoptInASQLiteDataApp"]

  @Test("every command prints what the tutorial shows", arguments: names)
  func commands(name: String) async throws {
    let project = try TutorialProject(name)
    try await project.follow(Tutorial(name))
    try await project.checkFixtures()
  }

  @Test(
    "every command of a guide prints what the guide shows",
    arguments: guides)
  func guide(name: String) async throws {
    let guide = try Tutorial(article: "Sources/RecordPack/Documentation.docc/Guides/\(name).md")
    #expect(guide.steps.filter(\.isConsole).count >= 2)
    try await TutorialProject(name).follow(guide)
  }

  @Test("every command of the README prints what the README shows")
  func readme() async throws {
    let project = try TutorialProject("README")
    let schema = try #require(
      try Tutorial("GateASchema").steps.first { $0.name == "CloudKit/schema.ckdb" })
    try project.save(schema)
    // A field is removed on a branch, and `Examples/Tact/circle` has made the container.
    try await project.run(
      "git init -q -b main && git add . && git commit -qm Schema && sed -i.old /order/d \(schema.name)",
      "tact Tact.sqlite")
    try await project.follow(Tutorial(article: "README.md"))
  }

  @Test(
    "the code of every step compiles",
    .enabled("needs the Swift compiler on Linux") { TutorialCompiler.isAvailable },
    arguments: ["TestWithAFixture", "TestASync", "MigrateAnArchive"])
  func code(name: String) async throws {
    let compiler = try TutorialCompiler()
    for step in try Tutorial(name).steps where step.name.hasSuffix(".swift") {
      try await compiler.compile(step)
    }
  }

  @Test("the table of contents lists every tutorial")
  func contents() throws {
    let text = try String(
      contentsOfFile: Tutorial.folder + "/RecordPackTutorials.tutorial", encoding: .utf8)
    let files = try FileManager.default.contentsOfDirectory(atPath: Tutorial.folder)
    for name in Self.names { #expect(text.contains("\"doc:\(name)\"")) }
    #expect(files.filter { $0.hasSuffix(".tutorial") }.count == Self.names.count + 1)
  }

  @Test("every code file belongs to a step", arguments: names)
  func codeFiles(name: String) throws {
    let used = try Set(Tutorial(name).steps.map(\.file))
    let files = try FileManager.default.contentsOfDirectory(atPath: Tutorial.folder + "/" + name)
    #expect(Set(files).subtracting(used).isEmpty)
  }
}
