import Foundation
import MockCloud
import RecordModel
import TestSupport
import Testing

@testable import CloudWebServices

/// `Schemas/cloudkit-web-services.yaml` describes what the handler does.
@Suite struct DescriptionTests {
  private static func lines() throws -> [String] {
    try String(
      contentsOfFile: Place.inPackage("Schemas/cloudkit-web-services.yaml"), encoding: .utf8
    ).components(separatedBy: "\n")
  }

  /// The methods of each path in the description.
  private static func operations() throws -> [String: Set<String>] {
    var result: [String: Set<String>] = [:]
    var path = ""
    for line in try lines() {
      if let match = line.wholeMatch(of: #/ {2}(/[^ ]*):/#) {
        path = String(match.1)
        result[path] = []
      } else if let match = line.wholeMatch(of: #/ {4}(get|post|put|delete):/#) {
        result[path]?.insert(match.1.uppercased())
      }
    }
    return result
  }

  @Test func `the description has the paths and methods of the endpoints, and no others`() throws {
    let described = try Self.operations()
    let prefixes = [
      "/database/1/{container}/{environment}/{database}/", "/device/1/{container}/{environment}/",
    ]
    for (prefix, table) in zip(prefixes, [Endpoint.ofDatabase, Endpoint.ofDevice]) {
      let found = described.filter { $0.key.hasPrefix(prefix) }
      let expected = table.map { (prefix + $0.key, $0.value.methods) }
      #expect(found == Dictionary(uniqueKeysWithValues: expected))
    }
    let others = described.keys.filter { path in !prefixes.contains { path.hasPrefix($0) } }
    for path in others {
      let concrete = path.replacing("{environment}", with: "development").replacing(
        #/\{[^}]*\}/#, with: "x")
      #expect(throws: Never.self, "\(path)") { try WebRoute(concrete) }
    }
    #expect(others.count == 14)
  }

  @Test func `the description has the codes of errors`() throws {
    let lines = try Self.lines()
    let start = try #require(lines.firstIndex(of: "    ErrorCode:"))
    let codes = lines[(start + 3)...].prefix { $0.hasPrefix("        - ") }.map { $0.dropFirst(10) }
    #expect(Set(codes.map(String.init)) == Set(WebErrorCode.allCases.map(\.rawValue)))
  }

  @Test func `what the handler answers is as described`() async throws {
    let conversation = try await Conversation.recorded()
    let missing = try Self.operations().flatMap { path, methods in
      methods.map { "\($0) \(path)" }
    }.filter { !conversation.covers($0) }
    // Files and pages are no JSON.
    #expect(missing.sorted() == ["GET /assets/download/{token}/{name}", "GET /sign-in"])
    guard let problems = try await DescriptionValidator.problems(in: conversation.responses) else {
      return print("skipped: python's jsonschema or yaml is not installed")
    }
    let list = problems.prefix(20).joined(separator: "\n")
    #expect(list == "")
  }

  @Test func `an answer that is not as described is found`() async throws {
    let path = "/database/1/a/development/private/zones/list"
    let wrong = [
      ("GET", 200, #"{"zones":[],"more":1}"#), ("GET", 200, #"{}"#), ("GET", 201, "{}"),
      ("GET", 400, #"{"reason":"r"}"#), ("PUT", 400, #"{"reason":"r"}"#),
      ("POST", 200, #"{"zones":[{"zoneID":{"zoneName":"a"}}]}"#),
    ].map { method, status, body in
      DescriptionValidator.Response(method: method, path: path, status: status, body: body)
    }
    guard let problems = try await DescriptionValidator.problems(in: wrong) else { return }
    let found = Set(problems.compactMap { $0.split(separator: ":").first.flatMap { Int($0) } })
    #expect(found == Set(wrong.indices))
  }
}
