import ArgumentParser

struct FixtureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fixture",
    abstract: "Make test data.",
    discussion: """
      EXAMPLES
        recordpack fixture extract Tact.sqlite --name chat-1 -o chat.recordpack
      """,
    subcommands: [
      FixtureExtractCommand.self, FixtureAnonymiseCommand.self, FixturePolicyCommand.self,
    ])
}
