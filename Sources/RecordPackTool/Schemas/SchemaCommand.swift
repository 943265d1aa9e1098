import ArgumentParser
import RecordSchema

struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract:
      "Print, check, compare, infer, draw and deploy CloudKit schemas (.ckdb).",
    discussion: """
      A SCHEMA is a file in CloudKit's schema language, - for standard input, a
      file in git (main:CloudKit/schema.ckdb), or a bundle or container with a
      schema. It may also be the model of an app with Core Data, SwiftData or
      SQLiteData: an .xcdatamodeld, a Swift file, or a folder with either. A version
      follows a number sign: App.xcdatamodeld#V2, Sources/Models#SchemaV1.

      EXAMPLES
        recordpack schema diff production.ckdb CloudKit/schema.ckdb
        recordpack schema diff production.ckdb App/Models
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
      SchemaDeployCommand.self,
    ])
}

struct SchemaValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check a schema against the rules of the language and CloudKit's limits.",
    discussion: """
      EXAMPLES
        recordpack schema validate CloudKit/schema.ckdb
        recordpack schema validate App/Models
        recordpack schema validate - --fail-on warning < schema.ckdb
        recordpack schema validate CloudKit/schema.ckdb --format sarif > schema.sarif
      """)

  @Argument(help: "A schema, or a model.", completion: .file())
  var schema: String

  @OptionGroup var models: ModelOptions
  @OptionGroup var report: SchemaReportOptions

  func run() throws {
    let configuration = try report.configuration()
    let document = try SchemaInput.valid(schema, report.format, models)
    let found = try SchemaChecker(configuration: configuration).validate(document)
    try report.tell(found, configuration, ReportedSchemas(to: document))
  }
}
