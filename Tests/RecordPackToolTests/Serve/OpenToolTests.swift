import Foundation
import Testing

/// `recordpack open` as a process, and the page of `serve`, asked by curl.
@Suite(.enabled(if: Command.exists("curl"), "curl is not installed"))
struct OpenToolTests {
  /// Opens a source, and runs commands with its address in `$address`.
  private func open(
    _ source: String, _ script: String, in folder: TestFolder
  ) async throws -> ToolProcess.Result {
    try await ToolProcess.shell(
      """
      recordpack open \(source) --json > opened.json & tool=$!
      for i in $(seq 600); do grep -q address opened.json && break; sleep 0.05; done
      address=$(sed 's/.*"address":"\\([^"]*\\)".*/\\1/' opened.json)
      \(script)
      kill -TERM $tool; wait $tool; echo "code $?"
      """, in: folder.path)
  }

  @Test(arguments: ["C.recordpack", "C.sqlite"])
  func `a bundle and a container are shown, and not changed`(source: String) async throws {
    let folder = try TestFolder()
    try await ServeToolTests.bundle(in: folder)
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.path(source)))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).count
    let result = try await open(
      source,
      """
      curl -sS "$address/" | grep -c '<bdi>Note</bdi>'
      curl -sSD - "$address/page/-/-/search?text=n" | grep -c 'name=n.$'
      curl -sS -d '{}' "$address/database/1/iCloud.app/development/private/zones/list?ckAPIToken=t"; echo
      curl -sS -o none -w '%{http_code}\\n' -X POST "$address/page/-/-/actions/reset"
      rm none opened.json
      """, in: folder)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 5, "\(result.output) \(result.errors)")
    #expect(lines.first == "1")
    #expect(lines.dropFirst().first == "1")
    #expect(lines.dropFirst(2).first?.contains("NOT_FOUND") == true)
    #expect(lines.suffix(2) == ["404", "code 0"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path(source))) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == files)
  }

  @Test func `what is no source is refused`() async throws {
    let folder = try TestFolder()
    try Data("text".utf8).write(to: URL(fileURLWithPath: folder.path("a.txt")))
    for arguments in [["none.sqlite"], ["a.txt"], [], ["a", "b"], ["a.txt", "--port", "x"]] {
      let result = try await ToolProcess.run(["open"] + arguments, in: folder.path)
      #expect(result.code == 2)
      #expect(!result.errors.isEmpty)
    }
  }

  @Test func `serve shows its page to this machine only, unless told otherwise`() async throws {
    for (arguments, hasPage) in [
      ([], true), (["--no-page"], false), (["--host", "0.0.0.0"], false),
      (["--host", "0.0.0.0", "--page"], true),
    ] {
      let server = try await ServeProcess(arguments, in: try TestFolder())
      let port = server.address.split(separator: ":").last.map(String.init) ?? ""
      let page = try await Command("curl", "-sS", "http://127.0.0.1:\(port)/").output
      #expect(page.contains("<bdi>Overview</bdi></h1>") == hasPage)
      #expect(page.contains("NOT_FOUND") != hasPage)
      #expect(await server.stop(SIGTERM).code == 0)
    }
  }
}
