import ArgumentParser
import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordSchema
import RecordText

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two bundles or containers, field by field.",
    discussion: """
      Shows what exists only in the second (+), only in the first (-), and what
      changed (~). The values of encrypted fields are hidden unless
      --show-encrypted is given. Exits with 1 if there are differences; with --quiet,
      that is all, and the comparison ends at the first one.

      Assets are compared by their SHA-256 and size. The bytes of a container's assets
      are read, as an export does, and an asset with other bytes is damage.

      --ignore takes system fields: changeTag, created, modified, parent, share,
      and the names of members that only some records have. Change tags of deletions
      are never compared.

      With --where, compares only records, and of these the ones that meet the
      condition in the first or in the second. Records for which a function has no
      value are left out and reported; the exit code is then 1.

      --format html writes a page without scripts: a summary, then the changes by
      zone and type, each changed field with its old and new value. With --stat, only
      the summary.

      EXAMPLES
        recordpack diff Tact.sqlite Tact.recordpack
        recordpack diff before.recordpack after.recordpack --stat
        recordpack diff before.recordpack after.recordpack --ignore changeTag
        recordpack diff before.recordpack after.recordpack --where "chat = 'chat-2'"
        recordpack diff Tact.sqlite Tact.recordpack --quiet || echo changed
        recordpack diff Tact.sqlite after.recordpack --json | jq .changes
        recordpack diff Tact.sqlite after.recordpack --format html -o d.html
      """)

  @Argument(help: "A bundle or container.", completion: .file())
  var first: String

  @Argument(help: "A bundle or container.", completion: .file())
  var second: String

  @Flag(help: "Show only counts of the differences, by database, zone and type.")
  var stat = false

  @Option(
    help: ArgumentHelp(
      "Ignore these system fields, separated by commas.", valueName: "names"),
    completion: .list(systemFields))
  var ignore: [String] = []

  @Flag(help: "Compare only records, no zones, subscriptions, tombstones or assets.")
  var recordsOnly = false

  @Flag(help: "Show the values of encrypted fields and the keys of assets.")
  var showEncrypted = false

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup(title: "SELECTION") var condition: ConditionOptions
  @Flag(
    name: [.short, .long],
    help: "Write nothing; the exit code says whether there are differences.")
  var quiet = false

  @Option(
    help: ArgumentHelp(
      "The output format: text, or html for a page. (default: text)", valueName: "format"))
  var format: Format?

  @OptionGroup var output: OutputOptions
  @OptionGroup var report: ReportOptions

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, html
  }

  private var isPage: Bool { format == .html }

  func validate() throws {
    try refuseSecondStandardInput([first, second])
    guard ignore.allSatisfy({ !Self.names(in: $0).isEmpty }) else {
      throw ValidationError("--ignore requires the name of a system field")
    }
    try refuse(
      [
        ("--stat", stat), ("--show-encrypted", showEncrypted), ("--json", report.isJSON),
        ("--format", format != nil),
      ] + output.given + report.givenColor, when: quiet, "with --quiet, which writes nothing")
    try refuse([("--show-encrypted", stat && showEncrypted)], "with --stat, which shows no values")
    try refuse(
      [("--records-only", recordsOnly)], when: condition.text != nil,
      "with --where, which compares only records")
    try refuse([("--format", format != nil)], when: report.isJSON, "with --json")
    try refuse(report.givenColor, when: isPage, "to a page")
    try refuse(output.given, when: !isPage, "without --format html")
  }

  func run() throws {
    // Before anything is compared.
    if isPage { try output.check(inputs: [first, second]) }
    let damage = DamagedRows()
    let (a, b) = (try damage.source(first), try damage.source(second))
    var comparison = ArchiveComparison(a, b)
    comparison.filter = try selection.filter(in: [a, b])
    comparison.recordsOnly = recordsOnly
    let check = try condition.check(in: [a, b], comparison.filter)
    comparison.conditions = check.map { ($0[0], $0[1]) }
    comparison.ignoredSystemFields = try ignoredNames(in: [a, b], comparison.filter)
    let bar = ProgressBar("comparing", isQuiet: quiet)
    comparison.progress = { try bar.update($0) }
    let difference = try difference(of: comparison)
    try damage.finish { try check?.finish() }
    if !difference.isEmpty { throw ExitCode.findings }
  }

  /// Compares, and writes the differences.
  private func difference(of comparison: ArchiveComparison) throws -> ArchiveDifference {
    if quiet {
      // The first difference ends the command.
      return try comparison.run { _ in throw ExitCode.findings }
    }
    if isPage { return try page(comparison) }
    return try report.isJSON ? json(comparison) : text(comparison)
  }

  /// The system fields that every record may have.
  private static let systemFields = ["changeTag", "created", "modified", "parent", "share"]

  private static func names(in option: String) -> [String] {
    option.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// The system field names of `--ignore`.
  ///
  /// - Throws: `CommandError` for a name that no record has, as a typo would otherwise have no effect.
  private func ignoredNames(
    in sources: [ArchiveSource], _ filter: RecordFilter
  ) throws -> Set<RecordDifference.SystemField> {
    let names = ignore.flatMap(Self.names)
    let aliases = ["changeTag": "recordChangeTag", "tag": "recordChangeTag"]
    let fields = Set(names.map { aliases[$0] ?? $0 })
    var unknown = fields.subtracting(Self.systemFields + ["recordChangeTag"])
    var near = NearNames(unknown.sorted().first ?? "")
    Self.systemFields.forEach { near.add($0) }
    let found = Set(fields.map { RecordDifference.SystemField($0) })
    guard !unknown.isEmpty else { return found }
    for source in sources {
      try source.readRecords(filter) { record, _ in
        for member in record.systemFields.otherMembers {
          near.add(member.name)
          unknown.remove(member.name)
        }
        return !unknown.isEmpty
      }
      if unknown.isEmpty { return found }
    }
    let name = unknown.sorted().first ?? ""
    let all = Self.systemFields.joined(separator: ", ")
    let hint = near.hint.isEmpty ? "; every record has \(all)" : near.hint
    throw CommandError("no record has a system field '\(name)'\(hint)")
  }
}
