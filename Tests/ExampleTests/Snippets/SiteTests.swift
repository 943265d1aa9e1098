import Foundation
import Testing

/// The pages as a site.
struct SiteTests {
  @Test("the first page leads to every article of its catalogue")
  func firstPage() throws {
    let folder = Place.inPackage("Sources/RecordPack/Documentation.docc")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".md") && $0 != "RecordPack.md" }
      // The page of all commands leads to them.
      .filter { !$0.contains("recordpack-") }
    #expect(files.count >= 11)
    let text = try String(contentsOfFile: folder + "/RecordPack.md", encoding: .utf8)
    for file in files {
      #expect(text.contains("](\(file))"), "\(file)")
    }
  }

  /// The page that answers a question of a newcomer, and words of the answer.
  static let questions = [
    ("How do I test a conflict?", "TestConflictsAndFailures", "serverRecordChanged"),
    ("Does it work in the simulator?", "QuestionsAndErrors", "on iOS, tvOS and visionOS 2"),
    ("How does a UI test begin with data?", "TestingInXcode", "RECORDPACK_FIXTURE"),
    ("What does the mock not do?", "DifferencesFromCloudKit", "| CloudKit"),
    ("Does it work with CKSyncEngine?", "TryingAnAppsSync", "drives each `CKSyncEngine`"),
    ("My app uses SwiftData. What can I test?", "AdoptInACoreDataApp", "does not mock"),
    ("Why does a save fail only in production?", "QuestionsAndErrors", "in production schema"),
    ("How do I get my users' data?", "GettingData", "cktool"),
    ("How do I test sharing without two phones?", "TestSharing", "account("),
    ("Can a package that imports CloudKit be tested on Linux?", "MovingToLinux", "MockCloudKit"),
    ("Are encrypted fields safe in a bundle?", "GettingData", "plain text"),
    ("Can a watch app use it?", "QuestionsAndErrors", "A watch app links"),
    ("What do I do when the quota is exceeded?", "QuestionsAndErrors", "`Quota exceeded`"),
    ("Why can my schema not be deployed?", "QuestionsAndErrors", "`recordpack schema diff` lists"),
    ("How do UI tests get their data?", "QuestionsAndErrors", "`recordpack fixture generate`"),
    ("Does CloudKit JS on a server work with it?", "QuestionsAndErrors", "ServerKeys.md)"),
    ("How do I see what my app saved?", "QuestionsAndErrors", "`recordpack open After.recordpack`"),
    (
      "Can two simulators share one container?", "QuestionsAndErrors",
      "open the same container file"
    ),
    ("How do I test with 10,000 records?", "QuestionsAndErrors", "`count` is 10000"),
    ("How do I reset between tests?", "QuestionsAndErrors", "each test a container of its own"),
    ("How do I update a fixture?", "QuestionsAndErrors", "`recordpack migrate plan` drafts"),
    ("Do my tests need a network?", "QuestionsAndErrors", "need a network"),
  ]

  @Test("the first page has a link to the answer of a newcomer's question", arguments: questions)
  func answer(question: String, page: String, words: String) throws {
    let folder = Place.inPackage("Sources")
    let file = try #require(
      FileManager.default.subpaths(atPath: folder)?.first { $0.hasSuffix("/\(page).md") })
    let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
    #expect(text.contains(words))
    let first = try String(
      contentsOfFile: folder + "/RecordPack/Documentation.docc/RecordPack.md", encoding: .utf8)
    let overview = first.components(separatedBy: "## Topics")[0]
    #expect(overview.contains("\(page).md)"))
  }

  @Test(
    "the page of differences is made from the settings", .enabled(if: Command.exists("python3")))
  func differences() async throws {
    let result = try await Command("python3", Place.inPackage("Scripts/differences"), "--check")
    #expect(result.code == 0, "\(result.output)")
  }

  @Test(
    "two clicks lead from the first page to each answer, and three to any page",
    .enabled(if: Command.exists("python3")))
  func clicks() async throws {
    let result = try await Command("python3", Place.inPackage("Scripts/links"), "--clicks")
    let lines = result.output.split(separator: "\n").map { $0.split(separator: " ") }
    let clicks = Dictionary(
      lines.map { (String($0[1]), Int($0[0]) ?? .max) }, uniquingKeysWith: { min($0, $1) })
    #expect(clicks.count > 100 && clicks.values.allSatisfy { $0 <= 3 })
    for (question, page, _) in Self.questions {
      #expect(clicks[page, default: .max] <= 2, "\(question)")
    }
  }

  @Test(
    "no link is dead, the first page leads to every page, and sources have links",
    .enabled(if: Command.exists("python3")))
  func links() async throws {
    let result = try await Command("python3", Place.inPackage("Scripts/links"))
    #expect(result.code == 0, "\(result.output)")
  }

  @Test("the README is short, and none of its links is dead")
  func readme() throws {
    let text = try String(contentsOfFile: Place.inPackage("README.md"), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 200)
    let links = text.matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/).map { String($0.1) }
    #expect(links.count > 15)
    // Of the site, when it has an address.
    #expect(text.firstMatch(of: /(?:^|[^!])\[([^\]]+)\]\(/)?.1 == "Documentation")
    for link in links {
      #expect(FileManager.default.fileExists(atPath: Place.inPackage(link)), "\(link)")
    }
  }
}
