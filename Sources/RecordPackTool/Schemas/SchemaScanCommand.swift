import ArgumentParser
import RecordSchema
import SourceScan

struct SchemaScanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Check whether production has what an app's Swift code uses.",
    discussion: """
      Reads Swift source code, and reports record types and fields that the schema
      lacks, and fields that the code uses encrypted and the schema has plain, or
      the other way round, with file, line and column.

      Only the code is read: subscripts and calls of what is declared as a CKRecord,
      a DraftRecord or a ResultRecord, records that are created, and queries. What
      the code does not tell is left out. Names that are computed are counted.

      A comment in the line, or above it, allows a known finding:
        // recordpack:allow FIELD_NOT_DEPLOYED is deployed with the next version

      EXAMPLES
        recordpack schema scan Sources --schema production.ckdb
        recordpack schema scan Sources --schema main:CloudKit/schema.ckdb --json
        recordpack schema scan Sources --schema Tact.recordpack --format github
      """)

  @Argument(help: "Swift files, and folders with Swift files.", completion: .file())
  var sources: [String]

  @Option(
    help: ArgumentHelp("The schema of production.", valueName: "schema"), completion: .file())
  var schema: String

  @OptionGroup var report: SchemaReportOptions

  func run() throws {
    let configuration = try report.configuration()
    let document = try SchemaInput.valid(schema, report.format)
    let files = try SwiftFiles.read(sources)
    let scan = SourceScan(files: files, named: sources.joined(separator: ", "))
    let found = try SchemaChecker(configuration: configuration).check(
      scan.uses, against: document)
    try report.tell(found, configuration, ReportedSchemas(to: document))
  }
}
