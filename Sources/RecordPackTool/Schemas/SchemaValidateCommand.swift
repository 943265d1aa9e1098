import ArgumentParser
import RecordSchema

struct SchemaValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check a schema against the rules of the language and CloudKit's limits.",
    discussion: """
      EXAMPLES
        recordpack schema validate CloudKit/schema.ckdb
        recordpack schema validate - --fail-on warning < schema.ckdb
        recordpack schema validate CloudKit/schema.ckdb --format sarif > schema.sarif
      """)

  @Argument(help: "A schema.", completion: .file())
  var schema: String

  @OptionGroup var report: SchemaReportOptions

  func run() throws {
    let configuration = try report.configuration()
    let document = try SchemaInput.valid(schema, report.format)
    let found = try SchemaChecker(configuration: configuration).validate(document)
    try report.tell(found, configuration, ReportedSchemas(to: document))
  }
}
