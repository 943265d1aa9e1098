import RecordArchive
import RecordBundle
import RecordModel
import RecordSchema
import TestSupport
import Testing

@testable import RecordFixtures

/// What a generation makes, what is learned of it, and what that makes.
struct LearnedCircle {
  let old: [String: [ResultRecord]]
  let recipe: FixtureRecipe
  let new: [String: [ResultRecord]]

  /// Expects that the learned recipe is accepted, and that its records are valid.
  init(_ generation: Generation, in folder: TestFolder) throws {
    let source = try GenerationSamples.bundle(generation, in: folder).reader
    let yaml = try FixtureRecipe.starter(for: generation.schema, like: .bundle(source))
    recipe = try FixtureRecipe(yaml: yaml)
    let again = try Generation(schema: generation.schema, recipe: recipe, seed: 5)
    let copy = try GenerationSamples.bundle(again, in: folder).reader
    #expect(try copy.verify().isIntact)
    let validator = RecordValidator(again.layout.schema)
    try copy.forEachRecord { record, database in
      #expect(validator.problems(in: record, database: database).isEmpty, "\(record)")
    }
    old = try GenerationSamples.records(source)
    new = try GenerationSamples.records(copy)
  }

  func rule(_ field: String, of type: String = "T") -> FieldRule? {
    recipe.types.first { $0.name == type }?.fields[field]
  }

  /// The kind of a field's values, as recipes have it.
  func kind(_ field: String, of type: String = "T") -> String? {
    rule(field, of: type)?.kind?.yaml
  }
}

extension GeneratedValues {
  /// The members of a recipe that say so: `words: 1..3`.
  var yaml: String { members.map { "\($0.name): \($0.text)" }.joined(separator: ", ") }
}
