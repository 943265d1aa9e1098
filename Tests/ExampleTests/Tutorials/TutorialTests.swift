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
    let guide = try Tutorial("Sources/RecordPack/Documentation.docc/Guides/\(name).md")
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
    try await project.follow(Tutorial("README.md"))
  }

  @Test(
    "the code of every step compiles",
    .enabled("needs the Swift compiler on Linux") { TutorialCompiler.isAvailable },
    arguments: TestAmount.of(["TestASync", "TestWithAFixture", "MigrateAnArchive"], oneIn: 3))
  func code(name: String) async throws {
    let compiler = try TutorialCompiler()
    for step in try Tutorial(name).steps where step.name.hasSuffix(".swift") {
      try await compiler.compile(step)
    }
  }

  @Test("the first page of the tutorials leads to every tutorial")
  func contents() throws {
    let folder = Place.inPackage(Tutorial.folder)
    let text = try String(contentsOfFile: folder + "/FirstTasks.md", encoding: .utf8)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    for name in Self.names { #expect(text.contains("](\(name).md)")) }
    #expect(files.filter { $0.hasSuffix(".md") }.count == Self.names.count + 1)
  }

  @Test("the compiled files are those of the last steps")
  func compiledFiles() throws {
    let steps = try Self.names.flatMap { try Tutorial($0).steps }
    let last = Dictionary(steps.map { ($0.name, $0.text) }) { $1 }
    let places = ["TodoApp": "Sources/TodoApp", "TodoAppTests": "Tests/TodoAppTests"]
    for (folder, place) in places {
      let path = Place.inPackage("Tests/Tutorials/\(folder)")
      let files = try FileManager.default.contentsOfDirectory(atPath: path)
        .filter { $0.hasSuffix(".swift") }
      #expect(files.count >= 2)
      for file in files {
        let text = try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
        #expect(last["\(place)/\(file)"] == text, "\(file)")
      }
    }
  }
}
