import ArgumentParser
import Foundation
import MockCloud
import RecordArchive
import RecordBundle
import RecordCoding
import RecordMigration
import RecordModel

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Reads bundles, or responses of servers and tools, into a container.",
    usage: "recordpack import <source> ... <container> [<options>]",
    discussion: """
      Everything goes in as one transaction: all of it, or nothing. A container
      that is not there is made. Sources are bundles, the files of a split bundle,
      or - for standard input.

      With --from web-services, cktool or canopy the sources are files with
      responses, directories (all .json files in them and below, in the order of
      their paths), or -: of CloudKit Web Services, of Apple's cktool
      (query-records, create-record), or of the Canopy library (its records, and
      the results of its replaying mocks). Responses do not say which database they
      come from: --database does, and private is the default. They are taken in
      their order: what a later one calls deleted is deleted. Where some of them are
      errors, or hold what cannot be read, the rest is imported and the exit code
      is 1.

      With --validate the records are held against a schema first; where they do
      not fit, nothing is imported, and the exit code is 1.

      With --migrate each bundle is brought to one schema version, by the shortest
      way from the version it names: that of the container, where it names one, else
      the newest. What --type and the like select is said of records as they are in
      the bundles; --validate and --on-conflict look at what they become, and the
      target version's schema is the default.

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
      "What is imported, and last the container's file.", valueName: "source ... container"),
    completion: .file())
  var paths: [String]

  @Option(help: ArgumentHelp("What the sources are.", valueName: "form"))
  var from: RecordForm = .bundle

  @Option(
    help: ArgumentHelp(
      "What to do about a record that is there already with another content: fail (nothing is "
        + "imported), keep (what is there), or replace, under which deletions win, too.",
      valueName: "policy"))
  var onConflict: Archiver.ConflictPolicy = .fail

  @Option(
    help: ArgumentHelp(
      "Migrate on the way in: a plan, or a folder of plans and schemas named by version.",
      valueName: "plans"), completion: .file())
  var migrate: [String] = []

  @Option(
    help: ArgumentHelp(
      "With --migrate: the version to reach. (default: the container's, or the newest)",
      valueName: "version"))
  var migrateTo: String?

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup(title: "VALIDATION") var validation: ValidationOptions
  @OptionGroup var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    guard paths.count >= 2 else {
      throw ValidationError("name at least one source and, last, the container")
    }
    try refuseSecondStandardInput(sources + [validation.schema])
    guard paths.last != "-" else {
      throw ValidationError("a container cannot be standard output; name a file, last")
    }
    if migrateTo != nil, migrate.isEmpty {
      throw ValidationError("--migrate-to goes with --migrate")
    }
    guard let dialect = from.dialect else { return }
    try refuse([("--threads", threads.threads != nil)], "to responses")
    if !migrate.isEmpty {
      throw ValidationError("responses name no schema version; import them first, then migrate")
    }
    if selection.database.count > 1 {
      throw ValidationError(
        "responses come from one database; --database can be given once with --from "
          + dialect.rawValue)
    }
  }

  private var sources: [String] { Array(paths.dropLast()) }
  var target: String { paths[paths.count - 1] }

  func run() throws {
    try Inputs.refuseSideFile(target)
    let (imported, isNew, migrations) = try validation.telling {
      guard let dialect = from.dialect else { return try importBundles() }
      let (imported, isNew) = try importResponses(dialect)
      return (imported, isNew, MigrationSummary?.none)
    }
    ProgressBar.clearLine()
    for error in imported.errorItems.prefix(10) { ErrorReport.warn(error) }
    if imported.errorItems.count > 10 {
      ErrorReport.warn("and \(imported.errorItems.count - 10) more errors among the responses")
    }
    if !progress.quiet {
      if let migrations {
        StandardError.write(migrations.lines(report.style).joined(separator: "\n") + "\n")
      }
      try report.tell([
        report.isJSON
          ? json(imported, isNew, migrations).visibleText : text(of: imported, isNew).visible
      ])
    }
    if !imported.errorItems.isEmpty { throw ExitCode.findings }
  }

  private func archiver(_ filter: RecordFilter) throws -> Archiver {
    var archiver = Archiver()
    archiver.filter = filter
    archiver.conflictPolicy = onConflict
    archiver.validation = try validation.validation()
    if let threads = threads.threads { archiver.threads = threads }
    let bar = progress.bar("importing")
    archiver.progress = { try bar.update($0) }
    return archiver
  }

  private func importBundles() throws -> (ImportReport, isNew: Bool, MigrationSummary?) {
    for path in sources where ArchiveSource.isContainer(path) {
      throw Failure(
        "'\(path)' is a container, not a bundle: export it first (and the container to import "
          + "into comes last)")
    }
    let bundles = try BundleReader.open(sources)
    let archiver = try archiver(selection.filter(in: bundles.map(ArchiveSource.bundle)))
    if !migrate.isEmpty { return try importMigrated(bundles, archiver) }
    let (imported, isNew) = try intoTarget {
      try archiver.importBundles(bundles, into: $0)
    } creating: {
      try archiver.importBundles(bundles, creating: target)
    }
    return (imported, isNew, nil)
  }

  private func importResponses(
    _ dialect: ResponseDialect
  ) throws -> (ImportReport, isNew: Bool) {
    var responses: [Archiver.ResponseSource] = []
    for path in sources {
      responses += try Archiver.ResponseSource.sources(at: path, dialect: dialect).map {
        path == "-" ? try Self.readAhead($0) : $0
      }
    }
    let database = selection.database.first ?? .private
    var archiver = try archiver(selection.filter)
    archiver.requiresSelected = true
    return try intoTarget {
      try archiver.importResponses(responses, database: database, into: $0)
    } creating: {
      try archiver.importResponses(responses, database: database, creating: target)
    }
  }

  /// Reads standard input before anything is written, so that waiting for it can be called off.
  private static func readAhead(
    _ source: Archiver.ResponseSource
  ) throws -> Archiver.ResponseSource {
    let data = try source.read()
    var ahead = source
    ahead.read = { data }
    return ahead
  }

  func intoTarget(
    _ existing: (MockContainer) throws -> ImportReport, creating: () throws -> ImportReport
  ) throws -> (ImportReport, isNew: Bool) {
    guard FileManager.default.fileExists(atPath: target) else {
      return (try Interruption.whileWriting(creating), true)
    }
    try Inputs.refuseBundle(target)
    let container = try MockContainer.open(path: target)
    do {
      let report = try Interruption.whileWriting { try existing(container) }
      try Inputs.close(container)
      return (report, false)
    } catch {
      // Leaves a single file again; the error that counts is the first.
      _ = try? container.close()
      throw error
    }
  }

  private func text(of report: ImportReport, _ isNew: Bool) -> String {
    var parts: [String] = []
    func add(_ count: Int, _ words: String) {
      if count > 0 { parts.append("\(Numbers.grouped(count)) \(words)") }
    }
    if report.replaced > 0 { add(report.added, "added") }
    add(report.replaced, "replaced")
    add(report.kept, "left as they were")
    add(report.identical, "the same already")
    add(report.deleted, "deleted by what came")
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
        "\(count) left out, because the record or zone is there (--on-conflict replace deletes it)")
    }
    return
      "Imported \(Numbers.count(report.added + report.replaced, "record")) into \(isNew ? "the new " : "")"
      + "\(target)\(details)" + (others.isEmpty ? "" : "; \(others.joined(separator: ", "))")
  }

  private func json(
    _ report: ImportReport, _ isNew: Bool, _ migrations: MigrationSummary?
  ) -> JSONValue {
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
        .init("errors", .array(report.errorItems.map(JSONValue.string))),
      ]
    if let migrations { members.append(.init("migrations", migrations.json)) }
    return ReportOptions.document("import", members)
  }
}

extension Archiver.ConflictPolicy: ExpressibleByArgument {}
