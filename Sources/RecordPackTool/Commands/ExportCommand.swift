import ArgumentParser
import RecordArchive
import RecordBundle
import RecordCoding

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a container, or a part of it, to a bundle.",
    discussion: """
      The container is read as it is when the export begins, whatever is saved
      meanwhile. The bundle appears under its name when it is complete; the same
      content gives the same bytes.

      With --to web-services the records are written as one response of CloudKit
      Web Services, as a server would send it; with --to cktool, as Apple's cktool
      prints the records of a query; with --to canopy, as the Canopy library encodes
      mock records. None of them has the bytes of assets, and the container may also
      be a bundle. A response is of one database: where several have records,
      --database names it. It is at most 64 MiB, which is what import takes: of more,
      export a part with --zone, --type or --since. What cktool's or Canopy's form
      cannot say is counted on standard error, and the exit code is 1.

      The values of encrypted fields are written like all others: a bundle holds
      them in the clear, for whoever can read the file.

      With --validate the records are held against a schema first; where they do
      not fit, nothing is written, and the exit code is 1.

      EXAMPLES
        recordpack export Tact.sqlite Tact.recordpack
        recordpack export Tact.sqlite chats.recordpack --type Chat --type Message
        recordpack export Tact.sqlite news.recordpack --since 2025-01-31 --force
        recordpack export Tact.sqlite big.recordpack --split-size 100MB --level 9
        recordpack export Tact.sqlite checked.recordpack --validate
        recordpack export Tact.sqlite - | zstd -dc | head -c 300
        recordpack export Tact.sqlite t.json --to web-services --database private
        recordpack export Tact.sqlite c.json --to cktool --database private
        recordpack export Tact.sqlite m.json --to canopy --database private
      """)

  @Argument(
    help: "The container's file; for a response a bundle will do too.",
    completion: .file())
  var container: String

  @Argument(
    help: "The file to write; - is standard output.", completion: .file())
  var bundle: String

  @Option(help: ArgumentHelp("What to write.", valueName: "form"))
  var to: RecordForm = .bundle

  @Flag(name: [.short, .long], help: "Replace the file where it exists.")
  var force = false

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup(title: "VALIDATION") var validation: ValidationOptions
  @OptionGroup(title: "BUNDLE") var file: BundleFileOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    if bundle == "-" {
      try refuse(
        [("--force", force), ("--split-size", file.splitSize != nil)], "to standard output")
    }
    guard let dialect = to.dialect else { return }
    if validation.isAsked {
      throw ValidationError("--validate goes with bundles; 'recordpack validate' takes any source")
    }
    try refuse(
      file.given + [("--threads", file.threads.threads != nil)],
      "to a response of \(dialect.owner), which is no bundle")
  }

  func run() throws {
    try Inputs.refuseOverwriting(
      [container] + [validation.schema].compactMap { $0 },
      by: [.init(path: bundle, isSplit: file.splitSize != nil)])
    if let dialect = to.dialect {
      try exportResponse(dialect)
    } else {
      try exportBundle()
    }
  }

  private func archiver(for source: ArchiveSource) throws -> Archiver {
    var archiver = Archiver()
    archiver.filter = try selection.filter(in: [source])
    archiver.bundleOptions = file.options
    archiver.validation = try validation.validation()
    let bar = progress.bar("exporting")
    archiver.progress = { try bar.update($0) }
    return archiver
  }

  private func exportBundle() throws {
    try Inputs.refuseTerminal(bundle)
    let container = try Inputs.container(container)
    let archiver = try archiver(for: .container(container))
    let summary = try validation.telling {
      try Interruption.whileWriting {
        try archiver.export(container, to: bundle, mustNotExist: !force)
      }
    }
    try tell(
      text: Self.text(of: summary),
      json: [
        .init("files", .array(summary.files.map(Self.json))),
        .init("records", .integer(summary.records)), .init("bytes", .integer(summary.size)),
        .init("contentBytes", .integer(summary.contentSize)),
        .init("missingAssets", .integer(summary.missingAssets)),
      ])
  }

  private func exportResponse(_ dialect: ResponseDialect) throws {
    let source = try Inputs.source(container)
    let archiver = try archiver(for: source)
    let exported = try Interruption.whileWriting {
      guard bundle == "-", StandardOutput.isTerminal else {
        return try archiver.exportResponse(
          source, as: dialect, to: bundle, mustNotExist: !force)
      }
      return try exportToTerminal(archiver, source, dialect)
    }
    let name = bundle == "-" ? "standard output" : bundle
    ProgressBar.clearLine()
    for clause in exported.losses.clauses { ErrorReport.warn("in \(name), \(clause)") }
    try tell(
      text: "Wrote \(Numbers.count(exported.records, "record")) to \(name), "
        + "as \(dialect.owner) has them",
      json: [
        .init("files", .array([.object([.init("path", .string(name))])])),
        .init("records", .integer(exported.records)),
        .init("losses", Self.json(exported.losses)),
      ])
    if !exported.losses.isEmpty { throw ExitCode.findings }
  }

  /// Values must not drive the terminal, so they are written with escapes that JSON has for them.
  private func exportToTerminal(
    _ archiver: Archiver, _ source: ArchiveSource, _ dialect: ResponseDialect
  ) throws -> ExportedResponse {
    let output = StandardOutput()
    let exported = try archiver.exportResponse(source, as: dialect) {
      try output.write(String(decoding: $0, as: UTF8.self).visibleJSON)
    }
    try output.flush()
    return exported
  }

  /// Tells what was done; on standard error where standard output carries the data.
  private func tell(text: String, json: [JSONValue.Member]) throws {
    ProgressBar.clearLine()
    if progress.quiet { return }
    let line = report.isJSON ? ReportOptions.document("export", json).visibleText : text.visible
    try report.tell([line], onStandardError: bundle == "-")
  }

  private static func text(of summary: BundleSummary) -> String {
    var name = summary.files.first?.path ?? ""
    if summary.files.count > 1, let last = summary.files.last?.path {
      name = "\(summary.files.count) files, \(name) to \(last)"
    }
    var missing = ""
    if summary.missingAssets > 0 {
      missing = "; the bytes of \(Numbers.count(summary.missingAssets, "asset")) are missing"
    }
    return "Exported \(Numbers.count(summary.records, "record")) to \(name): "
      + Numbers.compressed(summary.size, from: summary.contentSize) + missing
  }

  private static func json(_ losses: ResponseLosses) -> JSONValue {
    .object(
      ResponseLosses.Kind.allCases.filter { losses[$0] > 0 }.map {
        .init($0.rawValue, .integer(losses[$0]))
      })
  }

  private static func json(_ file: BundleSummary.File) -> JSONValue {
    .object([
      .init("path", .string(file.path)), .init("bytes", .integer(file.size)),
      .init("contentHash", .string(file.index.contentHash)),
      .init("indexSHA256", .string(file.indexSHA256)),
    ])
  }
}
