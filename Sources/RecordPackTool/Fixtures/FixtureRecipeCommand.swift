import ArgumentParser
import Foundation
import RecordArchive
import RecordFixtures
import RecordSchema
import RecordText

struct FixtureRecipeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recipe",
    abstract: "Write a recipe to start from.",
    discussion: """
      Writes a recipe for 'recordpack fixture generate', with all types and fields of
      a schema, and comments that say what can be changed.

      With --like, the recipe makes records like those of a bundle or container: as
      many of each type, as many children of a parent, text and lists as long, files
      as large, and as many fields without a value. It has no value of the source, no
      name of a zone, and no user. Numbers are rounded up to powers of ten, so that
      they say little about a single record. The schema is that of the source, unless
      one is given.

      EXAMPLES
        recordpack fixture recipe schema.ckdb
        recordpack fixture recipe schema.ckdb -o starter.yaml
        recordpack fixture recipe --like Tact.recordpack -o like.yaml
      """)

  @Argument(
    help: "The schema: a file, a git revision (main:a.ckdb), a bundle or container.",
    completion: .file(extensions: ["ckdb"]))
  var schema: String?

  @Option(
    help: ArgumentHelp("A bundle or container to learn from.", valueName: "source"),
    completion: .file())
  var like: String?

  @OptionGroup var number: RecordNumberOption

  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard schema != nil || like != nil else {
      throw ValidationError("name a schema, or a source by --like")
    }
    try refuse([("--per-type", number.isGiven)], when: like != nil, "with --like")
    try refuseSecondStandardInput([schema, like])
  }

  func run() throws {
    try output.check(inputs: [schema, like])
    let text = try recipe()
    try output.write(text, shown: StandardOutput.shown(text))
    if let file = output.file { StandardError.write("Wrote '\(file)'\n") }
  }

  private func recipe() throws -> String {
    let given = try schema.map { try SchemaInput.whole($0) }
    guard let like else {
      return FixtureRecipe.starter(
        for: given?.schema ?? CloudSchema(), given?.model, records: number.count)
    }
    let source = try Inputs.source(like)
    let own = try given?.schema ?? source.info().schemaDocument(of: like)?.validSchema()
    guard let own else {
      throw CommandError(
        "'\(like)' has no schema: name one; 'recordpack schema infer' creates one from the records")
    }
    let bar = ProgressBar("learning", besideOutput: false)
    defer { ProgressBar.clearLine() }
    return try FixtureRecipe.starter(for: own, like: source) { try bar?.update($0) }
  }
}
