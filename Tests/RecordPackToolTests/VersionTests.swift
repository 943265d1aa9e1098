import Foundation
import Testing

@testable import RecordPackTool

/// `Sources/RecordPackTool/Version.swift` holds the version; whatever else names it must agree.
@Suite("The version")
struct VersionTests {
  private static func text(_ name: String) throws -> String {
    try String(contentsOf: Place.package.appending(path: name), encoding: .utf8)
  }

  @Test("is three numbers, as a tag of SwiftPM must be")
  func form() {
    let parts = recordPackVersion.components(separatedBy: ".")
    let numbers = parts.compactMap { UInt($0) }.map { "\($0)" }
    #expect(parts.count == 3)
    #expect(numbers == parts)
  }

  @Test("is what the tool prints")
  func tool() async throws {
    try await withFolder { folder in
      let result = try await ToolProcess.run("--version", in: folder)
      #expect(result.output == recordPackVersion + "\n")
    }
  }

  @Test("is what the README asks for")
  func dependency() throws {
    let pieces = try Self.text("README.md").components(separatedBy: "from: \"").dropFirst()
    let versions = pieces.map { $0.components(separatedBy: "\"")[0] }
    #expect(versions == [recordPackVersion])
  }

  @Test("is the newest release in the changelog, which has a date")
  func changelog() throws {
    let lines = try Self.text("CHANGELOG.md").components(separatedBy: "\n")
    let headings = lines.filter { $0.hasPrefix("## ") }
    #expect(headings.first == "## [Unreleased]")
    let release = try #require(headings.dropFirst().first)
    let start = "## [\(recordPackVersion)] - "
    try #require(release.hasPrefix(start), "\(release)")
    let parts = release.dropFirst(start.count).components(separatedBy: "-")
    let lengths = parts.map { $0.count }
    let numbers = parts.compactMap { UInt($0) }
    #expect(lengths == [4, 2, 2], "\(release)")
    #expect(numbers.count == 3, "\(release)")
  }

  @Test("is that of the release tag, where the commit has one")
  func tag() async throws {
    // Without a repository, or a git that may read it, there is no output.
    let result = try await ToolProcess.shell(
      "git --git-dir=.git tag --points-at HEAD", in: Place.package.path)
    let tags = result.output.components(separatedBy: "\n").filter { $0.hasPrefix("v") }
    #expect(tags.isEmpty || tags == ["v\(recordPackVersion)"])
  }
}
