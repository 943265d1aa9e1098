import ArgumentParser
import Foundation
import RecordArchive
import RecordCoding
import RecordStore
import RecordText

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import bundles, containers, or responses of servers and tools, into a container.",
    usage: "recordpack import <source> ... <container> [<options>]",
    discussion: """
      An import is one transaction: it succeeds completely, or changes nothing. A
      container that does not exist is created. Sources are bundles, the files of a
      split bundle, other containers, or - for a bundle on standard input.

      With --from web-services, cktool or canopy, sources are files with responses,
      directories (all .json files in them and their subdirectories, ordered by
      path), or -: of CloudKit Web Services, of Apple's cktool (query-records,
      create-record), or of the Canopy library (its records, and the results of its
      replaying mocks). Responses do not name their database: use --database; the
      default is private. They are imported in order: a later response can delete
      records of an earlier one. If they contain errors, or content that cannot be
      read, the rest is imported, and the exit code is 1.

      With --validate, validates the records against a schema first; if they do
      not match it, nothing is imported, and the exit code is 1.

      With --migrate, migrates each source from the version it names to one schema
      version, by the shortest chain: to that of the container, if it names one,
      else to the newest. --type and other selections apply to the records before
      the migration, --validate and --on-conflict apply after it; the default
      schema is then that of the target version.

      EXAMPLES
        recordpack import Tact.recordpack Copy.sqlite
        recordpack import big-*.recordpack Copy.sqlite --on-conflict replace
        recordpack import Tact.recordpack Copy.sqlite --type Chat --on-conflict keep
        recordpack import Tact.recordpack Checked.sqlite --validate
        recordpack import Old.recordpack New.sqlite --migrate Plans
        recordpack import Plans/v*.recordpack All.sqlite --migrate Plans --validate
        recordpack import --from web-services responses Photos.sqlite
        cat response.json | recordpack import --from web-services - One.sqlite
        recordpack import --from cktool books.json Books.sqlite --database public
        recordpack import --from canopy mocks.json Mocks.sqlite
      """)

  @Argument(
    help: ArgumentHelp(
      "The sources, then the container.", valueName: "source ... container"),
    completion: .file())
  var paths: [String]

  @Option(help: ArgumentHelp("The format of the sources.", valueName: "format"))
  var from: RecordFormat = .bundle

  @Option(
    help: ArgumentHelp(
      "What to do if a record already exists with other content: fail (import nothing), keep it, "
        + "or replace it; with replace, deletions apply to existing records, too.",
      valueName: "policy"))
  var onConflict: Archiver.ConflictPolicy = .fail

  @Option(
    help: ArgumentHelp(
      "Migrate the sources by a plan, or by a folder of plans and schemas named by version.",
      valueName: "plans"), completion: .file())
  var migrate: [String] = []

  @Option(
    help: ArgumentHelp(
      "With --migrate: the target version. (default: the container's, or the newest)",
      valueName: "version"))
  var migrateTo: String?

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup(title: "VALIDATION") var validation: ValidationOptions
  @OptionGroup var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    guard paths.count >= 2 else {
      throw ValidationError("name at least one source, then the container")
    }
    try refuseSecondStandardInput(sources + [validation.schema])
    guard paths.last != "-" else {
      throw ValidationError("a container cannot be standard output; name a file")
    }
    if migrateTo != nil, migrate.isEmpty {
      throw ValidationError("--migrate-to requires --migrate")
    }
    guard let dialect = from.dialect else { return }
    try refuse([("--threads", threads.threads != nil)], "to responses")
    if !migrate.isEmpty {
      throw ValidationError("responses have no schema version; import them first, then migrate")
    }
    if selection.database.count > 1 {
      throw ValidationError(
        "with --from \(dialect.rawValue), --database can be given only once: responses have one "
          + "database")
    }
  }

  private var sources: [String] { Array(paths.dropLast()) }
  var target: String { paths[paths.count - 1] }

  func run() throws {
    try Inputs.refuseOverwriting(sources, by: [.init(path: target)])
    let (result, isNew, migrations) = try ValidationOptions.telling { try runImport() }
    ProgressBar.clearLine()
    ErrorReport.warn(ofResponses: result.responseErrors)
    if !progress.quiet {
      if let migrations {
        StandardError.write(migrations.lines(report.style).joined(separator: "\n") + "\n")
      }
      try report.tell([
        report.isJSON
          ? json(result, isNew, migrations).visibleText
          : text(of: result.imported, isNew).visible
      ])
    }
    if !result.responseErrors.isEmpty { throw ExitCode.findings }
  }

  private func runImport() throws -> (ArchiveResult, isNew: Bool, MigrationSummary?) {
    let sources = try openSources()
    var archiver = Archiver()
    let bar = progress.bar("importing")
    archiver.filter = try selection.filter(in: sources, bar)
    archiver.conflictPolicy = onConflict
    if let threads = threads.threads { archiver.threads = threads }
    archiver.progress = { try bar.update($0) }
    var stages: [ArchiveStage] = []
    let migrators = migrate.isEmpty ? [] : try migrators(for: sources)
    if !migrate.isEmpty {
      let byName = Dictionary(zip(sources.map(\.name), migrators), uniquingKeysWith: { $1 })
      stages.append(.migrate { byName[$0.name] ?? nil })
    }
    if let validation = try validation.validation() { stages.append(.validate(validation)) }
    let (result, isNew) = try intoTarget {
      try archiver.run(from: sources, through: stages, into: $0)
    }
    let migrations =
      migrate.isEmpty ? nil : MigrationSummary(sources, migrators, result.migrations)
    return (result, isNew, migrations)
  }

  private func openSources() throws -> [ArchiveSource] {
    guard let dialect = from.dialect else {
      let opened = try Inputs.namingFrom { try ArchiveSource.open(each: sources) }
      return opened
    }
    return [.responses(try Inputs.responses(at: sources, dialect, selection.database))]
  }

  private func intoTarget(
    _ run: (ArchiveDestination) throws -> ArchiveResult
  ) throws -> (ArchiveResult, isNew: Bool) {
    guard FileManager.default.fileExists(atPath: target) else {
      return (try Interruption.whileWriting { try run(.newContainer(path: target)) }, true)
    }
    try Inputs.refuseBundle(target)
    return (try Inputs.changing(target) { try run(.container($0)) }, false)
  }

  private func text(of report: ImportReport, _ isNew: Bool) -> String {
    var parts: [String] = []
    func add(_ count: Int, _ words: String) {
      if count > 0 { parts.append("\(Numbers.grouped(count)) \(words)") }
    }
    if report.replaced > 0 { add(report.added, "added") }
    add(report.replaced, "replaced")
    add(report.kept, "kept")
    add(report.identical, "identical")
    add(report.deleted, "deleted")
    let details = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    var others: [String] = []
    if report.zones > 0 { others.append(Numbers.count(report.zones, "zone")) }
    if report.subscriptions > 0 {
      others.append(Numbers.count(report.subscriptions, "subscription"))
    }
    if report.tombstones > 0 { others.append(Numbers.count(report.tombstones, "tombstone")) }
    if report.assets > 0 { others.append(Numbers.count(report.assets, "asset")) }
    if report.missingAssets > 0 {
      others.append("the bytes of \(Numbers.count(report.missingAssets, "asset")) are missing")
    }
    if report.supersededTombstones > 0 {
      let count = Numbers.count(report.supersededTombstones, "deletion")
      others.append(
        "\(count) skipped, because the record or zone exists (--on-conflict replace deletes it)")
    }
    return
      "Imported \(Numbers.count(report.added + report.replaced, "record")) into \(isNew ? "the new " : "")"
      + "\(target)\(details)" + (others.isEmpty ? "" : "; \(others.joined(separator: ", "))")
  }

  private func json(
    _ result: ArchiveResult, _ isNew: Bool, _ migrations: MigrationSummary?
  ) -> JSONValue {
    let report = result.imported
    let records: [(String, Int)] = [
      ("added", report.added), ("replaced", report.replaced), ("kept", report.kept),
      ("identical", report.identical), ("deleted", report.deleted),
    ]
    var members: [JSONValue.Member] =
      [
        .init("container", .string(target)), .init("created", .bool(isNew)),
        .init("records", .object(records.map { .init($0.0, .integer($0.1)) })),
        .init("zones", .integer(report.zones)),
        .init("subscriptions", .integer(report.subscriptions)),
        .init("tombstones", .integer(report.tombstones)),
        .init("supersededTombstones", .integer(report.supersededTombstones)),
        .init("assets", .integer(report.assets)),
        .init("missingAssets", .integer(report.missingAssets)),
        .init("errors", .array(result.responseErrors.map(JSONValue.string))),
      ]
    if let migrations { members.append(.init("migrations", migrations.json)) }
    return ReportOptions.document("import", members)
  }
}

extension Archiver.ConflictPolicy: ExpressibleByArgument {}
