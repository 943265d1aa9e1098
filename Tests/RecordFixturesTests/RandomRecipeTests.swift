import Foundation
import RecordBundle
import RecordMigration
import RecordModel
import RecordSchema
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("Random recipes")
struct RandomRecipeTests {
  private static let texts = [
    "{words: 2}", "{characters: 300000}", "{characters: 999000, locale: mixed}", "name", "uuid",
    "{sentences: {weights: {0: 1, 1..5: 2}}, null-rate: 0.5}", "{choice: {a: 1, b: 0}}",
    "{value: é}", "none",
    "{pattern: 'a#%', unique: true}", "{kind: city, unique: true, locale: ja}",
  ]
  private static let integers = [
    "{range: -5..5}", "{range: 1..3, unique: true}", "{weights: {1: 1, 3..9: 0}}",
    "{weights: {1: 3, 2..9: 1}}",
    "{sequence: 5, step: 0, unique: true}", "position", "{value: 7}",
  ]
  private static let doubles = [
    "{range: 0..1, decimals: 0}", "{range: 0.07..0.071}", "latitude", "{sequence: 1, unique: true}",
    "{range: 0.2..0.4, decimals: 0}", "{range: -1e300..5}", "{range: 9e14..9.1e14}", "position",
  ]
  private static let rules: [(fields: [String], rules: [String])] = [
    (["s", "s2", "es"], texts), (["i", "ei"], integers), (["d"], doubles),
    (["t", "et"], ["created", "{created: 1d..9000d}", "{date: 1999-01-01..2001-01-01}"]),
    (["by"], ["{bytes: 5}", "{bytes: 400000}", "{bytes: {weights: {9: 1, 20..30: 2}}}"]),
    (["loc"], ["{location: city}", "{location: {latitude: 5..6}}"]),
    (["r"], ["{reference: A}", "{reference: B, any: true}", "{reference: C, action: validate}"]),
    (["a"], ["{asset: png, size: 100..300}", "{asset: text, size: 0..9, variants: 2}"]),
    (["ls"], ["{words: 1, list: 0..400}", "{kind: hex, list: 9000}", "{value: x, list: 3}"]),
    (["li"], ["{range: 0..9, list: 9000}", "{sequence: 1, list: {weights: {1: 9, 2..30: 1}}}"]),
    (["lr"], ["{reference: A, list: 0..700}", "ancestors", "{reference: B, list: 2}"]),
    (["la"], ["{asset: jpeg, size: 200..900, list: 0..3}"]),
  ]

  private func recipe(_ random: inout SeededGenerator) -> String {
    let zones = ["Z", "Y", "Z-1", "_defaultZone"]
    var lines = ["recordpack-recipe: 1", "users: 3"]
    lines += ["edge-cases: \(random.below(3) == 0)", "zones:"]
    for zone in zones {
      let shared = zone != "_defaultZone" && random.below(4) == 0
      lines.append(
        "  \(zone): {owners: \(1 + random.below(3)), shared: \(shared)}")
    }
    lines.append("types:")
    for type in ["A", "B", "C"] {
      let home =
        switch random.below(4) {
        case 0: "database: public"
        case 1 where type != "A": "parent: \(type == "B" ? "A" : random.pick(["A", "B"]))"
        default: "zone: \(random.pick(["Z", "Z", "Z"] + zones))"
        }
      let count = random.pick(["2", "0..4", "{weights: {3: 1, 4..6: 0.5}}"])
      lines.append("  \(type):\n    \(home)\n    count: \(count)")
      if random.below(6) == 0 { lines.append("    shared: 0.5") }
      lines.append("    fields:")
      for (fields, rules) in Self.rules {
        for field in fields where random.below(8) == 0 {
          if type == "C", !["s", "i", "r", "lr"].contains(field) { continue }
          if type == "B", field.hasPrefix("e") { continue }
          lines.append("      \(field): \(random.pick(rules))")
        }
      }
    }
    return lines.joined(separator: "\n")
  }

  @Test("are refused with a place, or make what production accepts and a like recipe can learn")
  func all() throws {
    let folder = try TestFolder()
    let schema = try GenerationSamples.schema(GenerationSamples.shortNames)
    let seeds = ProcessInfo.processInfo.environment["RECORDPACK_RECIPE_SEEDS"].flatMap(Int.init)
    var random = SeededGenerator(7)
    var valid = 0
    let count = seeds ?? TestAmount.of(30, some: 8)
    for _ in 0..<count {
      let yaml = recipe(&random)
      do {
        let generation = try Generation(schema: schema, recipe: FixtureRecipe(yaml: yaml))
        let (reader, _) = try GenerationSamples.bundle(generation, in: folder)
        try check(reader, generation, yaml)
        valid += 1
        let like = try FixtureRecipe.starter(for: schema, like: .bundle(reader))
        do {
          let again = try Generation(schema: schema, recipe: FixtureRecipe(yaml: like))
          try check(GenerationSamples.bundle(again, in: folder).reader, again, like)
        } catch let error as FixtureError {
          Issue.record("\(error) in what was learned of\n\(yaml)\n\(like)")
        }
      } catch let error as FixtureError {
        #expect(error.location.line > 1, "\(error)\n\(yaml)")
      }
    }
    #expect(valid > count / 6)
  }

  private func check(_ reader: BundleReader, _ generation: Generation, _ yaml: String) throws {
    #expect(try reader.verify().isIntact, "\(yaml)")
    let validator = RecordValidator(generation.layout.schema)
    try reader.forEachRecord { record, database in
      let problems = validator.problems(in: record, database: database)
      #expect(problems.isEmpty, "\(record): \(problems)\n\(yaml)")
    }
  }
}
