import Foundation
import Testing

/// Code in an article is compiled and run: it stands, line for line, in one of the files beside
/// this one, or in that of the module's own tests.
struct ArticleCodeTests {
  static let articles = [
    "RecordModel", "RecordCoding", "RecordSchema", "RecordMigration", "RecordBundle", "RecordStore",
    "CloudInterface", "MockCloud", "RecordArchive", "RecordFixtures", "RecordPack",
    "RecordPackTesting", "TypedRecords", "RecordPackCloudKit", "CloudWebServices", "CloudWebServer",
    "MockSync",
  ].flatMap { module in
    let folder = Place.inPackage("Sources/\(module)/Documentation.docc")
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
  }

  @Test("the README's code is compiled")
  func readme() throws {
    let blocks = Self.code(
      in: try String(contentsOfFile: Place.inPackage("README.md"), encoding: .utf8)
    ).filter { !$0.hasPrefix(".package(") }
    #expect(blocks.count == 2)
    let tests = try [
      "Tests/RecordPackTestingTests/TestingSnippetTests.swift",
      "Examples/Notes/Tests/NotesTests/TwoDevicesTests.swift",
    ].map { Self.trimmed(try String(contentsOfFile: Place.inPackage($0), encoding: .utf8)) }
    for code in blocks {
      #expect(tests.contains { $0.contains(code) }, "no test compiles:\n\(code)")
    }
  }

  @Test("every catalogue has its landing page and an article")
  func catalogues() {
    #expect(Self.articles.count >= 16)
  }

  @Test("code in an article is compiled and run by a test", arguments: articles)
  func isCompiled(article: String) throws {
    try expectCompiled(try String(contentsOfFile: article, encoding: .utf8))
  }

  @Test(
    "code in a doc comment is compiled",
    arguments: [
      "RecordBundle", "RecordStore", "CloudInterface", "MockCloud", "RecordPack", "TypedRecords",
      "RecordPackCloudKit", "CloudWebServices", "CloudWebServer", "MockSync",
    ])
  func docComments(module: String) throws {
    let folder = Place.inPackage("Sources/\(module)")
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    #expect(files.count > 2)
    for file in files where file.hasSuffix(".swift") {
      let source = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      let comments = source.split(separator: "\n").map { line in
        let text = line.trimmingCharacters(in: .whitespaces)
        return text.hasPrefix("///") ? text.dropFirst(3).drop { $0 == " " } : ""
      }
      try expectCompiled(comments.joined(separator: "\n"))
    }
  }

  private func expectCompiled(_ text: String) throws {
    let folder = Place.inPackage("Tests/ExampleTests/Snippets")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).map {
      "\(folder)/\($0)"
    }
    // Its fixtures lie beside it.
    let others = [
      "RecordPackTestingTests/TestingSnippetTests.swift",
      "RecordPackTestingTests/MirroredSnippetTests.swift",
      "RecordPackTestingTests/SyncTrials/SyncTrialTests.swift",
      "RecordPackTestingTests/SyncTrials/TrapSnippets.swift",
      "TypedRecordsTests/TypedRecordSnippetTests.swift",
      "RecordPackCloudKitTests/CloudKitSnippetTests.swift",
      "CloudWebServerTests/ServedSnippetTests.swift",
    ].map { Place.inPackage("Tests/" + $0) }
    let tests = try (files + others).map {
      Self.trimmed(try String(contentsOfFile: $0, encoding: .utf8))
    }
    // Linux does not have the frameworks of these models. `TutorialTests` reads them with the tool.
    for code in Self.code(in: text) where !code.contains(/import (SwiftData|SQLiteData)/) {
      #expect(tests.contains { $0.contains(code) }, "no test compiles:\n\(code)")
    }
  }

  /// The blocks that are marked as Swift.
  private static func code(in article: String) -> [String] {
    article.components(separatedBy: "```swift\n").dropFirst().map {
      trimmed($0.components(separatedBy: "```")[0])
    }
  }

  /// Lines without their indentation.
  private static func trimmed(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: "\n")
  }
}
