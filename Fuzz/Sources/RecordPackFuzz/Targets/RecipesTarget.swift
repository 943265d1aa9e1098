import RecordSchema

@testable import RecordFixtures

/// Recipes of fixtures, and the records that small ones make.
struct RecipesTarget: FuzzTarget {
  private let schema: CloudSchema

  init() throws {
    schema = try SchemaDocument(
      parsing: """
        DEFINE SCHEMA
          RECORD TYPE T (
            s STRING, i INT64, d DOUBLE, t TIMESTAMP, b BYTES, l LOCATION, r REFERENCE,
            a ENCRYPTED STRING, x LIST<STRING>, y LIST<REFERENCE>
          );
          RECORD TYPE U ( t REFERENCE, n INT64 );
        """
    ).validSchema()
  }

  func run(_ input: [UInt8]) throws {
    let recipe = try FixtureRecipe(yaml: String(decoding: input, as: UTF8.self))
    // Many parents are counted one by one.
    guard recipe.types.allSatisfy({ $0.count.bounds.upperBound <= 100 }), recipe.types.count < 4,
      recipe.zones.allSatisfy({ $0.owners <= 4 })
    else { return }
    let generation = try Generation(schema: schema, recipe: recipe)
    guard generation.layout.records < 1000 else { return }
    try generation.write(to: "/dev/null")
    // What a recipe says can be written and read again.
    let text = RecipeText(recipe: recipe, schema: schema, introduction: []).yaml
    let again = requireNoError("a printed recipe is refused: \(text)") {
      try FixtureRecipe(yaml: text)
    }
    require(again.types.count == recipe.types.count, "a printed recipe is another one")
  }
}
