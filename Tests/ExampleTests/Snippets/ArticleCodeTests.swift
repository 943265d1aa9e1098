import Foundation
import Testing

/// Code in an article is compiled and run: it stands, line for line, in one of the files beside
/// this one.
struct ArticleCodeTests {
  static let articles = ["RecordModel", "RecordCoding", "RecordArchive", "RecordBundle"].flatMap {
    module in
    let folder = Place.inPackage("Sources/\(module)/Documentation.docc")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
  }

  @Test("every catalogue has its landing page and an article")
  func catalogues() {
    #expect(Self.articles.count >= 8)
  }

  @Test("code in an article is compiled and run by a test", arguments: articles)
  func isCompiled(article: String) throws {
    let folder = Place.inPackage("Tests/ExampleTests/Snippets")
    let tests = try FileManager.default.contentsOfDirectory(atPath: folder).map {
      Self.trimmed(try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8))
    }
    for code in Self.code(in: try String(contentsOfFile: article, encoding: .utf8)) {
      #expect(tests.contains { $0.contains(code) }, "no test runs:\n\(code)")
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
