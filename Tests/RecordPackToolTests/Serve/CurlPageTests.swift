import Foundation
import Testing

/// The pages about requests to a served container are right.
@Suite(.enabled(if: Command.exists("curl") && Command.exists("openssl"), "no curl or openssl"))
struct CurlPageTests {
  private static func page(_ name: String) throws -> String {
    try String(
      contentsOfFile: Place.inPackage("Sources/CloudWebServices/Documentation.docc/\(name).md"),
      encoding: .utf8)
  }

  /// Runs the commands of a page, from the first to the last.
  private func run(_ name: String, in folder: TestFolder) async throws -> String {
    let blocks = try Self.page(name).components(separatedBy: "```sh\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
    #expect(blocks.count >= 3)
    let script = "set -e\n" + blocks.joined(separator: "\n")
    let result = try await ToolProcess.shell(script, in: folder.path)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.errors.isEmpty, "\(result.errors)")
    #expect(!result.output.contains("serverErrorCode"), "\(result.output)")
    return result.output
  }

  @Test func `each request of the page is answered without an error`() async throws {
    let output = try await run("Requests", in: try TestFolder())
    // One for each that is not stored in a variable or a file.
    #expect(output.components(separatedBy: "}{").count >= 28)
    for text in [#""zid":"Notes""#, #""recordName":"milk""#, "photo{", #""ACCEPTED""#] {
      #expect(output.contains(text), "\(text)")
    }
  }

  @Test func `a server signs its requests as the page says`() async throws {
    let output = try await run("ServerKeys", in: try TestFolder())
    for text in [#""userRecordName":"#, #""recordType":"News""#] {
      #expect(output.contains(text), "\(output)")
    }
  }

  @Test(.enabled(if: Command.exists("node"), "no node"))
  func `a proxy serves over HTTPS as the page says`() async throws {
    let output = try await run("HTTPS", in: try TestFolder())
    #expect(output.contains("_defaultZone"))
    #expect(output.contains(#""url":"https://localhost:"#), "\(output)")
  }

  /// Apple's `cloudkit.js` may not be part of a repository.
  @Test(.enabled(if: Command.exists("node"), "no node"))
  func `CloudKit JS is pointed at a container as the page says`() async throws {
    let folder = try TestFolder()
    let script =
      ProcessInfo.processInfo.environment["CLOUDKIT_JS"]
      ?? Place.inPackage("Tests/RecordPackToolTests/Serve/cloudkit-stand-in.cjs")
    try FileManager.default.copyItem(atPath: script, toPath: folder.path("cloudkit.js"))
    let output = try await run("JavaScript", in: folder)
    #expect(output.contains("found Milk"), "\(output)")
  }

  @Test func `the page has every endpoint`() throws {
    let page = try Self.page("Requests")
    let source = try String(
      contentsOfFile: Place.inPackage("Sources/CloudWebServices/Handling/Endpoint.swift"),
      encoding: .utf8)
    let paths = source.components(separatedBy: "path: \"").dropFirst()
      .compactMap { $0.split(separator: "\"").first }
    #expect(paths.count == 25)
    for path in paths { #expect(page.contains(path), "\(path)") }
  }
}
