import ArgumentParser
import RecordArchive
import RecordBundle
import RecordCoding
import RecordText

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export a container or bundle, or a part of it, to a bundle or response.",
    discussion: """
      Reads a snapshot of the container: saves during the export do not change it.
      The bundle appears when it is complete; the same content gives the same
      bytes. The source may also be a bundle, or, with --from web-services, cktool
      or canopy, a file with responses, a directory (all .json files in it) or -;
      their database is that of --database, or private.

      With --where, writes the records that meet the condition, as 'recordpack query'
      reads it, with their assets, and no deletions, because a deleted record has no
      values. Records for which a function has no value are left out and reported;
      the exit code is then 1.

      With --to web-services, writes the records as one CloudKit Web Services
      response; with --to canopy, as the Canopy library encodes mock records. A
      response contains records and deletions, but no zones, subscriptions or bytes
      of assets, and one database: if several have records, choose one with
      --database. It is at most 64 MiB, the limit of import: if there is more, export
      a part with --zone, --type or --since. Standard error counts what Canopy's
      format cannot express, and the exit code is 1; so it is if responses that are
      read contain errors.

      Rows of a damaged container that cannot be read are left out and named; the
      exit code is then 1. 'recordpack verify' names all of them. If SQLite cannot
      read a page, then use 'recordpack recover'.

      A bundle contains the values of encrypted fields unencrypted, readable by
      anyone who can read the file.

      A SOURCE may be the store of an app with Core Data or SwiftData, such as
      default.store: its objects are exported as the records that CloudKit has for
      them. The store is not changed.

      With --to core-data, fills a copy of the store --into, which the app made: the
      objects of the records take the place of its own. Records that do not fit the
      store's model are errors, and nothing is written. The rows have no history:
      an app whose store is mirrored with CloudKit uploads them to the account of
      its user.

      With --validate, validates the records against a schema first; if they do
      not match it, nothing is written, and the exit code is 1.

      EXAMPLES
        recordpack export Tact.sqlite -o Tact.recordpack
        recordpack export Tact.sqlite -o chats.recordpack --type Chat --type Message
        recordpack export Tact.sqlite -o news.recordpack --since 2025-01-31 --force
        recordpack export Tact.sqlite -o one.recordpack --where "chat = 'chat-2'"
        recordpack export Tact.sqlite -o big.recordpack --split-size 100MB --level 9
        recordpack export Tact.sqlite -o checked.recordpack --validate
        recordpack export Tact.sqlite -o - | zstd -dc | head -c 300
        recordpack export Tact.sqlite -o t.json --to web-services --database private
        recordpack export Tact.sqlite -o m.json --to canopy --database private
        recordpack export Tact.recordpack -o small.recordpack --type Chat
        recordpack export books.json -o books.recordpack --from cktool
        recordpack export default.store -o app.recordpack
        recordpack export app.recordpack --to core-data --into E.store -o Seed.store
      """)

  @Argument(
    help: "The container, bundle or app's store; with --from, responses.",
    completion: .file())
  var source: String

  @Option(help: ArgumentHelp("The format of the source.", valueName: "format"))
  var from: RecordFormat = .bundle

  @Option(help: ArgumentHelp("The format to write.", valueName: "format"))
  var to: OutputFormat = .bundle

  /// The formats that are written. cktool's dialect is only read.
  enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case bundle
    case webServices = "web-services"
    case canopy
    case coreData = "core-data"

    /// The dialect of a response; nil for a bundle or store.
    var dialect: ResponseDialect? { ResponseDialect(rawValue: rawValue) }
  }

  @OptionGroup var target: StoreFillOptions
  @OptionGroup var destination: BundleOutputOptions

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup(title: "SELECTION") var condition: ConditionOptions
  @OptionGroup(title: "VALIDATION") var validation: ValidationOptions
  @OptionGroup(title: "BUNDLE") var file: BundleFileOptions
  @OptionGroup(title: "BUNDLE") var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  private var output: String { destination.path }
  private var force: Bool { destination.force }

  func validate() throws {
    try destination.require(file)
    try refuseSecondStandardInput([source, validation.schema])
    try from.check(selection)
    try target.check(isFilling: to == .coreData, output)
    if to == .coreData { try refuse(file.given + threads.given, "to a store") }
    guard let dialect = to.dialect else { return }
    try refuse(file.given + threads.given, "to a response of \(dialect.owner)")
  }

  func run() throws {
    let damage = DamagedRows()
    let source = try from.open([source], selection) { try [damage.source($0[0])] }[0]
    try Inputs.refuseOverwriting(
      [self.source] + [validation.schema, target.into].compactMap { $0 },
      by: [.init(path: output, isSplit: file.splitSize != nil)])
    if to == .bundle { try Inputs.refuseTerminal(output) }
    var archiver = Archiver()
    let bar = progress.bar("exporting")
    archiver.filter = try selection.filter(in: [source], bar)
    if condition.text != nil { try FilterOptions.sortResponses(of: [source], bar) }
    let check = try condition.check(in: [source], archiver.filter)
    archiver.condition = check?[0]
    archiver.bundleOptions = file.options(threads)
    archiver.progress = { try bar.update($0) }
    let stages = try validation.validation().map { [ArchiveStage.validate($0)] } ?? []
    let result = try ValidationOptions.telling {
      try Interruption.whileWriting {
        try write { try archiver.run(from: [source], through: stages, into: $0) }
      }
    }
    ProgressBar.clearLine()
    let exported = ExportReport(
      result: result, dialect: to.dialect, isStore: to == .coreData,
      name: Inputs.outputName(output), hasErrors: from != .bundle)
    for clause in result.response.losses.clauses {
      ErrorReport.warn("in \(exported.name), \(clause)")
    }
    if !progress.quiet { try report.tell(exported, onStandardError: output == "-") }
    ErrorReport.warn(ofResponses: result.responseErrors)
    try damage.finish { try check?.finish() }
    if !result.responseErrors.isEmpty || !result.response.losses.isEmpty
      || result.bundle.missingAssets > 0
    {
      throw ExitCode.findings
    }
  }

  private func write(
    _ run: (ArchiveDestination) throws -> ArchiveResult
  ) throws -> ArchiveResult {
    if let template = target.into {
      return try run(.appStore(template: template, path: output, overwrite: force))
    }
    guard let dialect = to.dialect else {
      return try run(.bundle(path: output, overwrite: force))
    }
    guard output == "-", StandardOutput.isTerminal else {
      return try run(.response(dialect, path: output, overwrite: force))
    }
    // Control characters are escaped on a terminal.
    let terminal = StandardOutput()
    let result = try run(
      .responseText(dialect) {
        try terminal.write(String(decoding: $0, as: UTF8.self).visibleJSON)
      })
    try terminal.flush()
    return result
  }
}

private struct ExportReport: CommandReport {
  static let format = "export"
  let result: ArchiveResult
  /// The dialect of a response; nil for a bundle.
  let dialect: ResponseDialect?
  /// Whether a store was filled.
  let isStore: Bool
  let name: String
  /// Whether responses were read, which may contain errors.
  let hasErrors: Bool

  func lines(_ style: TerminalStyle) -> [String] {
    if isStore { return [result.store.text(name).visible] }
    guard let dialect else { return [Self.text(of: result.bundle).visible] }
    let records = Numbers.count(result.response.records, "record")
    return ["Wrote \(records) to \(name) as a response of \(dialect.owner)".visible]
  }

  private static func text(of summary: BundleSummary) -> String {
    var missing = ""
    if summary.missingAssets > 0 {
      missing = "; the bytes of \(Numbers.count(summary.missingAssets, "asset")) are missing"
    }
    return "Exported \(Numbers.count(summary.records, "record")) to \(summary.fileText): "
      + Numbers.compressed(summary.size, from: summary.contentSize) + missing
  }

  var json: JSONValue {
    let errors = hasErrors ? result.responseErrors : nil
    if isStore {
      return JSONValue.merging(result.store.json(name), ["errors": errors])
    }
    guard dialect == nil else {
      let losses = ResponseLosses.Kind.allCases.filter { result.response.losses[$0] > 0 }.map {
        JSONValue.Member($0.rawValue, .integer(result.response.losses[$0]))
      }
      let file: JSONValue = ["path": name]
      return [
        "files": [file], "records": result.response.records, "losses": JSONValue.object(losses),
        "errors": errors,
      ]
    }
    let summary = result.bundle
    let files = summary.files.map { file -> JSONValue in
      [
        "path": file.path, "bytes": file.size, "contentHash": file.index.contentHash,
        "indexSHA256": file.indexSHA256,
      ]
    }
    return [
      "files": files, "records": summary.records, "bytes": summary.size,
      "contentBytes": summary.contentSize, "missingAssets": summary.missingAssets, "errors": errors,
    ]
  }
}

extension BundleSummary {
  /// The name of the file, or the number and names of several.
  var fileText: String {
    let name = files.first?.path ?? ""
    guard files.count > 1, let last = files.last?.path else { return name }
    return "\(files.count) files, \(name) to \(last)"
  }
}
