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

  /// The page about a question of a newcomer, and words of the page. Half of the questions are of
  /// public issues, which the page *Questions and errors* names.
  static let questions: [(String, String, String)] =
    [
      ("How do I test a conflict?", "TestConflictsAndFailures", "serverRecordChanged"),
      ("How does a UI test begin with data?", "TestingInXcode", "RECORDPACK_FIXTURE"),
      ("What does the mock not do?", "DifferencesFromCloudKit", "| CloudKit"),
      ("Does it work with CKSyncEngine?", "TryingAnAppsSync", "drives each `CKSyncEngine`"),
      ("My app uses SwiftData. What can I test?", "AdoptInACoreDataApp", "does not mock"),
      ("How do I get my users' data?", "GettingData", "cktool"),
      ("How do I test sharing without two phones?", "TestSharing", "account("),
      ("Can a package that imports CloudKit be tested on Linux?", "MovingToLinux", "MockCloudKit"),
      ("Are encrypted fields safe in a bundle?", "GettingData", "plain text"),
      ("How do I get fixtures from my simulator?", "FixturesForASwiftDataApp", "default.store"),
      ("How do I check the schema on Xcode Cloud?", "CIRecipes", "### Xcode Cloud"),
      ("Will my model work in production?", "CheckAModel", "production.ckdb"),
    ]
    + [
      ("Does it work in the simulator?", "on iOS, tvOS and visionOS 2"),
      ("Why does a save fail only in production?", "in production schema"),
      ("Can a watch app use it?", "A watch app links"),
      ("Why can my schema not be deployed?", "`recordpack schema diff` lists"),
      ("How do UI tests get their data?", "`recordpack fixture generate`"),
      ("Does CloudKit JS on a server work with it?", "ServerKeys.md)"),
      ("How do I see what my app saved?", "`recordpack open After.recordpack`"),
      ("Can two simulators share one container?", "open the same container file"),
      ("How do I test with 10,000 records?", "`count` is 10000"),
      ("How do I reset between tests?", "each test a container of its own"),
      ("How do I update a fixture?", "`recordpack migrate plan` drafts"),
      ("Do my tests need a network?", "need a network"),
      ("Why are there duplicates after a reinstall?", "aReinstallAddsNoSecondInbox"),
      ("What do I do when the quota is exceeded?", "aFullStorageLosesNoNote"),
      ("Limit exceeded: how many records fit a request?", "400 items and 2 MB"),
      ("How do I test an expired change token?", "with: .changeTokenExpired"),
      ("Zone was purged by user. What now?", "encryptedDataReset"),
      ("What if another iCloud account signs in?", "`switchedAccounts`"),
      ("Does the engine lose changes if the app is killed?", "stores the engine's state"),
      ("Why does it not sync in TestFlight?", "Builds of TestFlight use"),
      ("How do I try a deployment?", "recordpack schema deploy"),
      ("Why do old records lack a new field?", "A deployment changes no record"),
      ("Tests crash: containerIdentifier can not be nil", "needs no entitlement"),
      ("How do I test a push by its name?", "theTabletGetsAPush"),
      ("Where do large fixtures go in git?", "filter=lfs"),
      ("What data of production can I get?", "another person's private database"),
      ("Why does the CloudKit Console show no records?", "queries one database"),
      ("Can Android use it?", "--allow-host 10.0.2.2"),
      ("verify finds damage. What now?", "--on-conflict replace"),
      ("Which errors must my app handle?", "`retryAfterSeconds`"),
      ("A deleted record that I made again is gone", "`recreatedItem`"),
      ("One device edits, another one deletes", "fails with `unknownItem`"),
      ("Some records never arrive on a new device", "until `moreComing` is false"),
      ("How do I make the schema from my model?", "`recordpack schema print App/Models`"),
      ("CloudKit integration requires that all relationships be optional", "at launch"),
      ("This request requires an authenticated account", "Nobody is signed in"),
      ("You can't save the same record twice", "two drafts of one record"),
      ("Which parts of CloudKit are missing?", "NSPersistentCloudKitContainer"),
    ].map { ($0, "QuestionsAndErrors", $1) }

  /// The filter of the site's navigation finds titles and, by `Scripts/site-start`, headings.
  @Test(
    "the site's search finds the words of newcomers",
    arguments: [
      "push", "notification", "quota", "encrypt", "console", "subscription", "Xcode Cloud",
      "TestFlight", "Android", "reinstall", "LFS", "SwiftData", "CKSyncEngine", "sharing",
    ])
  func search(word: String) throws {
    let folder = Place.inPackage("Sources/RecordPack/Documentation.docc")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".md") && !$0.contains("recordpack-") }
    let headings = try files.flatMap { file in
      try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).split(separator: "\n")
        .filter { $0.hasPrefix("#") }
    }
    #expect(headings.contains { $0.lowercased().contains(word.lowercased()) })
  }

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
    "two clicks lead from the README and the first page to each answer, and four to any page",
    .enabled(if: Command.exists("python3")))
  func clicks() async throws {
    for start in ["README.md", "Sources/RecordPack/Documentation.docc/RecordPack.md"] {
      let result = try await Command(
        "python3", Place.inPackage("Scripts/links"), "--clicks", start)
      let lines = result.output.split(separator: "\n").map { $0.split(separator: " ") }
      let clicks = Dictionary(
        lines.map { (String($0[1]), Int($0[0]) ?? .max) }, uniquingKeysWith: { min($0, $1) })
      #expect(clicks.count > 100 && clicks.values.allSatisfy { $0 <= 4 }, "\(start)")
      for (question, page, _) in Self.questions {
        #expect(clicks[page, default: .max] <= 2, "\(start): \(question)")
      }
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
