import Foundation
import RecordArchive
import RecordBundle
import RecordModel
import RecordSchema
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("A recipe like a source")
struct LearnedRecipeTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let recipe = """
    recordpack-recipe: 1
    users: 3
    zones: {Secret: {owners: 2}}
    types:
      Chat:
        zone: Secret
        count: 40
        shared: 0.25
        fields:
          title: {words: 3..6, locale: en}
          memberNames: {kind: name, list: 2..4}
          messageCount: {range: 100..999}
          icon: {asset: png, size: 600..2000, null-rate: 0.5}
          code: {pattern: "K-@@@@@@"}
      Message:
        parent: Chat
        count: 0..9
        names: uuid
        fields: {text: {characters: 20..30}, email: {kind: email, null-rate: 0.3}, number: {range: 0..1}}
      Reaction: {parent: Message, count: 2}
    """

  private func learned() throws -> (yaml: String, source: BundleReader) {
    let source = try GenerationSamples.bundle(GenerationSamples.generation(Self.recipe), in: folder)
      .reader
    let yaml = try FixtureRecipe.starter(for: GenerationSamples.schema(), like: .bundle(source))
    return (yaml, source)
  }

  @Test("makes as many records, values as long and as many nulls")
  func distributions() throws {
    let (yaml, source) = try learned()
    let recipe = try FixtureRecipe(yaml: yaml)
    let generation = try Generation(schema: GenerationSamples.schema(), recipe: recipe, seed: 5)
    let (copy, report) = try GenerationSamples.bundle(generation, in: folder)
    #expect(report.counts["Chat"] == 80)
    let (old, new) = (try GenerationSamples.records(source), try GenerationSamples.records(copy))
    let counts = (old["Message"]?.count ?? 0, new["Message"]?.count ?? 0)
    #expect(abs(counts.0 - counts.1) * 4 < counts.0, "\(counts)")
    #expect(new["Reaction"]?.count == counts.1 * 2)
    let lengths =
      new["Message"]?.compactMap { (($0.encryptedValues["text"]) as String?)?.count } ?? []
    #expect(lengths.allSatisfy { (17...32).contains($0) })
    let missing = new["Message"]?.count { ($0["email"] as String?) == nil } ?? 0
    #expect((0.2...0.4).contains(Double(missing) / Double(counts.1)))
    #expect(new["Message"]?.allSatisfy { (0...1).contains($0["number"] ?? 9) } == true)
    #expect(new["Message"]?.first?.recordID.recordName.count == 36)
    #expect(
      new["Chat"]?.allSatisfy { (2...4).contains(($0["memberNames"] as [String]?)?.count ?? 0) }
        == true)
    let shares = new[Share.recordType]?.count ?? 0
    #expect((8...34).contains(shares))
    #expect(new["Message"]?.allSatisfy { $0.parent != nil } == true)
  }

  @Test("rounds numbers up to powers of ten")
  func numbers() throws {
    var census = LearnedField()
    let field = CloudSchema.Field("n", .int64)
    func range() -> String? {
      census.rule(FieldRule(kind: IntegerValues(0...9)), field, .init()).kind?.yaml
    }
    for (number, expected) in [
      (0, "0..1"), (1, "0..1"), (7, "0..10"), (100, "0..100"), (-101, "-1000..1000"),
    ] {
      census.add(.int64(Int64(number)), parent: nil)
      #expect(range() == "range: \(expected)")
    }
  }

  @Test("has no value, name or user of the source")
  func values() throws {
    let (yaml, source) = try learned()
    var texts: Set<String> = ["Secret", "iCloud"]
    for account in source.container.accounts {
      texts.insert(account.userRecordName)
      texts.formUnion(
        [account.nameComponents?.givenName, account.nameComponents?.familyName].compactMap { $0 })
    }
    try source.forEachRecord { record, _ in
      texts.insert(record.recordID.recordName)
      for field in record.fields {
        switch field.value {
        case .string(let text): texts.insert(text)
        case .stringList(let list): texts.formUnion(list)
        case .int64(let number) where number > 1: texts.insert("\(number)")
        case .asset(let asset): texts.insert(asset.sha256 ?? "-")
        default: break
        }
      }
    }
    #expect(texts.count > 500)
    // Words of the recipe itself, such as numbers of counts, are no values.
    let words = Set(yaml.split { " ,:{}[]\"'\n.()".contains($0) }.map(String.init))
    let own: Set = ["100", "999"]
    for text in texts where text.utf8.count > 2 && !own.contains(text) {
      if text.contains(" ") || text.contains("-") || text.contains("@") {
        #expect(!yaml.contains(text), "\(text)")
      } else if Int(text) == nil {
        #expect(!words.contains(text), "\(text)")
      }
    }
  }
}
