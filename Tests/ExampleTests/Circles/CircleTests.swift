import Foundation
import RecordPack
import Testing

/// The scripts a newcomer runs first. They go the whole circle themselves, and end with an error
/// where a step fails.
@Suite(
  .enabled("needs bash, and the recordpack tool built") {
    Command.exists("bash") && Place.program("recordpack") != nil
  })
struct CircleTests {
  private func run(_ script: String, _ arguments: String..., in folder: TestFolder) async throws
    -> Command
  {
    let tool = try #require(Place.program("recordpack"))
    let programs = URL(fileURLWithPath: tool).deletingLastPathComponent().path
    let words = ([Place.inPackage(script)] + arguments).map { "'\($0)'" }.joined(separator: " ")
    return try await Command("bash", "-c", words, environment: ["RECORDPACK_BIN": programs])
  }

  @Test("the chat app's container survives export and import, and gives the same bytes again")
  func tact() async throws {
    try #require(Place.program("tact") != nil)
    let folder = try TestFolder()
    let circle = try await run("Examples/Tact/circle", folder.path("files"), in: folder)
    #expect(circle.code == 0, "\(circle.output)")
    #expect(circle.output.contains("equal, and the second bundle has the same bytes"))
    let bundles = try ["tact", "copy"].map {
      try Data(contentsOf: URL(fileURLWithPath: folder.path("files/\($0).recordpack")))
    }
    #expect(bundles[0] == bundles[1])
  }

  @Test("the fixtures of the chat app's tests are those that the script makes")
  func fixtures() async throws {
    let folder = try TestFolder()
    let script = try await run("Examples/Tact/fixtures", folder.path("files"), in: folder)
    #expect(script.code == 0, "\(script.output)")
    for name in ["Chats.recordpack", "LongChat.recordpack"] {
      // The bytes depend on the version of zstd, too.
      let made = try BundleReader(path: folder.path("files/\(name)")).contentHash
      let kept = try BundleReader(path: Place.inPackage("Examples/Tact/Tests/Fixtures/\(name)"))
      #expect(made == kept.contentHash, "\(name)")
    }
  }

  @Test("the fixture of the notes' tests is what its recipe gives")
  func notesFixture() throws {
    let example = Place.inPackage("Examples/Notes")
    func text(_ path: String) throws -> String {
      try String(contentsOfFile: "\(example)/\(path)", encoding: .utf8)
    }
    let schema = try SchemaDocument(parsing: text("Sources/NotesModel/Notes.ckdb")).validSchema()
    let folder = try TestFolder()
    try Generation(schema: schema, recipe: FixtureRecipe(yaml: text("recipe.yaml")), seed: 42)
      .write(to: folder.path("Notes.recordpack"))
    let made = try BundleReader(path: folder.path("Notes.recordpack")).contentHash
    let kept = try BundleReader(path: "\(example)/Tests/NotesTests/Fixtures/Notes.recordpack")
    #expect(made == kept.contentHash)
  }

  @Test("a folder that is not empty is left alone")
  func occupiedFolder() async throws {
    let folder = try TestFolder()
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path("tact.sqlite")))
    let circle = try await run("Examples/Tact/circle", folder.path(""), in: folder)
    #expect(circle.code == 2)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: folder.path("tact.sqlite"))) == Data("mine".utf8))
  }

  @Test(
    "the server's own responses survive export and import, and give the same bytes again",
    .enabled("needs the corpus beside the package") {
      Self.corpus != nil
    })
  func webServices() async throws {
    let folder = try TestFolder()
    let circle = try await run(
      "Examples/WebServices/circle", #require(Self.corpus).path, folder.path("files"), in: folder)
    #expect(circle.code == 0, "\(circle.output)")
    #expect(circle.output.contains("equal, and the second bundle has the same bytes"))
  }

  private static let corpus = Place.corpus("web-services")
}
