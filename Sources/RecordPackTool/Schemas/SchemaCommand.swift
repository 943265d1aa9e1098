import ArgumentParser

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract:
      "Print, check, compare, infer and draw CloudKit schemas (.ckdb), and generate Swift code.",
    discussion: """
      A SCHEMA is a file in CloudKit's schema language, - for standard input, a
      file in git (main:CloudKit/schema.ckdb), or a bundle or container with a
      schema.

      EXAMPLES
        recordpack schema diff production.ckdb CloudKit/schema.ckdb
        recordpack schema generate schema.ckdb --swift Sources/Model
        recordpack schema explain INDEX_REMOVED

      EXIT CODES
        0    no findings
        1    findings at or above --fail-on
        2    no result: the schema is unreadable, empty, truncated or invalid
      """,
    subcommands: [
      SchemaDiffCommand.self, SchemaValidateCommand.self, SchemaPrintCommand.self,
      SchemaInferCommand.self, SchemaGenerateCommand.self, SchemaProtectionCommand.self,
      SchemaExplainCommand.self, SchemaDrawCommand.self, SchemaScanCommand.self,
    ])
}
