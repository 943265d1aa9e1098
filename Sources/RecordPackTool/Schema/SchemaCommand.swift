import ArgumentParser

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints, checks, compares and infers CloudKit schemas (.ckdb).",
    discussion: """
      A SCHEMA is a file in CloudKit's schema language, - for standard input, a
      file in git (main:CloudKit/schema.ckdb), or a bundle or container, whose own
      schema is meant.

      EXAMPLES
        recordpack schema diff production.ckdb CloudKit/schema.ckdb
        recordpack schema explain INDEX_REMOVED

      EXIT CODES
        0    clean
        1    findings at or above --fail-on
        2    could not be judged: unreadable, empty, truncated or wrong
      """,
    subcommands: [
      SchemaDiffCommand.self, SchemaValidateCommand.self, SchemaPrintCommand.self,
      SchemaInferCommand.self, SchemaExplainCommand.self,
    ])
}
