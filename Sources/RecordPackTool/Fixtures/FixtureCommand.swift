import ArgumentParser
import RecordFixtures

struct FixtureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fixture",
    abstract: "Make test data.",
    discussion: """
      EXAMPLES
        recordpack fixture generate --schema schema.ckdb -o chats.recordpack
        recordpack fixture extract Tact.sqlite --name chat-1 -o chat.recordpack
        recordpack fixture anonymise Tact.sqlite --policy p.yml -o test.recordpack
      """,
    subcommands: [
      FixtureGenerateCommand.self, FixtureRecipeCommand.self, FixtureExtractCommand.self,
      FixtureKeyCommand.self, FixturePolicyCommand.self, FixtureAnonymiseCommand.self,
      FixtureCheckCommand.self,
    ])
}

/// The number of records where no recipe says it.
struct RecordNumberOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many records of each type without a parent. "
        + "(default: \(FixtureRecipe.defaultRecords))", valueName: "n"))
  var perType: Int?

  func validate() throws {
    guard let perType, !(0...FixtureRecipe.maxRecords).contains(perType) else { return }
    throw ValidationError(
      "--per-type must be from 0 to \(FixtureRecipe.maxRecords), not \(perType)")
  }

  var isGiven: Bool { perType != nil }

  var count: Int { perType ?? FixtureRecipe.defaultRecords }
}
