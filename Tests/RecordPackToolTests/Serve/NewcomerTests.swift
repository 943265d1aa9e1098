import Foundation
import RecordPack
import Testing

/// The first ten minutes of somebody who has cloned the repository: the first command shows the example,
/// the console opens, a record is edited, and a test sees the change.
@Suite(
  .enabled("git, bash, curl, a repository and the example's program are needed") {
    ["git", "bash", "curl"].allSatisfy(Command.exists) && Place.program("tact") != nil
      && FileManager.default.fileExists(atPath: Place.inPackage(".git"))
  })
struct NewcomerTests {
  @Test func `a newcomer edits a record of the example, and sees it in a test`() async throws {
    let folder = try TestFolder()
    let clone = folder.path("RecordPack")
    let cloned = try await Command(
      "git", "clone", "-q", "--depth", "1", "file://" + Place.inPackage("."), clone,
      // The package may be of another user, as in a container of CI.
      environment: [
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
      ])
    try #require(cloned.code == 0, "\(cloned.output)")

    // The README's first command, without its build.
    let tool = try #require(Place.program("recordpack"))
    let programs = URL(fileURLWithPath: tool).deletingLastPathComponent().path
    let first = try await Command(
      "bash", "\(clone)/Examples/Tact/circle", environment: ["RECORDPACK_BIN": programs])
    #expect(first.code == 0, "\(first.output)")
    let container = try await ToolProcess.list(
      "\(clone)/.build/circle/tact.sqlite", in: folder.path)
    #expect(container.output.contains("Share-chat-1"), "\(container.errors)")

    let example = "\(clone)/Examples/Notes/Tests/NotesTests/Fixtures/Notes.recordpack"
    let listed = try await ToolProcess.list(example, in: folder.path)
    #expect(listed.output.contains("note-01"), "\(listed.errors)")

    let server = try await ServeProcess([example, "--output", "Edited.recordpack"], in: folder)
    func open(_ link: String) async throws -> String {
      let address = link.hasPrefix("/") ? server.address + link : link
      return try await Command("curl", "-sS", "--max-time", "20", address).output
    }
    let overview = try await open("/")
    let records = try await open(try link("<bdi>Note</bdi>", in: overview))
    let record = try await open(try link("<bdi>note-01</bdi>", in: records))
    let form = try await open(try link("Edit", in: record))
    #expect(form.contains("<legend><bdi>title</bdi>"), "\(form)")

    // The inputs that a browser sends back, and another title.
    let action = try #require(form.firstMatch(of: #/<form method="post" action="([^"]*)"/#)?.1)
    var inputs = form.matches(of: #/<input type="hidden" name="([^"]*)" value="([^"]*)">/#)
      .map { "\($0.1)=\($0.2)" }
    inputs += ["f/title/0/text=Edited in the console", "step=save"]
    for name in ["body", "folder", "attachment", "tags"] where form.contains("f/\(name)/opened") {
      inputs.removeAll { $0.hasPrefix("f/\(name)/") }
    }
    let fields = inputs.firstIndex { $0.hasPrefix("fields=") }
    inputs[try #require(fields)] = "fields=title"
    let result = try await Command(
      ["curl", "-sS", "-L", "--max-time", "20", "-H", "Origin: \(server.address)"]
        + inputs.flatMap { ["--form-string", $0] } + ["\(server.address)\(action)"]
    ).output
    #expect(result.contains("Saved."), "\(result)")
    let request = try await open(try link("Request and response", in: result))
    #expect(request.contains("record[&quot;title&quot;] = &quot;Edited in the console&quot;"))
    #expect(await server.stop(SIGINT).code == 0)

    // Their first test.
    let store = try ContainerStore.inMemory()
    try Archiver().importBundle(
      BundleReader(path: folder.path("Edited.recordpack")), into: store)
    let zoneID = ZoneID(zoneName: "Notes")
    let note = try await MockContainer(store).privateCloudDatabase.record(
      for: RecordID(recordName: "note-01", zoneID: zoneID))
    #expect(note["title"] == "Edited in the console")
  }

  /// Returns the address of the link with a text.
  private func link(_ text: String, in page: String) throws -> String {
    let before = try #require(page.components(separatedBy: "\">\(text)</a>").first)
    let address = try #require(before.components(separatedBy: "href=\"").last)
    try #require(before.count < page.count, "no link '\(text)' in \(page)")
    return address.replacing("&amp;", with: "&")
  }
}
