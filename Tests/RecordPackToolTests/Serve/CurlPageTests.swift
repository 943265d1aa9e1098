import Foundation
import Testing

/// The page with a request of each kind is right.
@Suite(.enabled(if: Command.exists("curl") && Command.exists("openssl"), "no curl or openssl"))
struct CurlPageTests {
  private static func page() throws -> String {
    try String(
      contentsOfFile: Place.inPackage("Sources/CloudWebServices/Documentation.docc/Requests.md"),
      encoding: .utf8)
  }

  @Test func `each command of the page is answered without an error`() throws {
    let folder = try TestFolder()
    let blocks = try Self.page().components(separatedBy: "```sh\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
    #expect(blocks.count >= 9)
    let script = "set -e\n" + blocks.joined(separator: "\n")
    let result = try ToolProcess.shell(script, in: folder.path)
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.errors.isEmpty)
    #expect(!result.output.contains("serverErrorCode"), "\(result.output)")
    // One for each that is not stored in a variable or a file.
    #expect(result.output.components(separatedBy: "}{").count >= 25)
    for text in [#""zid":"Notes""#, #""recordName":"milk""#, #""recordType":"News""#] {
      #expect(result.output.contains(text))
    }
  }

  @Test func `the page has every endpoint`() throws {
    let page = try Self.page()
    let source = try String(
      contentsOfFile: Place.inPackage("Sources/CloudWebServices/Handling/Endpoint.swift"),
      encoding: .utf8)
    let paths = source.components(separatedBy: "path: \"").dropFirst()
      .compactMap { $0.split(separator: "\"").first }
    #expect(paths.count == 25)
    for path in paths { #expect(page.contains(path), "\(path)") }
  }
}
