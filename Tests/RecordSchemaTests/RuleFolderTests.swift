import Foundation
import Testing

@testable import RecordSchema

/// Every rule has a folder `Rules/RULE_ID` with `from.ckdb`, `to.ckdb` and the expected report for
/// each question in `deploy.txt`, `drift.txt` or `validate.txt`; folders inside it are further
/// cases, those whose name begins with `not-` for what the rule leaves alone. A `config.yml` there is
/// the configuration, and `records.jsonl` holds lines of a bundle that are held against `to.ckdb`; the
/// rule finds nothing in them under `from.ckdb`.
@Suite("Rules on before and after files")
struct RuleFolderTests {
  struct Case: CustomTestStringConvertible {
    let path: String
    let kind: SchemaCheckKind
    var rule: String { path.split(separator: "/").first.map(String.init) ?? "" }
    var folder: URL { RuleFolderTests.root.appendingPathComponent(path) }
    var testDescription: String { "\(path) \(kind.rawValue)" }
  }

  static let root = Corpus.testFolder.appendingPathComponent("Rules")

  static let cases: [Case] = {
    let walk = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return walk.sorted().compactMap { path in
      let file = URL(fileURLWithPath: path)
      guard file.pathExtension == "txt",
        let kind = SchemaCheckKind(
          rawValue: file.deletingPathExtension().lastPathComponent)
      else { return nil }
      let folder = path.split(separator: "/").dropLast().joined(separator: "/")
      return Case(path: folder, kind: kind)
    }
  }()

  @Test("every rule has a folder, and every folder a rule")
  func everyRuleHasAFolder() {
    // The rules for models and for code have their cases where these are read.
    let rules = SchemaRule.all.filter {
      !$0.needsModel && $0.checkKinds != [.source]
    }
    #expect(Set(Self.cases.map(\.rule)) == Set(rules.map(\.id.rawValue)))
  }

  @Test("the report is the expected one", arguments: cases)
  func reportIsExpected(_ test: Case) throws {
    let report = try Self.report(for: test)
    let text = report.text(as: .text)
    let expected = test.folder.appendingPathComponent(test.kind.rawValue + ".txt")
    // For whoever changes a message on purpose; look at the difference before committing it.
    if ProcessInfo.processInfo.environment["RECORDPACK_UPDATE_EXPECTATIONS"] != nil {
      try text.write(to: expected, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: expected, encoding: .utf8) == text)
    let isFound = report.findings.contains { $0.rule.rawValue == test.rule }
    #expect(isFound == !test.path.contains("/not-"))
  }

  @Test("the rule is silent on the files before the change", arguments: cases)
  func isSilentBefore(_ test: Case) throws {
    let before = try Self.document("from.ckdb", in: test.folder)
    let checker = SchemaChecker(configuration: try Self.configuration(in: test.folder))
    let report = try checker.compare(
      from: before, to: before, kind: test.kind, records: try Self.records(in: test.folder))
    let found = report.findings.filter { $0.rule.rawValue == test.rule }
    // A permission of the configuration is as unused there, and some records fit no schema.
    let isFoundAlways: Set = [
      "SUPPRESSION_UNUSED", "RECORD_ENCRYPTED_UNSUPPORTED", "RECORD_ENCRYPTED_PUBLIC",
      "RECORD_NAME_LENGTH", "RECORD_NAME_CHARACTERS", "RECORD_ZONE_NAME", "RECORD_TOO_LARGE",
      "RECORD_LOCATION_RANGE", "RELATIONSHIP_DANGLING",
    ]
    #expect(found.isEmpty || isFoundAlways.contains(test.rule))
  }

  static func report(for test: Case) throws -> SchemaReport {
    let checker = SchemaChecker(configuration: try configuration(in: test.folder))
    return try checker.compare(
      from: try document("from.ckdb", in: test.folder),
      to: try document("to.ckdb", in: test.folder), kind: test.kind,
      records: try records(in: test.folder))
  }

  private static func records(in folder: URL) throws -> RecordCensus? {
    let file = folder.appendingPathComponent("records.jsonl")
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try RecordFile.census(try String(contentsOf: file, encoding: .utf8))
  }

  private static func document(_ name: String, in folder: URL) throws -> SchemaDocument {
    let data = try Data(contentsOf: folder.appendingPathComponent(name))
    return SchemaDocument(parsing: Array(data), name: name)
  }

  private static func configuration(in folder: URL) throws -> SchemaConfiguration {
    let file = folder.appendingPathComponent("config.yml")
    guard FileManager.default.fileExists(atPath: file.path) else { return SchemaConfiguration() }
    return try SchemaConfiguration(
      yaml: try String(contentsOf: file, encoding: .utf8), file: "config.yml")
  }
}
