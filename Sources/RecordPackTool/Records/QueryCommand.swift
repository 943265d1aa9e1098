import ArgumentParser
import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordText

struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Show chosen records, or their assets, as a table, CSV or JSON.",
    discussion: """
      A table has the columns recordName and recordType, then those of --fields:
      fields, and zoneName, ownerName, database, parent, share, recordChangeTag,
      creationDate, creatorUserRecordID, modificationDate, lastModifiedUserRecordID.
      A field that is named like one of these is written field('parent'). Without
      --fields, there are the fields that most of the first 20 records that are shown
      have, and the column of --sort. Dates are in ISO 8601, bytes in base64,
      references the names of their records, assets their SHA-256. Lists are JSON in
      CSV.

      On a terminal, columns at the end and then long values are cut to its width;
      names of records are not. If the records are in several zones, there is a
      column zoneName. In a file or pipe nothing is cut, and the first 1,000 rows, or
      1 MiB of them, decide the widths. CSV is that of RFC 4180; a missing value is
      empty, an empty text \"\". A text that begins with = + - @, a tab or a
      carriage return gets a ' before it. No spreadsheet then runs it as a formula.
      With --json, each record is a line as in a bundle, or has the members and
      fields of --fields.

      --where chooses records as a CloudKit query does, by =, !=, <, <=, >, >=,
      BETWEEN, IN, BEGINSWITH, CONTAINS (of a list) and AND; self CONTAINS 'words'
      searches text. Beside these it has OR, NOT before any part, has FIELD,
      functions of migration plans' expressions such as length(text), and comparisons
      of two fields. recordName, recordType, zoneName, ownerName, database, parent,
      creationDate and modificationDate are known too. Text stands for a date in ISO
      8601, and for a reference by its record name. Records for which a function has
      no value, such as number(text), are left out and reported; the exit code is
      then 1. --where and --sort read encrypted fields too. --sort keeps up to
      100,000 records and 256 MiB in memory, and rejects more; with --limit, only
      that many.

      Core Data's records are shown as objects: recordType is the entity, and fields
      have the names of attributes; --where, --sort and --fields use these names.
      --json writes records as they are; --raw shows and names them so.

      EXAMPLES
        recordpack query Tact.recordpack --type Chat
        recordpack query Tact.sqlite --where "chat = 'c1' AND sentAt > '2025-06-01'"
        recordpack query Tact.sqlite --where "self CONTAINS 'hiking boots'" --json
        recordpack query Tact.sqlite --type Message --sort -sentAt --limit 10
        recordpack query Tact.sqlite --where "has chat" --fields chat,creationDate
        recordpack query Tact.sqlite --where "modificationDate > '2025-06-01'"
        recordpack query Tact.sqlite --type 'Mess*' --format csv > m.csv
        recordpack query Tact.sqlite --name 'chat-?' --json | jq .fields
        recordpack query Tact.recordpack --where "zoneName = 'Chats'" --count
        recordpack query Tact.sqlite --fields recordName --json | jq -r .recordName
        recordpack query Tact.recordpack --assets
      """)

  @Argument(help: "A bundle or container; - is standard input.", completion: .file())
  var source: String

  @Option(
    help: ArgumentHelp(
      "The columns, separated by commas. May be given several times.", valueName: "names"))
  var fields: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Sort by this column, or with a - before it in descending order. Records without a value "
        + "come last, and equal ones stay in the order of a bundle.", valueName: "name"))
  var sort: String?

  @Flag(help: "Write only the number of records.")
  var count = false

  @Flag(help: "Show the SHA-256 and size of the records' assets, in place of the records.")
  var assets = false

  @Flag(help: "Show the values of encrypted fields and the keys of assets.")
  var showEncrypted = false

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup(title: "SELECTION") var choice: MatchOptions
  @OptionGroup var table: TableOptions

  private var report: ReportOptions { table.report }

  func validate() throws {
    try refuse(
      [
        ("--fields", !fields.isEmpty), ("--sort", sort != nil), ("--format", table.format != nil),
        ("--show-encrypted", showEncrypted), ("--limit", choice.limit != nil),
        ("--assets", assets),
      ] + report.givenColor, when: count, "with --count")
    try refuse(
      [
        ("--fields", !fields.isEmpty), ("--sort", sort != nil), ("--show-encrypted", showEncrypted),
        ("--raw", choice.raw),
      ], when: assets, "with --assets")
    _ = try columns()
    guard sort?.isEmpty != true, sort != "-" else {
      throw ValidationError("--sort requires the name of a column")
    }
  }

  func run() throws {
    let damage = DamagedRows()
    let source = try damage.source(source)
    let sortColumn = sort.map {
      QueryColumn(argument: $0.hasPrefix("-") ? String($0.dropFirst()) : $0)
    }
    let columns = try columns()
    let named =
      (columns ?? []).compactMap { column in
        column.fieldName.map { NamedField(name: $0, place: "--fields") }
      } + [sortColumn?.fieldName].compactMap { $0.map { NamedField(name: $0, place: "--sort") } }
    let choice = try RecordSelection(
      selection, choice, in: source, path: self.source, reading: named)
    choice.bar = ProgressBar("reading", besideOutput: !count && !assets && sort == nil)
    let output = StandardOutput()
    if count {
      try writeCount(of: choice, to: output)
    } else if assets {
      try writeAssets(of: choice, to: output)
    } else {
      try writeRecords(of: choice, columns, sortColumn, to: output)
    }
    try output.flush()
    try damage.finish { try choice.finish() }
  }

  private func writeRecords(
    of choice: RecordSelection, _ columns: [QueryColumn]?, _ sortColumn: QueryColumn?,
    to output: StandardOutput
  ) throws {
    let rows = sort.map {
      RowSort<QueryOutput.Row>(isDescending: $0.hasPrefix("-"), limit: self.choice.limit)
    }
    choice.wantsTotal = table.form == .table && StandardOutput.isTerminal
    var writer = QueryOutput(
      table.form, fields: columns, sortedBy: sortColumn, rows, showEncrypted: showEncrypted, choice,
      report.style, output)
    if rows == nil, writer.needsOnlyIDs {
      try choice.forEachID { try writer.add($0, $1, $2) }
    } else {
      try choice.forEachRecord(isLimited: sort == nil) { try writer.add($0, $1) }
    }
    try writer.finish(total: choice.total)
  }

  /// Writes assets. The limit is one of assets, not of the records that refer to them.
  private func writeAssets(of choice: RecordSelection, to output: StandardOutput) throws {
    let wanted = try choice.isAll ? nil : choice.assetDigests()
    let assets = try choice.source.assets().filter { wanted?.contains($0.sha256) != false }
    var rows = RowWriter(table.form, ["sha256", "size"], report.style, output)
    for asset in assets.prefix(self.choice.limit ?? .max) {
      try rows.add([asset.sha256, String(asset.size)]) {
        ["sha256": asset.sha256, "size": asset.size]
      }
    }
    try rows.finish(total: assets.count)
  }

  private func writeCount(of choice: RecordSelection, to output: StandardOutput) throws {
    var count = 0
    try choice.forEachID { _, _, _ in count += 1 }
    let document = ReportOptions.document("query", ["count": count])
    try output.line(report.isJSON ? document.visibleText : String(count))
  }

  private static func names(in option: String) -> [String] {
    option.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }

  /// The columns of `--fields`, after those that every table has; nil if it was not given.
  private func columns() throws -> [QueryColumn]? {
    guard !fields.isEmpty else { return nil }
    var columns = QueryColumn.identity
    for name in fields.flatMap(Self.names) {
      guard !name.isEmpty else { throw ValidationError("--fields requires the name of a column") }
      let column = QueryColumn(argument: name)
      let isKnown = columns.contains { $0.title.sameScalars(as: name) }
      if !isKnown { columns.append(column) }
    }
    return columns
  }
}
