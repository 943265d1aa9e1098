import Foundation
import TestSupport
import Testing

@Suite("The page on the command-line tool")
struct ReportPageTests {
  @Test("names every member of a migration's report, as the schema of reports does")
  func migration() throws {
    func text(_ path: String) throws -> String {
      try String(contentsOf: Place.package.appending(path: path), encoding: .utf8)
    }
    let page = try text("Sources/RecordPack/Documentation.docc/CommandLineTool.md")
    let item = try #require(page.split(separator: "\n- ").first { $0.hasPrefix("`migrate`:") })
    let schema = try Samples.json(try text("Schemas/recordpack-report-1.schema.json"))
    let definitions = try #require(schema["definitions"] as? [String: [String: Any]])
    var members: Set<String> = []
    for name in ["migration", "migrationStep"] {
      members.formUnion(try #require(definitions[name]?["properties"] as? [String: Any]).keys)
    }
    members.subtract(["format", "version"])
    let words = item.split(separator: "`", omittingEmptySubsequences: false).enumerated()
    let named = Set(words.filter { $0.offset % 2 == 1 }.map { String($0.element) })
    #expect(named.subtracting(["migrate"]) == members)
  }
}
