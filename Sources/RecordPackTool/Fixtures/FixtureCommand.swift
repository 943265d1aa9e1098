import ArgumentParser

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
      FixtureAnonymiseCommand.self, FixturePolicyCommand.self,
    ])

  init() {}
}
