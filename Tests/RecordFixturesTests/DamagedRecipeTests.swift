import RecordMigration
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("Recipes of any text")
struct DamagedRecipeTests {
  private static let pieces = [
    "-9223372036854775808", "9223372036854775807", "..", "{", "}", "[", ":", "\n", "0", "1e308",
    "-1", "%", "null", "weights", "{weights: {1..99: 3}}", "\u{0}",
    "-9223372036854775808..9223372036854775807", "unique: true", "list: 3", "0.25", "''", "é",
  ]

  @Test("either make something or are refused with a place")
  func damage() throws {
    let schema = try GenerationSamples.schema(GenerationSamples.everyType)
    let source = GenerationSamples.everyValue.split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .map(String.init)
    var random = SeededGenerator(11)
    var valid = 0
    for _ in 0..<600 {
      var lines = source
      let place = random.below(lines.count)
      var words = lines[place].split(separator: " ", omittingEmptySubsequences: false).map(
        String.init)
      // Not the spaces in front, which hardly leave YAML.
      let word = random.pick(words.indices.filter { !words[$0].isEmpty })
      switch random.below(4) {
      case 0: words.remove(at: word)
      case 1: words[word] = random.pick(Self.pieces)
      case 2: words[word] += random.pick(Self.pieces)
      default: words.insert(random.pick(Self.pieces), at: word)
      }
      lines[place] = words.joined(separator: " ")
      do {
        let recipe = try FixtureRecipe(yaml: lines.joined(separator: "\n"))
        let generation = try Generation(schema: schema, recipe: recipe)
        guard generation.counts.values.reduce(0, +) < 1000 else { continue }
        try generation.write(to: "/dev/null")
        valid += 1
        // What a recipe says can be written, and read again.
        let text = RecipeText(recipe: recipe, schema: schema, introduction: []).yaml
        let again = try Generation(schema: schema, recipe: FixtureRecipe(yaml: text))
        #expect(again.counts == generation.counts)
      } catch let error as FixtureError {
        #expect(error.location.line >= 1 && error.location.column >= 1)
      }
    }
    #expect(valid > 15)
  }

  @Test("keep text that looks like something else, when they are written again")
  func words() throws {
    let texts = [
      "null", "~", "", "true", "5", "-0.5", "1e3", "a: b", "'", "\"", "none", "#", "é\n",
    ]
    let choices = texts.map { text in
      "\"" + text.replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    }
    let recipe = try FixtureRecipe(
      yaml: """
        recordpack-recipe: 1
        container: "true"
        zones: {"null": {}, "5": {}}
        types:
          Thing:
            zone: "null"
            fields:
              s1: {choice: [\(choices.joined(separator: ", "))]}
              s2: {choice: {\(choices.map { "\($0): 2" }.joined(separator: ", "))}}
              s3: {pattern: "null"}
              s4: {pattern: 5}
              s5: {value: "~"}
        """)
    let schema = try GenerationSamples.schema(GenerationSamples.everyType)
    let text = RecipeText(recipe: recipe, schema: schema, introduction: []).yaml
    let again = try FixtureRecipe(yaml: text)
    #expect(again.container == recipe.container)
    #expect(again.zones.map(\.name) == recipe.zones.map(\.name))
    #expect(again.types[0].home == recipe.types[0].home)
    for name in ["s1", "s2", "s3", "s4", "s5"] {
      let kind = recipe.types[0].fields[name]?.kind?.yaml
      #expect(again.types[0].fields[name]?.kind?.yaml == kind, "\(text)")
    }
  }

  @Test("with the widest ranges make numbers")
  func extremes() throws {
    let folder = try TestFolder()
    let all = "\(Int.min)..\(Int.max)"
    let generation = try GenerationSamples.generation(
      """
      recordpack-recipe: 1
      types:
        Thing:
          count: {weights: {0..999: 1}}
          fields:
            i1: {range: \(all)}
            i2: {range: \(all), unique: true}
            i3: {weights: {\(all): 1}}
            d1: {range: -1e13..1e13, decimals: 2}
      """, schema: GenerationSamples.everyType)
    let (reader, _) = try GenerationSamples.bundle(generation, in: folder)
    #expect(try reader.verify().isIntact)
    for rule in ["{weights: {\(Int.min)0: 1}}", "{range: -1e300..1e300}"] {
      #expect(throws: FixtureError.self) {
        try GenerationSamples.generation(
          "recordpack-recipe: 1\ntypes: {Thing: {fields: {d1: \(rule)}}}",
          schema: GenerationSamples.everyType)
      }
    }
  }
}
