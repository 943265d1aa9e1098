import ArgumentParser
import RecordArchive
import RecordBundle
import RecordCoding

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export a container, or a part of it, to a bundle.",
    discussion: """
      Reads a snapshot of the container: saves during the export do not change it.
      The bundle appears when it is complete; the same content gives the same
      bytes.

      With --to web-services, writes the records as one CloudKit Web Services
      response; with --to cktool, as Apple's cktool prints the records of a query;
      with --to canopy, as the Canopy library encodes mock records. None contains
      the bytes of assets, and the source may also be a bundle. A response contains
      one database: if several have records, choose one with --database. It is at
      most 64 MiB, the limit of import: if there is more, export a part with --zone,
      --type or --since. What the form of cktool or Canopy cannot express is counted
      on standard error, and the exit code is 1.

      A bundle contains the values of encrypted fields unencrypted, readable by
      anyone who can read the file.

      With --validate, validates the records against a schema first; if they do
      not match it, nothing is written, and the exit code is 1.

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
    help: "The container; for a response, a container or a bundle.",
    completion: .file())
  var container: String

  @Argument(
    help: "The file to write; - is standard output.", completion: .file())
  var bundle: String

  @Option(help: ArgumentHelp("The format to write.", valueName: "format"))
  var to: RecordForm = .bundle

  @Flag(name: [.short, .long], help: "Replace an existing file.")
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
      throw ValidationError("--validate does not apply to responses; use 'recordpack validate'")
    }
    try refuse(
      file.given + [("--threads", file.threads.threads != nil)],
      "to a response of \(dialect.owner)")
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
        try archiver.export(container, to: bundle, overwrite: force)
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
          source, as: dialect, to: bundle, overwrite: force)
      }
      return try exportToTerminal(archiver, source, dialect)
    }
    let name = bundle == "-" ? "standard output" : bundle
    ProgressBar.clearLine()
    for clause in exported.losses.clauses { ErrorReport.warn("in \(name), \(clause)") }
    try tell(
      text: "Wrote \(Numbers.count(exported.records, "record")) to \(name) "
        + "as a response of \(dialect.owner)",
      json: [
        .init("files", .array([.object([.init("path", .string(name))])])),
        .init("records", .integer(exported.records)),
        .init("losses", Self.json(exported.losses)),
      ])
    if !exported.losses.isEmpty { throw ExitCode.findings }
  }

  /// Writes a response to a terminal, with control characters escaped.
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

  /// Reports the result, on standard error if standard output carries the data.
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
