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
    usage: """
      recordpack fixture extract <source> [<type>] [<predicate>] -o <output>
                        [<options>]
      """,
    discussion: """
      Writes a bundle with the records that are asked for, and what comes along with
      them: what --closure names, each with as many steps as a number behind it
      allows, or without limit:

        parents     the record above, as far as the root of the hierarchy
        references  the records that fields refer to
        shares      the share of a record, and that of its zone
        assets      the bytes of assets; without them, assets have metadata only
        children    the records below; finding them reads the whole zones

      Without --closure, all but the children come along; with --closure nothing,
      only what was asked for. The bundle has the zones of the records, the schema
      and the accounts; it has no subscriptions and no traces of deleted records.

      --limit takes the first of the records that are asked for. --cap limits what
      comes along: so many records of one type by one relation. The report counts
      the records that were cut.

      The exit code is 1 if a record that was asked for by --name does not exist, or
      if the bytes of assets are missing in the source. References to records that
      the source does not have are counted.

      EXAMPLES
        recordpack fixture extract Tact.recordpack --name chat-1 -o one.recordpack
        recordpack fixture extract Tact.sqlite Message "chat='chat-2'" -o one
        recordpack fixture extract Tact.sqlite Chat --closure children -o all
        recordpack fixture extract Tact.sqlite Message --limit 9 -o some
        recordpack fixture extract Tact.sqlite Chat --cap 9 --explain -o why
      """)

  @Argument(help: "A bundle or container; - is standard input.", completion: .file())
  var source: String

  @OptionGroup var query: QueryArguments

  @Option(
    name: [.short, .long], help: "The bundle to write; - is standard output.",
    completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp("What comes along.", valueName: "relations"),
    completion: .list(["parents", "references", "shares", "assets", "children", "nothing"]))
  var closure: ClosureArgument = ClosureArgument(closure: .needed)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "At most this many records of a type that come along by one relation.", valueName: "n"))
  var cap: Int?

  @Flag(help: "Print why each record was taken.")
  var explain = false

  @Flag(name: [.short, .long], help: "Replace an existing file.")
  var force = false

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup(title: "SELECTION") var choice: MatchOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    if output == "-" { try refuse([("--force", force)], "to standard output") }
    if let cap, cap < 0 { throw ValidationError("--cap must be at least 0, not \(cap)") }
    try query.check(with: selection, choice)
    let chooses =
      query.type != nil || !choice.name.isEmpty || choice.condition != nil
      || selection.given.contains { $0.isGiven }
    guard chooses else {
      throw ValidationError(
        "name the records to take: by --name, a record type, a predicate, --where or --zone")
    }
  }

  func run() throws {
    let opened = try Inputs.source(source)
    try Inputs.refuseOverwriting([source], by: [.init(path: output, isSplit: false)])
    try Inputs.refuseTerminal(output)
    let records = try RecordSelection(
      query.added(to: selection), choice, matching: query.query, in: opened, path: source)
    var extraction = Extraction(of: opened)
    extraction.closure = closure.closure
    extraction.limit = cap
    let (isJSON, isPiped) = (report.isJSON, output == "-")
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
        let line = isJSON ? Self.document(reason).visibleText : Self.text(of: reason).visible
        try report.tell([line], onStandardError: isPiped)
      }
    }
    let result = try Interruption.whileWriting {
      try extraction.write(to: output, overwrite: force) { ask in
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
    let name = output == "-" ? "standard output" : output
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
    let added = result.added.sorted { $0.key < $1.key }
    if report.isJSON {
      let document = ReportOptions.document(
        "fixture-extract",
        [
          .init("records", .integer(result.records)), .init("asked", .integer(result.asked)),
          .init("added", .array(added.map { Self.json($0.key, $0.value) })),
          .init(
            "cut",
            .array(result.cut.sorted { $0.key < $1.key }.map { Self.json($0.key, $0.value) })),
          .init("missingRecords", .integer(result.missingRecords)),
          .init("assets", .integer(result.assets)),
          .init("missingAssets", .integer(result.missingAssets)),
        ])
      return try report.tell([document.visibleText], onStandardError: output == "-")
    }
    var text = "Extracted \(Numbers.count(result.records, "record")) to \(name)"
    if result.records > result.asked {
      text += ": \(Numbers.grouped(result.asked)) asked for"
      for (group, count) in added {
        text += ", \(Numbers.grouped(count)) \(group.recordType) by \(group.relation.rawValue)"
      }
    }
    if result.assets > 0 { text += "; \(Numbers.count(result.assets, "asset"))" }
    try report.tell([text.visible], onStandardError: output == "-")
  }

  private static func json(_ group: ExtractionReport.Group, _ count: Int) -> JSONValue {
    .object([
      .init("recordType", .string(group.recordType)),
      .init("relation", .string(group.relation.rawValue)), .init("records", .integer(count)),
    ])
  }

  private static func text(of reason: ExtractionReason) -> String {
    let location = RecordLocation(reason.database, reason.recordID)
    let cause = reason.cause.map { "\($0.relation.words) '\($0.recordID.recordName)'" }
    return "\(location.text(reason.recordType)): \(cause ?? "asked for")"
  }

  private static func document(_ reason: ExtractionReason) -> JSONValue {
    var members = RecordLocation(reason.database, reason.recordID).members(reason.recordType)
    if let cause = reason.cause {
      members.append(.init("relation", .string(cause.relation.rawValue)))
      members.append(.init("of", .string(cause.recordID.recordName)))
    }
    return ReportOptions.document("fixture-extract-reason", members)
  }
}

extension ExtractionClosure.Relation {
  /// What a record is to the one that brought it along.
  fileprivate var words: String {
    switch self {
    case .parents: "the parent of"
    case .references: "referred to by"
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

  var defaultValueDescription: String { "parents,references,shares,assets" }

  static var allValueStrings: [String] {
    ExtractionClosure.Relation.allCases.map(\.rawValue) + ["nothing"]
  }
}
