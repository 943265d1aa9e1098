import Foundation
import RecordPack
import TestSupport
import Testing

/// The code of RecordFixtures' article about generated records.
struct GenerationSnippetTests {
  private let text = "DEFINE SCHEMA RECORD TYPE Chat (title STRING);"
  private let yaml = "{recordpack-recipe: 1, types: {Chat: {count: 4}}}"

  func generating() throws {
    let schema = try SchemaDocument(parsing: text).validSchema()
    let generation = try Generation(schema: schema, seed: 42)
    let report = try generation.write(to: "few.recordpack")
    print(report.records, report.contentHash)

    let recipe = try FixtureRecipe(yaml: yaml, file: "recipe.yaml")
    let chats = try Generation(schema: schema, recipe: recipe, seed: 42)
    try chats.write(to: "chats.recordpack")
  }

  @Test("records for a schema and a recipe")
  func recipe() throws {
    let schema = try SchemaDocument(parsing: text).validSchema()
    let recipe = try FixtureRecipe(yaml: yaml)
    let folder = try TestFolder()
    let report = try Generation(schema: schema, recipe: recipe).write(to: folder.path("a"))
    #expect(report.counts == ["Chat": 4])
  }

  @Test("the recipe of the article")
  func article() throws {
    let article = try String(
      contentsOfFile: Place.inPackage(
        "Sources/RecordFixtures/Documentation.docc/GeneratingRecords.md"), encoding: .utf8)
    let recipe = try #require(
      article.components(separatedBy: "```yaml\n").last?.components(separatedBy: "```").first)
    let schema = try SchemaDocument(
      parsing: """
        DEFINE SCHEMA
          RECORD TYPE Chat (title STRING);
          RECORD TYPE Message (photo ASSET, number INT64);
          RECORD TYPE Reaction (emoji STRING);
        """
    ).validSchema()
    let generation = try Generation(schema: schema, recipe: FixtureRecipe(yaml: recipe))
    #expect(generation.counts["Chat"] == 60)
  }
}
