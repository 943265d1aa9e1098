import Foundation
import RecordSchema
import Testing

@testable import AppModel

/// Every rule for models has a folder `Rules/RULE_ID` with a model before and after a change, `from`
/// and `to`, as `.swiftcode`, `.xml` or `.sql`; for `drift` also `production.ckdb`; and the expected report.
/// Folders inside it are further cases.
@Suite("Rules on models")
struct ModelRuleTests {
  struct Case: CustomTestStringConvertible {
    let path: String
    let kind: SchemaCheckKind
    var rule: SchemaRule.ID { .init(rawValue: String(path.prefix { $0 != "/" })) }
    var folder: URL { ModelRuleTests.root.appendingPathComponent(path) }
    var testDescription: String { "\(path) \(kind.rawValue)" }

    /// The model with a name, `from` or `to`.
    func model(_ name: String) throws -> SchemaDocument {
      for ending in ["swiftcode", "xml", "sql"] {
        let file = folder.appendingPathComponent("\(name).\(ending)")
        guard let data = try? Data(contentsOf: file) else { continue }
        let (bytes, title) = (Array(data), "\(name).\(ending)")
        switch ending {
        case "swiftcode":
          var sources = SwiftModelSources()
          sources.add(title, bytes)
          return SchemaDocument(sources.swiftData(named: title))
        case "xml": return SchemaDocument(CoreDataModel.read(bytes, file: title, named: title))
        default:
          let text = String(decoding: bytes, as: UTF8.self)
          return SchemaDocument(SQLiteDataModel.read(text, file: title, named: title))
        }
      }
      throw CocoaError(.fileNoSuchFile)
    }

    func report(_ name: String) throws -> SchemaReport {
      let model = try model(name)
      guard kind == .drift else { return try SchemaChecker().validate(model) }
      let file = folder.appendingPathComponent("production.ckdb")
      let production = SchemaDocument(
        parsing: Array(try Data(contentsOf: file)), name: "production.ckdb")
      return try SchemaChecker().compare(from: production, to: model, kind: .drift)
    }
  }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Rules")

  static let cases: [Case] = {
    let walk = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
    return walk.sorted().compactMap { path in
      let parts = path.split(separator: "/")
      guard let last = parts.last, last.hasSuffix(".txt"),
        let kind = SchemaCheckKind(rawValue: String(last.dropLast(4)))
      else { return nil }
      return Case(path: parts.dropLast().joined(separator: "/"), kind: kind)
    }
  }()

  @Test(
    "an app that shares objects needs cloudkit.share in production",
    arguments: [
      "@Model class Book { var pages = 0 }\nlet c = NSPersistentCloudKitContainer()\nlet s: CKShare",
      "@Table struct Book { let id: UUID }\nfunc accept(_ metadata: CKShare.Metadata) {}",
      "@Table struct Book { let id: UUID }\nlet view = CloudSharingView(sharedRecord: record)",
    ])
  func shareType(_ code: String) throws {
    func model(_ code: String) -> SchemaDocument {
      var sources = SwiftModelSources()
      sources.add("App.swift", Array(code.utf8))
      return SchemaDocument(
        sources.kinds == [.sqliteData]
          ? sources.sqliteData(named: "App") : sources.swiftData(named: "App"))
    }
    func findings(_ code: String, over schema: CloudSchema) throws -> [SchemaFinding] {
      let production = SchemaDocument(schema, name: "production.ckdb")
      return try SchemaChecker().compare(from: production, to: model(code), kind: .drift).findings
    }
    var production = model(code).schema
    #expect(try findings(code, over: production).isEmpty)
    production.recordTypes.removeAll { $0.name == "cloudkit.share" }
    let found = try findings(code, over: production)
    #expect(found.map(\.rule.rawValue) == ["RECORD_TYPE_NOT_DEPLOYED"])
    #expect(found.map(\.subject.description) == ["cloudkit.share"])
    let lines = code.split(separator: "\n").count
    #expect(found.allSatisfy { $0.location?.span.line == lines })
    let plain = String(code.prefix { $0 != "\n" })
    #expect(try findings(plain, over: production).isEmpty)
  }

  @Test("every rule for models has a folder")
  func everyRuleHasAFolder() {
    let rules = SchemaRule.all.filter(\.needsModel).map(\.id)
    #expect(Set(Self.cases.map(\.rule)) == Set(rules))
  }

  @Test("the report is the expected one", arguments: cases)
  func reportIsExpected(_ test: Case) throws {
    let report = try test.report("to")
    let text = report.text(as: .text)
    let file = test.folder.appendingPathComponent(test.kind.rawValue + ".txt")
    if ProcessInfo.processInfo.environment["RECORDPACK_UPDATE_EXPECTATIONS"] != nil {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
    #expect(report.findings.contains { $0.rule == test.rule })
    #expect(report.findings.allSatisfy { $0.location != nil })
  }

  @Test("the rule is silent on the model before the change", arguments: cases)
  func isSilentBefore(_ test: Case) throws {
    #expect(try test.report("from").findings.filter { $0.rule == test.rule } == [])
  }
}
