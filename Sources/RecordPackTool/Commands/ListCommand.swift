import ArgumentParser
import RecordArchive
import RecordCoding
import RecordModel

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the records of a bundle or container, one per line.",
    discussion: """
      Each line has the database, the zone, the record type and the record name,
      separated by tabs; with --format json, it is a JSON object. The order is
      that of a bundle.

      EXAMPLES
        recordpack list Tact.recordpack
        recordpack list Tact.sqlite --type Message --since 2025-01-31 | wc -l
        recordpack list Tact.recordpack | cut -f3 | sort | uniq -c
        recordpack list Tact.recordpack --format json | jq -r .recordName
        recordpack list Tact.recordpack --assets
      """)

  @Argument(help: "A bundle or container; - is standard input.", completion: .file())
  var source: String

  @Flag(help: "List the SHA-256 and size of the selected records' assets instead.")
  var assets = false

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    try refuse([("--color", report.color == .always)], "to a list, which has no colours")
  }

  func run() throws {
    let source = try Inputs.source(source)
    let output = StandardOutput()
    let filter = try selection.filter(in: [source])
    if assets {
      try listAssets(source, filter, output)
    } else {
      try listRecords(source, filter, output)
    }
    try output.flush()
  }

  private func listRecords(
    _ source: ArchiveSource, _ filter: RecordFilter, _ output: StandardOutput
  ) throws {
    func write(_ recordID: RecordID, _ type: String, _ database: DatabaseScope) throws {
      let identity = Identity(database, recordID.zoneID, type: type, name: recordID.recordName)
      try output.line(report.isJSON ? identity.json.visibleText : identity.text(separator: "\t"))
    }
    try source.forEachRecordID(filter, write)
  }

  private func listAssets(
    _ source: ArchiveSource, _ filter: RecordFilter, _ output: StandardOutput
  ) throws {
    let wanted = filter == .all ? nil : try source.assetDigests(of: filter)
    for asset in try source.assets() where wanted?.contains(asset.sha256) != false {
      let json = JSONValue.object([
        .init("sha256", .string(asset.sha256)), .init("size", .integer(asset.size)),
      ])
      try output.line(report.isJSON ? json.visibleText : "\(asset.sha256)\t\(asset.size)")
    }
  }
}
