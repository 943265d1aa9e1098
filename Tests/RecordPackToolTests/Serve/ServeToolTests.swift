import Foundation
import Testing

/// `recordpack serve` as a process, asked by curl.
@Suite(.enabled(if: Command.exists("curl"), "curl is not installed"))
struct ServeToolTests {
  @Test func `a container is served in place`() async throws {
    let folder = try TestFolder()
    let bundle = try await Self.bundle(in: folder)
    let made = try await ToolProcess.run("import", bundle, "Served.sqlite", in: folder.path)
    #expect(made.code == 0)
    let server = try await ServeProcess(["Served.sqlite"], in: folder)
    let saved = try await server.post("records/modify", Self.create("a"))
    #expect(saved.contains(#""recordName":"a""#))
    let result = await server.stop(SIGTERM)
    #expect(result.code == 0)
    #expect(result.errors.isEmpty)
    let listed = try await ToolProcess.list("Served.sqlite", in: folder.path)
    #expect(listed.output.contains("\tNote\ta\n"))
    let verified = try await ToolProcess.run("verify", "Served.sqlite", in: folder.path)
    #expect(verified.code == 0)
  }

  @Test func `a signal ends a server that makes an index, and its file is whole`() async throws {
    let folder = try TestFolder()
    try LargeContainer.make(at: folder.path("a.sqlite"))
    let server = try await ServeProcess(["a.sqlite"], in: folder)
    let page = server.address + "/page/iCloud.com.example.notes/development/search?text=word"
    let made = try await Command("curl", "-sS", "--max-time", "60", page)
    #expect(made.output.contains("3 indexes") || made.output.contains("The first 100 records"))
    let result = await server.stop(SIGTERM)
    #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(left == ["a.sqlite", "ready"])
    let verified = try await ToolProcess.run("verify", "a.sqlite", in: folder.path)
    #expect(verified.code == 0, "\(verified.errors)")
  }

  @Test func `a bundle is served as a container that is thrown away, or saved`() async throws {
    let folder = try TestFolder()
    let bundle = try await Self.bundle(in: folder)
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.path(bundle)))
    let server = try await ServeProcess([bundle, "--output", "Out.recordpack"], in: folder)
    _ = try await server.post("records/modify", Self.create("a"))
    let result = await server.stop(SIGINT)
    #expect(result.code == 0)
    #expect(result.errors.isEmpty)
    let after = try Data(contentsOf: URL(fileURLWithPath: folder.path(bundle)))
    #expect(after == before)
    let listed = try await ToolProcess.list("Out.recordpack", in: folder.path)
    #expect(listed.output.contains("Note"))
    // A second time, what is there is not replaced.
    let refused = try await ToolProcess.run(
      "serve", bundle, "--port", "0", "--output", "Out.recordpack", in: folder.path)
    #expect(refused.code == 2)
    #expect(refused.errors.contains("'Out.recordpack' already exists; use --force to replace it"))
  }

  @Test func `an empty container is served under any identifier, and requests are logged`()
    async throws
  {
    let folder = try TestFolder()
    let server = try await ServeProcess(["--request-log", "log.jsonl"], in: folder)
    let saved = try await server.post("records/modify", Self.create("a"))
    #expect(saved.contains(#""recordName":"a""#))
    let wrong = try await server.post("zones/none", "{}")
    #expect(wrong.contains("NOT_FOUND"))
    #expect(await server.stop(SIGINT).code == 0)
    let log = try String(contentsOfFile: folder.path("log.jsonl"), encoding: .utf8)
    let lines = log.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].contains(#""status":200"#))
    #expect(lines[1].contains(#""serverErrorCode":"NOT_FOUND""#))
    #expect(!log.contains("ckAPIToken"))
  }

  @Test(arguments: [
    ["--port", "99999"], ["--port", "x"], ["none.sqlite"], ["--output", "-"], ["--force"],
    ["--user-token", "a"], ["--server-key", "k=none.pem"], ["--host", "nowhere"], ["--user", "=a"],
    ["--allow-scheme", "http://"], ["--allow-scheme", "https"],
    ["--user", "__defaultOwner__"],
    ["a", "b", "--output", "c"], ["--ready-file", "none/ready"], ["--output", "none/c"],
    ["--output", "."],
  ])
  func `wrong usage is an error, and nothing is served`(arguments: [String]) async throws {
    let folder = try TestFolder()
    let result = try await ToolProcess.run(["serve", "--port", "0"] + arguments, in: folder.path)
    #expect(result.code == 2)
    #expect(!result.errors.isEmpty)
    #expect(result.output.isEmpty)
  }

  @Test func `a command runs with the address in its environment, and gives its exit code`()
    async throws
  {
    let folder = try TestFolder()
    let bundle = try await Self.bundle(in: folder)
    let program = """
      url=$RECORDPACK_ADDRESS/database/1/iCloud.test/development/private/records/modify
      curl -sf "$url?ckAPIToken=a&ckWebAuthToken=__defaultOwner__" -d '\(Self.create("a"))' \\
        | grep -o '"recordName":"a"'; echo "$1"; exit 3
      """
    let result = try await ToolProcess.run(
      "serve", bundle, "--output", "Out.recordpack", "--", "sh", "-c", program, "sh", "-v",
      in: folder.path)
    #expect(result.code == 3, "\(result.errors)")
    #expect(result.errors == "")
    #expect(result.output == "\"recordName\":\"a\"\n-v\n")
    let listed = try await ToolProcess.list("Out.recordpack", in: folder.path)
    #expect(listed.output.contains("\tNote\ta\n"))
  }

  @Test func `a command that fails to start, or that a signal ends, ends the server`() async throws
  {
    let folder = try TestFolder()
    let missing = try await ToolProcess.run("serve", "--", "no-such-program", in: folder.path)
    #expect(missing.code == 2)
    #expect(missing.errors.contains("cannot run 'no-such-program'"))
    let killed = try await ToolProcess.run("serve", "--", "sh", "-c", "kill -9 $$", in: folder.path)
    #expect(killed.code == 128 + SIGKILL)
    #expect(killed.errors == "")
    let json = try await ToolProcess.run("serve", "--json", "--", "true", in: folder.path)
    #expect(json.code == 2)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal reaches the command, and the server answers until the command ends`(
    signal: Int32
  ) async throws {
    let folder = try TestFolder()
    let program = """
      trap 'curl -sf -o /dev/null "$RECORDPACK_ADDRESS/" && echo served; exit 5' INT TERM
      echo > started; while :; do sleep 0.05; done
      """
    let tool = ToolProcess(["serve", "--", "sh", "-c", program], in: folder.path)
    try tool.start()
    for _ in 0..<1_000 where !FileManager.default.fileExists(atPath: folder.path("started")) {
      try await Task.sleep(for: .seconds(0.01))
    }
    kill(tool.process.processIdentifier, signal)
    let result = await tool.finish()
    #expect(result.code == 5, "\(result.errors)")
    #expect(result.output == "served\n")
  }

  @Test func `two containers with one address are refused`() async throws {
    let folder = try TestFolder()
    let bundle = try await Self.bundle(in: folder)
    let result = try await ToolProcess.run("serve", bundle, bundle, "--port", "0", in: folder.path)
    #expect(result.code == 2)
    #expect(result.errors.contains("their address would be the same"))
  }

  @Test func `a port in use is an error`() async throws {
    let folder = try TestFolder()
    let server = try await ServeProcess([], in: folder)
    let port = server.address.split(separator: ":").last.map(String.init) ?? ""
    let result = try await ToolProcess.run("serve", "--port", port, in: folder.path)
    #expect(result.code == 2)
    #expect(result.errors.contains("cannot listen on 127.0.0.1, port \(port): the port is in use"))
    let nowhere = try await ToolProcess.run("serve", "--host", "nowhere", in: folder.path)
    #expect(nowhere.errors.contains("'nowhere' is not an IP address"))
    _ = await server.stop(SIGTERM)
  }

  @Test func `tokens are those that are given`() async throws {
    let folder = try TestFolder()
    let server = try await ServeProcess(
      ["--api-token", "right", "--user-token", "secret=__defaultOwner__"], in: folder)
    let wrong = try await server.post("zones/list", "{}")
    #expect(wrong.contains("AUTHENTICATION_FAILED"))
    let right = try await server.post(
      "zones/list", "{}", "?ckAPIToken=right&ckWebAuthToken=secret")
    #expect(right.contains("_defaultZone"))
    _ = await server.stop(SIGTERM)
  }

  @Test func `a damaged record is an error of its own`() async throws {
    let folder = try TestFolder()
    let response =
      #"{"records":[{"recordName":"a","recordType":"Note","fields":{"t":{"value":"x"}}},{"recordName":"b","recordType":"Note","fields":{"t":{"value":"y"}}}]}"#
    try Data(response.utf8).write(to: URL(fileURLWithPath: folder.path("r.json")))
    let made = try await ToolProcess.run(
      "import", "--from", "web-services", "r.json", "C.sqlite", in: folder.path)
    try #require(made.code == 0, "\(made.errors)")
    // One letter of the first record changes, as on a bad disk.
    let damage = """
      import sqlite3
      db = sqlite3.connect("C.sqlite")
      text = db.execute("SELECT json FROM record WHERE id = 1").fetchone()[0]
      text = text if isinstance(text, bytes) else text.encode()
      db.execute("UPDATE record SET json = ? WHERE id = 1", (text.replace(b'"x"', b'"z"'),))
      db.commit()
      """
    try Data(damage.utf8).write(to: URL(fileURLWithPath: folder.path("damage.py")))
    let damaged = try await ToolProcess.shell("python3 damage.py", in: folder.path)
    try #require(damaged.code == 0, "\(damaged.errors)")
    let server = try await ServeProcess(["C.sqlite"], in: folder)
    let found = try await server.post(
      "records/lookup", #"{"records":[{"recordName":"a"},{"recordName":"b"}]}"#)
    #expect(found.contains(#""serverErrorCode":"INTERNAL_ERROR""#), "\(found)")
    #expect(found.contains(#""value":"y""#), "\(found)")
    _ = await server.stop(SIGTERM)
  }

  @Test func `users of the options are known, and reach either loopback address`() async throws {
    let folder = try TestFolder()
    let server = try await ServeProcess(
      ["--user", "_anna", "--user", "_kenji=kenji@example.com", "--user-token", "t=_eve"],
      in: folder)
    let port = server.address.split(separator: ":").last ?? ""
    let path = "/database/1/iCloud.com.example/development/public/users/"
    for host in ["127.0.0.1", "localhost", "[::1]"] {
      let url = "http://\(host):\(port)\(path)"
      let caller = try await Command("curl", "-gsS", url + "caller?ckAPIToken=t&ckWebAuthToken=t")
      // A machine may have no IPv6.
      if host == "[::1]", caller.code != 0 { continue }
      #expect(caller.output.contains(#""userRecordName":"_eve""#), "\(caller.output)")
      let found = try await Command(
        "curl", "-gsS", url + "discover?ckAPIToken=t&ckWebAuthToken=t",
        "-d", #"{"lookupInfos":[{"emailAddress":"kenji@example.com"}]}"#)
      #expect(found.output.contains(#""userRecordName":"_kenji""#), "\(found.output)")
    }
    #expect(await server.stop(SIGTERM).code == 0)
  }

  @Test func `tests reset a bundle, take a snapshot, and cut connections`() async throws {
    let folder = try TestFolder()
    let closed = try await ServeProcess([], in: folder)
    let none = try await Command("curl", "-sS", "-X", "POST", closed.address + "/admin/reset")
    #expect(none.output.contains("NOT_FOUND"))
    _ = await closed.stop(SIGTERM)
    let other = try TestFolder()
    let bundle = try await Self.bundle(in: other)
    let server = try await ServeProcess([bundle, "--admin"], in: other)
    let admin = server.address + "/admin/"
    _ = try await server.post("records/modify", Self.create("a"))
    let snapshot = other.path("now.recordpack")
    try await Command("curl", "-sS", "-X", "POST", admin + "snapshot", "-o", snapshot)
    let listed = try await ToolProcess.list("now.recordpack", in: other.path)
    #expect(listed.output.split(separator: "\n").count == 2)
    try await Command("curl", "-sS", "-X", "POST", admin + "reset")
    let lookup = #"{"records":[{"recordName":"n"},{"recordName":"a"}]}"#
    let found = try await server.post("records/lookup", lookup)
    #expect(found.contains(#""recordType":"Note""#))
    #expect(found.contains(#""recordName":"a","reason""#))
    try await Command("curl", "-sS", admin + "faults", "-d", #"{"cut":true,"times":1}"#)
    let cut = try await server.post("records/lookup", lookup)
    #expect(cut.contains("Empty reply"))
    let after = try await server.post("records/lookup", lookup)
    #expect(after == found)
    #expect(await server.stop(SIGTERM).code == 0)
  }

  // MARK: Data

  private static func create(_ name: String) -> String {
    #"{"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"\#(name)"}}]}"#
  }

  /// Makes a bundle with one record.
  @discardableResult
  static func bundle(in folder: TestFolder) async throws -> String {
    let response = #"{"records":[{"recordName":"n","recordType":"Note","fields":{}}]}"#
    try Data(response.utf8).write(to: URL(fileURLWithPath: folder.path("response.json")))
    let made = try await ToolProcess.shell(
      "recordpack import --from web-services response.json C.sqlite "
        + "&& recordpack export C.sqlite -o C.recordpack", in: folder.path)
    try #require(made.code == 0, "\(made.errors)")
    return "C.recordpack"
  }
}

/// A server that runs until it is stopped.
final class ServeProcess {
  let address: String
  private let tool: ToolProcess

  init(_ arguments: [String], in folder: TestFolder) async throws {
    tool = ToolProcess(
      ["serve", "--port", "0", "--ready-file", "ready"] + arguments, in: folder.path)
    try tool.start()
    let file = folder.path("ready")
    for _ in 0..<600 where !FileManager.default.fileExists(atPath: file) && tool.process.isRunning {
      try await Task.sleep(for: .seconds(0.05))
    }
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      tool.process.terminate()
      let result = await tool.finish()
      Issue.record("the server did not start: \(result.errors)")
      throw CancellationError()
    }
    address = text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  deinit { if tool.process.isRunning { tool.process.terminate() } }

  /// Sends a request with curl, and returns the body of the response.
  func post(
    _ path: String, _ body: String,
    _ query: String = "?ckAPIToken=t&ckWebAuthToken=__defaultOwner__"
  ) async throws -> String {
    let url = "\(address)/database/1/iCloud.com.example/development/private/\(path)\(query)"
    return try await Command("curl", "-sS", "--max-time", "20", "-d", body, url).output
  }

  func stop(_ signal: Int32) async -> ToolProcess.Result {
    kill(tool.process.processIdentifier, signal)
    return await tool.finish()
  }
}
