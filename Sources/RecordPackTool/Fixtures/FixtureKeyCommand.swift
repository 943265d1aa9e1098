import ArgumentParser
import RecordFixtures

struct FixtureKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Make a key for 'recordpack fixture anonymise'.",
    discussion: """
      Writes 32 random bytes of the system in Base64. Whoever has the key can confirm
      a guess about each value: keep it like a password, and out of the repository.
      With the same key, a name gets the same pseudonym in every bundle.

      EXAMPLES
        recordpack fixture key -o anonymise.key
      """)

  @OptionGroup var output: OutputOptions

  func run() throws {
    try output.check(inputs: [])
    try output.write(AnonymisationKey.random() + "\n")
  }
}
