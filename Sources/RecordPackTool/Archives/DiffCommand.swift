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

      --ignore takes system fields: changeTag, created, modified, parent, share,
      and the names of members that only some records have.

      --format html writes a page without scripts: a summary, then the changes by
      zone and type, each changed field with its old and new value. With --stat, only
      the summary.

      EXAMPLES
        recordpack diff Tact.sqlite Tact.recordpack
        recordpack diff before.recordpack after.recordpack --stat
        recordpack diff before.recordpack after.recordpack --ignore changeTag
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
  @Flag(
    name: [.short, .long],
    help: "Write nothing; the exit code says whether there are differences.")
  var quiet = false

  @OptionGroup var output: DiffOutputOptions

  func validate() throws {
    try refuseSecondStandardInput([first, second])
    guard ignore.allSatisfy({ !Self.names(in: $0).isEmpty }) else {
      throw ValidationError("--ignore requires the name of a system field")
    }
    try refuse(
      [
        ("--stat", stat), ("--show-encrypted", showEncrypted), ("--json", output.isJSON),
        ("--format", output.format != nil), ("--output", output.output != nil),
        ("--force", output.force),
        ("--color", output.color == .always),
      ], when: quiet, "with --quiet, which writes nothing")
    try refuse([("--show-encrypted", stat && showEncrypted)], "with --stat, which shows no values")
  }

  func run() throws {
    if let file = output.file {
      // Before anything is compared.
      try Inputs.refuseOverwriting([first, second], by: [.init(path: file)])
      try TextFile.refuseExisting(file, overwrite: output.force)
    }
    let (a, b) = (try Inputs.source(first), try Inputs.source(second))
    var comparison = ArchiveComparison(a, b)
    comparison.filter = try selection.filter(in: [a, b])
    comparison.recordsOnly = recordsOnly
    comparison.ignoredSystemFields = try ignoredNames(in: [a, b], comparison.filter)
    let bar = ProgressBar("comparing", isQuiet: quiet)
    comparison.progress = { try bar.update($0) }
    if quiet { return try findAny(comparison) }
    if output.isPage {
      if try !page(comparison).isEmpty { throw ExitCode.findings }
      return
    }
    let difference = try output.isJSON ? json(comparison) : text(comparison)
    if !difference.isEmpty { throw ExitCode.findings }
  }

  /// Ends the command with exit code 1 at the first difference.
  private func findAny(_ comparison: ArchiveComparison) throws {
    let difference = try comparison.run { _ in throw ExitCode.findings }
    if !difference.isEmpty { throw ExitCode.findings }
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
    struct AllFound: Error {}
    do {
      for source in sources {
        try source.forEachRecord(filter) { record, _ in
          for member in record.systemFields.otherMembers {
            near.add(member.name)
            unknown.remove(member.name)
          }
          if unknown.isEmpty { throw AllFound() }
        }
      }
    } catch is AllFound {
      return found
    }
    let name = unknown.sorted().first ?? ""
    let all = Self.systemFields.joined(separator: ", ")
    let hint = near.hint.isEmpty ? "; every record has \(all)" : near.hint
    throw CommandError("no record has a system field '\(name)'\(hint)")
  }

  private func text(_ comparison: ArchiveComparison) throws -> ArchiveDifference {
    let standard = StandardOutput()
    let printer = ChangeText(style: output.style, showEncrypted: showEncrypted)
    var statistics = DifferenceStatistics()
    let difference = try comparison.run { change in
      if stat { return statistics.add(change) }
      ProgressBar.clearLine()
      for line in printer.lines(change) { try standard.line(line) }
    }
    ProgressBar.clearLine()
    if stat, !difference.isEmpty {
      for line in statistics.table.lines(output.style) { try standard.line(line) }
    }
    if !difference.isEmpty { try standard.line() }
    try standard.line(Self.summary(difference))
    try standard.flush()
    return difference
  }

  private static func summary(_ difference: ArchiveDifference) -> String {
    let same = "\(Numbers.count(difference.unchanged, "record")) the same"
    guard !difference.isEmpty else { return "No differences: \(same)" }
    var parts: [String] = []
    if difference.added > 0 { parts.append("\(Numbers.grouped(difference.added)) added") }
    if difference.removed > 0 { parts.append("\(Numbers.grouped(difference.removed)) removed") }
    if difference.changed > 0 { parts.append("\(Numbers.grouped(difference.changed)) changed") }
    parts.append("\(Numbers.grouped(difference.unchanged)) the same")
    let others =
      difference.others == 0
      ? "" : "; \(Numbers.count(difference.others, "other difference"))"
    return "Records: \(parts.joined(separator: ", "))\(others)"
  }

  private func json(_ comparison: ArchiveComparison) throws -> ArchiveDifference {
    let standard = StandardOutput()
    let document = DifferenceDocument(
      first: first, second: second, showEncrypted: showEncrypted, output: standard)
    var statistics = DifferenceStatistics()
    let difference = try document.write(statistics: { stat ? statistics.json : nil }) { body in
      try comparison.run { change in
        if stat { statistics.add(change) } else { try body(change) }
      }
    }
    ProgressBar.clearLine()
    try standard.flush()
    return difference
  }
}
