import ArgumentParser
import Foundation
import RecordSchema
import RecordText
import AppModel

struct SchemaScanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Check whether production has what an app's Swift code uses.",
    discussion: """
      Reads Swift source code, and reports record types and fields that the schema
      lacks. Also reports fields that the code uses encrypted and the schema has
      plain, or the other way round. Each finding has its file, line and column.

      Only the code is read: subscripts and calls of variables that are declared as
      a CKRecord, a DraftRecord or a ResultRecord, records that are created, and
      queries. Names and predicates that are computed are counted, not checked.
      Files that import XCTest or Testing are left out if there are others.

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

  @OptionGroup var models: ModelOptions
  @OptionGroup var report: SchemaReportOptions

  func run() throws {
    let configuration = try report.configuration()
    let document = try SchemaInput.whole(schema, models, report.format)
    let (scan, isWhole) = try scanned()
    let found = try SchemaChecker(configuration: configuration).check(
      scan.uses, against: document)
    try report.tell(found, configuration, ReportedSchemas(to: document))
    guard isWhole else { throw ExitCode.findings }
  }

  /// The maximum total size of the files in bytes.
  private static let maxTotal = 1 << 30

  /// - Returns: The scan, and whether it has all files.
  private func scanned() throws -> (SourceScan, isWhole: Bool) {
    var total = 0
    var files: [(name: String, bytes: [UInt8])] = []
    let skipped = try SwiftFiles.each(sources) { name, bytes in
      total += bytes.count
      guard total <= Self.maxTotal else {
        throw CommandError("the Swift files have more than \(Numbers.size(Self.maxTotal))")
      }
      files.append((name, bytes))
    }
    for file in skipped { ErrorReport.warn("'\(file.name)' is not scanned: \(file.reason)") }
    guard !files.isEmpty else {
      let named = sources.joined(separator: "', '")
      guard !skipped.isEmpty else { throw CommandError("there is no Swift file in '\(named)'") }
      ErrorReport.report("no Swift file of '\(named)' can be read: nothing was checked", .findings)
      throw ExitCode.findings
    }
    let folders = try sources.filter(Inputs.isDirectory).map(FolderFiles.init)
    let allowed = try folders.map { try $0.entitlements()?.allowsCloud ?? true }
    let scan = SourceScan(
      files: files, named: sources.joined(separator: ", "),
      allowsCloudKit: allowed.isEmpty || allowed.contains(true))
    return (scan, skipped.isEmpty)
  }
}
