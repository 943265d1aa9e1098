import Foundation
import Testing

@testable import RecordSchema

/// The pages about rules are what `recordpack schema explain` prints, with an example from the rule's
/// cases, so that none can fall behind. With RECORDPACK_UPDATE_EXPECTATIONS set they are written anew.
@Suite("Documentation of the rules")
struct DocumentationTests {
  static let catalogue = Corpus.testFolder.deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/RecordSchema/Documentation.docc")

  static let isUpdating =
    ProcessInfo.processInfo.environment["RECORDPACK_UPDATE_EXPECTATIONS"] != nil

  static func expect(_ text: String, at file: URL) throws {
    if isUpdating {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test("every rule has its page", arguments: SchemaRule.all.map(\.id))
  func pages(_ id: SchemaRule.ID) throws {
    let rule = try #require(SchemaRule.named(id))
    let example = try RuleExample(rule: rule).text
    // A rule about code has its cases as texts of tests.
    #expect(!example.isEmpty || rule.checkKinds == [.source])
    let explanation = rule.explanation.replacing(/\b[A-Z]+(_[A-Z]+)+\b/) { match in
      let name = String(match.0)
      return name != id.rawValue && SchemaRule.all.contains { $0.id.rawValue == name }
        ? "[\(name)](\(name).md)" : name
    }
    let page = explanation.replacing("## Rule\n", with: example + "\n## Rule\n")
    try Self.expect(
      page.replacing("\n\n\n", with: "\n\n"),
      at: Self.catalogue.appendingPathComponent("Rules/\(id).md"))
  }

  @Test("no page is left of a rule that is gone")
  func noStrayPages() throws {
    let folder = Self.catalogue.appendingPathComponent("Rules")
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { !$0.hasPrefix(".") }
    #expect(Set(pages) == Set(SchemaRule.all.map { "\($0.id).md" }))
  }

  @Test("the overview lists every rule with its severity")
  func overview() throws {
    try Self.expect(
      SchemaRule.overview, at: Self.catalogue.appendingPathComponent("Rules.md"))
  }

  @Test(
    "identifiers are unique, and every text says something", arguments: SchemaRule.all.map(\.id))
  func texts(_ id: SchemaRule.ID) throws {
    let rule = try #require(SchemaRule.named(id))
    #expect(SchemaRule.all.count { $0.id == id } == 1)
    #expect(rule.id.rawValue.allSatisfy { $0.isUppercase || $0 == "_" })
    #expect(!rule.evidence.isEmpty && !rule.checkKinds.isEmpty)
    #expect(rule.effect.hasSuffix(".") && rule.remedy.hasSuffix(".") && !rule.title.hasSuffix("."))
  }
}

extension SchemaRule {
  /// A Markdown page that lists all rules by category, with links to their documentation pages.
  static var overview: String {
    var lines = [
      "# Rules", "", "The rules for checking schemas, with their severity and evidence.", "",
      "## Overview", "",
      "Every rule has a stable identifier. Severities can be changed, and known findings",
      "suppressed: see ``SchemaConfiguration``.",
    ]
    for category in SchemaCategory.allCases {
      let rules = all.filter { $0.category == category }
      if rules.isEmpty { continue }
      lines += ["", "### \(category.rawValue): \(category.heading)", ""]
      lines += ["| Rule | Severity | Used by | |", "|---|---|---|---|"]
      lines += rules.map { rule in
        let questions = rule.checkKinds.map(\.rawValue).joined(separator: ", ")
        return
          "| [\(rule.id)](Rules/\(rule.id).md) | \(rule.defaultSeverity.rawValue) | \(questions) | \(rule.title) |"
      }
    }
    lines += ["", "## Topics"]
    for category in SchemaCategory.allCases {
      let rules = all.filter { $0.category == category }
      if rules.isEmpty { continue }
      lines += ["", "### \(category.heading)", ""]
      lines += rules.map { "- [\($0.id)](Rules/\($0.id).md)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
