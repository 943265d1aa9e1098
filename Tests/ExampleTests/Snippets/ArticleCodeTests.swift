import Foundation
import Testing

/// Code in an article or a doc comment is compiled and run: it stands, line for line, in one of the
/// files beside this one, or in that of the module's own tests. A manifest is compiled as it is.
struct ArticleCodeTests {
  static let modules =
    (try? FileManager.default.contentsOfDirectory(atPath: Place.inPackage("Sources")))?.sorted()
    ?? []

  static let articles = modules.flatMap { module in
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
      "Tests/MockCloudKitTests/Trials/DocumentSyncTests.swift",
    ].map { Self.trimmed(try String(contentsOfFile: Place.inPackage($0), encoding: .utf8)) }
    for code in blocks {
      #expect(tests.contains { $0.contains(code) }, "no test compiles:\n\(code)")
    }
  }

  @Test("every catalogue has its landing page and an article")
  func catalogues() {
    #expect(Self.articles.count >= 16)
  }

  // TutorialTests compiles the code of each step of a tutorial.
  @Test(
    "code in an article is compiled and run by a test",
    arguments: articles.filter { !$0.contains("/Tutorials/") })
  func isCompiled(article: String) throws {
    // The models of frameworks that Linux lacks: the tests read them with the tool.
    let isRead =
      article.contains("RecordSchema/Documentation.docc/Rules/")  // DocumentationTests
      || TutorialTests.guides.contains { article.hasSuffix("Guides/\($0).md") }
    let text = try String(contentsOfFile: article, encoding: .utf8)
    expectCompiled(
      Self.code(in: text).filter { !isRead || !$0.contains(/import (SwiftData|SQLiteData)/) })
  }

  @Test(
    "a manifest in an article is compiled",
    .enabled("needs the Swift compiler on Linux") { TutorialCompiler.isAvailable })
  func manifests() async throws {
    let blocks = try Self.articles.flatMap { article in
      Self.code(in: try String(contentsOfFile: article, encoding: .utf8)).filter(Self.isOfAManifest)
    }
    let functions = blocks.enumerated().map { index, code in
      let start = code.hasPrefix(".") ? "let _: Target.Dependency = " : ""
      return "func block\(index)() {\n\(start)\(code)\n}\n"
    }
    #expect(blocks.count >= 4)
    let folder = try TestFolder()
    let file = try folder.write(
      Array(("import PackageDescription\n" + functions.joined()).utf8), as: "Manifests.swift")
    let compiler = URL(
      fileURLWithPath: try await Command("which", "swiftc").output.trimmingCharacters(in: .newlines)
    ).resolvingSymlinksInPath()
    let library = compiler.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "lib/swift/pm/ManifestAPI").path
    let check = try await Command(
      "swiftc", "-typecheck", "-suppress-warnings", "-package-description-version", "6.1", "-I",
      library, file)
    #expect(check.code == 0, "\(check.output)")
  }

  @Test("code in a doc comment is compiled", arguments: modules)
  func docComments(module: String) throws {
    let folder = Place.inPackage("Sources/\(module)")
    let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    for file in files where file.hasSuffix(".swift") && !file.contains(".docc/") {
      let source = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      let comments = source.split(separator: "\n").map { line in
        let text = line.trimmingCharacters(in: .whitespaces)
        return text.hasPrefix("///") ? text.dropFirst(3).drop { $0 == " " } : ""
      }
      expectCompiled(Self.code(in: comments.joined(separator: "\n")))
    }
  }

  /// The files with the code, read once.
  private static let tests: [String] = {
    let folder = Place.inPackage("Tests/ExampleTests/Snippets")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    // Others need the fixtures beside them, or another module.
    let others = [
      "RecordPackTestingTests/TestingSnippetTests.swift",
      "RecordPackTestingTests/MirroredSnippetTests.swift",
      "RecordPackTestingTests/SyncTrials/SyncTrialTests.swift",
      "RecordPackTestingTests/SyncTrials/TrapSnippets.swift",
      "RecordPackTestingTests/CommentSnippets.swift",
      "RecordPackTestingTests/AppStoreTraitTests.swift",
      "MockCloudKitTests/MockCloudKitSnippetTests.swift",
      "MockCloudKitTests/QuestionSnippetTests.swift",
      "MockCloudKitTests/Trials/DocumentSyncTests.swift",
      "AppModelTests/AppModelSnippetTests.swift",
      "TypedRecordsTests/TypedRecordSnippetTests.swift",
      "RecordPackCloudKitTests/CloudKitSnippetTests.swift",
      "CloudWebServerTests/ServedSnippetTests.swift",
    ].map { Place.inPackage("Tests/" + $0) }
    return (names.map { "\(folder)/\($0)" } + others).compactMap {
      (try? String(contentsOfFile: $0, encoding: .utf8)).map(trimmed)
    }
  }()

  private func expectCompiled(_ blocks: [String]) {
    let blocks = blocks.filter { !Self.isOfAManifest($0) }
    for block in blocks {
      let lines = block.split(separator: "\n")
      let imports = lines.prefix { $0.hasPrefix("import ") }
      let code = lines.dropFirst(imports.count).joined(separator: "\n")
      #expect(
        Self.tests.contains { test in
          test.contains(code) && imports.allSatisfy { test.contains($0 + "\n") }
        }, "no test compiles:\n\(block)")
    }
  }

  /// Whether code is of a `Package.swift`, for which no test can import the library.
  private static func isOfAManifest(_ code: String) -> Bool {
    code.contains(/^let package = Package\(|^\.product\(|\[Target\.Dependency\]|\[SwiftSetting\]/)
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
