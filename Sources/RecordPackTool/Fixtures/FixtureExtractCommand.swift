import ArgumentParser
import RecordArchive
import RecordCoding
import RecordFixtures
import RecordModel
import RecordText
import Synchronization

struct FixtureExtractCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Cut records out of a bundle or container, with what they need.",
    usage: "recordpack fixture extract <source> -o <output> [<options>]",
    discussion: """
      Writes a bundle with the records that are asked for, and the records that they
      need. --closure names the relations. A number after a colon is the greatest
      number of steps, as in children:1; without it there is no limit.

        parents     the record above, as far as the root of the hierarchy;
        references  the records that fields refer to, or Core Data's relationships;
        links       the objects that Core Data's many-to-many relationships link;
        shares      the share of a record, and the share of its zone;
        assets      the bytes of assets; without them, assets have metadata only;
        children    the records below; finding them reads the whole zones

      Without --closure, all relations except children apply, over one link; with
      --closure nothing, none does. The bundle has the zones of the records, the
      schema and the accounts; it has no subscriptions and no traces of deleted
      records.

      --limit takes the first of the records that are asked for. --cap limits the
      added records: so many records of one type by one relation. The report counts
      the records that were cut.

      The exit code is 1 if a record that was asked for by --name does not exist, or
      if the bytes of assets are missing in the source. References to records that
      the source does not have are counted.

      EXAMPLES
        recordpack fixture extract Tact.recordpack --name chat-1 -o one.recordpack
        recordpack fixture extract Tact.sqlite --where "chat='chat-2'" -o one
        recordpack fixture extract Tact.sqlite --type Chat --closure children:1 -o all
        recordpack fixture extract Tact.sqlite --type Message --limit 9 -o some
        recordpack fixture extract Tact.sqlite --type Chat --cap 9 --explain -o why
      """)

  @Argument(help: "A bundle or container; - is standard input.", completion: .file())
  var source: String

  @OptionGroup var output: BundleOutputOptions

  @Option(
    help: ArgumentHelp("The relations that add records.", valueName: "relations"),
    completion: .list(["parents", "references", "links", "shares", "assets", "children", "nothing"])
  )
  var closure: ClosureArgument = ClosureArgument(closure: .needed)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "At most this many added records of a type by one relation.", valueName: "n"))
  var cap: Int?

  @Flag(help: "Print why each record was taken.")
  var explain = false

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup(title: "SELECTION") var choice: MatchOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    try output.require()
    if let cap, cap < 0 { throw ValidationError("--cap must be at least 0, not \(cap)") }
    let chooses =
      !choice.name.isEmpty || choice.condition.text != nil
      || selection.given.contains { $0.isGiven }
    guard chooses else {
      throw ValidationError(
        "name the records to take: by --name, --type, --where or --zone")
    }
  }

  func run() throws {
    let opened = try Inputs.source(source)
    try output.check(inputs: [source])
    let records = try RecordSelection(
      selection, choice, in: opened, path: source)
    var extraction = Extraction(of: opened)
    extraction.closure = closure.closure
    extraction.limit = cap
    let isPiped = output.isPiped
    let bar = progress.bar("extracting")
    let found = Mutex(0)
    extraction.explain = { [explain, report] reason in
      let count = found.withLock {
        $0 += 1
        return $0
      }
      try bar.update(ArchiveProgress(records: count, bytes: 0))
      if explain {
        ProgressBar.clearLine()
        try report.tell(reason, onStandardError: isPiped)
      }
    }
    let result = try Interruption.whileWriting {
      try extraction.write(to: output.path, overwrite: output.force) { ask in
        try records.forEachRecord { try ask($0, $1) }
      }
    }
    ProgressBar.clearLine()
    try tell(result)
    try records.finish()
    if result.missingAssets > 0 { throw ExitCode.findings }
  }

  // MARK: Output

  private func tell(_ result: ExtractionReport) throws {
    for (group, count) in result.cut.sorted(by: { $0.key < $1.key }) {
      ErrorReport.warn(
        "\(Numbers.count(count, "record")) of type '\(group.recordType)' did not come along by "
          + "\(group.relation.rawValue): --cap is \(cap ?? 0)")
    }
    if let example = result.missing.values.joined().min() {
      ErrorReport.warn(
        "the records refer to \(Numbers.count(result.missingRecords, "record")) that "
          + "'\(source)' does not have, such as '\(example)'")
    }
    if result.missingAssets > 0 {
      ErrorReport.warn(
        "'\(source)' does not have the bytes of \(Numbers.count(result.missingAssets, "asset"))")
    }
    if progress.quiet { return }
    try report.tell(
      ExtractionSummary(result: result, name: output.name), onStandardError: output.isPiped)
  }
}

private struct ExtractionSummary: CommandReport {
  static let format = "fixture-extract"
  let result: ExtractionReport
  let name: String

  private var added: [(key: ExtractionReport.Group, value: Int)] {
    result.added.sorted { $0.key < $1.key }
  }

  func lines(_ style: TerminalStyle) -> [String] {
    var text = "Extracted \(Numbers.count(result.records, "record")) to \(name)"
    if result.records > result.asked {
      text += ": \(Numbers.grouped(result.asked)) asked for"
      for (group, count) in added {
        text += ", \(Numbers.grouped(count)) \(group.recordType) by \(group.relation.rawValue)"
      }
    }
    if result.assets > 0 { text += "; \(Numbers.count(result.assets, "asset"))" }
    return [text.visible]
  }

  var json: JSONValue {
    func json(_ group: ExtractionReport.Group, _ count: Int) -> JSONValue {
      [
        "recordType": group.recordType, "relation": group.relation.rawValue, "records": count,
      ]
    }
    return [
      "records": result.records, "asked": result.asked, "added": added.map(json),
      "cut": result.cut.sorted { $0.key < $1.key }.map(json),
      "missingRecords": result.missingRecords, "assets": result.assets,
      "missingAssets": result.missingAssets,
    ]
  }
}

extension ExtractionReason: CommandReport {
  static var format: String { "fixture-extract-reason" }

  private var location: RecordLocation { RecordLocation(database, recordID) }

  func lines(_ style: TerminalStyle) -> [String] {
    let cause = cause.map { "\($0.relation.words) '\($0.recordID.recordName)'" }
    return ["\(location.text(recordType)): \(cause ?? "asked for")".visible]
  }

  var json: JSONValue {
    location.json(recordType).adding([
      "relation": cause?.relation.rawValue, "of": cause?.recordID.recordName,
    ])
  }
}

extension ExtractionClosure.Relation {
  /// The words between an added record and the record that it was added for.
  fileprivate var words: String {
    switch self {
    case .parents: "the parent of"
    case .references: "referred to by"
    case .links: "linked with"
    case .shares: "the share of"
    case .assets: "an asset of"
    case .children: "a child of"
    }
  }
}

/// The argument of `--closure`.
struct ClosureArgument: ExpressibleByArgument {
  let closure: ExtractionClosure

  init(closure: ExtractionClosure) { self.closure = closure }

  init?(argument: String) {
    guard argument != "nothing" else {
      closure = .nothing
      return
    }
    var closure = ExtractionClosure.nothing
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let word = words.first,
        let relation = ExtractionClosure.Relation(
          rawValue: word.trimmingCharacters(in: .whitespaces)),
        closure.depths[relation] == nil
      else { return nil }
      var depth = ExtractionClosure.unlimited
      if words.count == 2 {
        guard relation != .assets, let number = Int(words[1]), number > 0 else { return nil }
        depth = number
      }
      closure.depths[relation] = depth
    }
    self.closure = closure
  }

  var defaultValueDescription: String { "parents,references,links:1,shares,assets" }

  static var allValueStrings: [String] {
    ExtractionClosure.Relation.allCases.map(\.rawValue) + ["nothing"]
  }
}
