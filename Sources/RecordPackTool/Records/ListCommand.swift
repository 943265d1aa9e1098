import ArgumentParser
import RecordArchive
import RecordCoding
import RecordModel
import RecordText

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the records of a bundle or container, one per line.",
    discussion: """
      Each line has the database, the zone, the record type and the record name,
      separated by tabs; with --json, it is a JSON object. The order is
      that of a bundle. query shows the fields too, and explains --where. The type of
      Core Data's records is the entity; with --json or --raw, it is the record type.

      EXAMPLES
        recordpack list Tact.recordpack
        recordpack list Tact.sqlite --type Message --since 2025-01-31 | wc -l
        recordpack list Tact.recordpack | cut -f3 | sort | uniq -c
        recordpack list Tact.recordpack --json | jq -r .recordName
        recordpack list Tact.sqlite --where "has chat" --name '0*' --limit 5
        recordpack list Tact.recordpack --assets
      """)

  @Argument(help: "A bundle or container; - is standard input.", completion: .file())
  var source: String

  @Flag(help: "List the SHA-256 and size of the selected records' assets instead.")
  var assets = false

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup(title: "SELECTION") var choice: MatchOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    try refuse(report.givenColor, "to a list, which has no colours")
  }

  func run() throws {
    let choice = try RecordSelection(
      selection, choice, in: try Inputs.source(source), path: source)
    choice.bar = ProgressBar("reading", besideOutput: !assets)
    let output = StandardOutput()
    if assets {
      try listAssets(choice, output)
    } else {
      try listRecords(choice, output)
    }
    try output.flush()
    try choice.finish()
  }

  private func listRecords(_ choice: RecordSelection, _ output: StandardOutput) throws {
    guard report.isJSON || !choice.view.hasObjects else {
      return try choice.forEachRecord { record, database in
        let location = RecordLocation(database, record)
        try output.line(
          location.text(record.entityName ?? record.recordType, separator: "\t"))
      }
    }
    try choice.forEachID { recordID, type, database in
      let location = RecordLocation(database, recordID)
      try output.line(
        report.isJSON ? location.json(type).visibleText : location.text(type, separator: "\t"))
    }
  }

  /// Lists assets. The limit is one of assets, not of the records that refer to them.
  private func listAssets(_ choice: RecordSelection, _ output: StandardOutput) throws {
    let wanted = try choice.isAll ? nil : choice.assetDigests()
    let assets = try choice.source.assets().filter { wanted?.contains($0.sha256) != false }
    for asset in assets.prefix(self.choice.limit ?? .max) {
      let json: JSONValue = ["sha256": asset.sha256, "size": asset.size]
      try output.line(report.isJSON ? json.visibleText : "\(asset.sha256)\t\(asset.size)")
    }
  }
}
