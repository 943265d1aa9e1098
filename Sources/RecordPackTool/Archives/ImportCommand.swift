import ArgumentParser
import Foundation
import RecordArchive
import RecordCoding
import RecordMigration
import RecordModel
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
      records of an earlier one, or have a newer version of them, by its dates and
      change tags. Errors, and values that cannot be read, are listed; the rest is
      imported, and the exit code is 1.

      Responses name the owner of a zone by its record name. The first owner in
      responses of a private database is the signed-in user of the container.
      --as-user names the user whose data it is: the signed-in user of a new
      container, or one of several users. Participants of shares become users.

      With --validate, validates the records against a schema first; if they do
      not match it, nothing is imported, and the exit code is 1.

      With --plan, migrates each source from the version it names to one schema
      version, by the shortest chain: to that of the container, if it names one,
      else to the newest. --type and other selections apply to the records before
      the migration, --validate and --on-conflict apply after it; the default
      schema is then that of the target version.

      EXAMPLES
        recordpack import Tact.recordpack Copy.sqlite
        recordpack import big-*.recordpack Copy.sqlite --on-conflict replace
        recordpack import Tact.recordpack Copy.sqlite --type Chat --on-conflict keep
        recordpack import Tact.recordpack Checked.sqlite --validate
        recordpack import Old.recordpack New.sqlite --plan Plans
        recordpack import Plans/v*.recordpack All.sqlite --plan Plans --validate
        recordpack import --from web-services responses Photos.sqlite
        recordpack import --from web-services anna Photos.sqlite --as-user _anna
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
      "The record name of the user whose data the responses are. (default: the owner that a "
        + "private database names)", valueName: "name"))
  var asUser: String?

  @Option(
    help: ArgumentHelp(
      "If a record already exists with other content: fail (import nothing), keep it, or replace "
        + "it; with replace, deletions apply to existing records, too.",
      valueName: "policy"))
  var onConflict: Archiver.ConflictPolicy = .fail

  @Option(
    help: ArgumentHelp(
      "Migrate the sources by a plan, or by a folder of plans and schemas named by version.",
      valueName: "plans"), completion: .file())
  var plan: [String] = []

  @Option(
    help: ArgumentHelp(
      "With --plan: the target version. (default: the container's, or the newest)",
      valueName: "version"))
  var toVersion: String?

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
    if toVersion != nil, plan.isEmpty {
      throw ValidationError("--to-version requires --plan")
    }
    try from.check(selection, threads)
    if let asUser {
      guard from != .bundle else {
        throw ValidationError("--as-user does not apply to bundles, which name their users")
      }
      guard !asUser.isEmpty, asUser != ZoneID.currentUserOwnerName else {
        throw ValidationError("--as-user takes the record name of a user, such as _anna")
      }
      try RecordLimits.cloudKit.check(
        zoneID: ZoneID(zoneName: ZoneID.defaultZoneName, ownerName: asUser))
    }
    if from != .bundle, !plan.isEmpty {
      throw ValidationError("responses have no schema version; import them first, then migrate")
    }
  }

  private var sources: [String] { Array(paths.dropLast()) }
  var target: String { paths[paths.count - 1] }

  func run() throws {
    try Inputs.refuseOverwriting(sources, by: [.init(path: target)])
    let imported = try ValidationOptions.telling { try runImport() }
    ProgressBar.clearLine()
    ErrorReport.warn(ofResponses: imported.errors)
    if !progress.quiet {
      if let migrations = imported.migrations {
        StandardError.write(migrations.lines(report.style).joined(separator: "\n") + "\n")
      }
      try report.tell(imported)
    }
    let hasLosses = ErrorReport.warn(ofValuesIn: imported.sources)
    let hasFindings = imported.migrations?.ways.contains {
      $0.migrator.openQuestions > 0 || $0.report.hasBrokenLinks
    }
    // The container lacks nothing that its sources have. Responses never have the bytes of assets.
    if progress.quiet, from == .bundle, imported.report.missingAssets > 0 {
      ErrorReport.warn(
        "the bytes of \(Numbers.count(imported.report.missingAssets, "asset")) are missing")
    }
    if hasLosses || hasFindings == true || !imported.errors.isEmpty { throw ExitCode.findings }
  }

  private func runImport() throws -> ImportSummary {
    let sources = try from.open(sources, selection, asUser: asUser) {
      try ArchiveSource.open(each: $0)
    }
    var archiver = Archiver()
    let bar = progress.bar("importing")
    archiver.filter = try selection.filter(in: sources, bar)
    archiver.conflictPolicy = onConflict
    if let threads = threads.threads { archiver.threads = threads }
    archiver.progress = { try bar.update($0) }
    var stages: [ArchiveStage] = []
    let migrators = plan.isEmpty ? [] : try migrators(for: sources)
    if !plan.isEmpty {
      let byName = Dictionary(zip(sources.map(\.name), migrators), uniquingKeysWith: { $1 })
      stages.append(.migrate { byName[$0.name] ?? nil })
    }
    if let validation = try validation.validation() { stages.append(.validate(validation)) }
    let (result, isNew) = try intoTarget {
      try archiver.run(from: sources, through: stages, into: $0)
    }
    return ImportSummary(
      sources: sources, container: target, isNew: isNew, report: result.imported,
      users: result.users,
      errors: result.responseErrors,
      migrations: plan.isEmpty
        ? nil : MigrationSummary(sources, migrators, result.migrations))
  }

  /// The migrators of the sources; nil for those that already have the target version.
  private func migrators(for sources: [ArchiveSource]) throws -> [Migrator?] {
    var info: ContainerInfo?
    if FileManager.default.fileExists(atPath: target) {
      try Inputs.refuseBundle(target)
      info = try Inputs.source(target).info()
    }
    return try MigrationChoice(paths: plan, to: toVersion)
      .migrators(for: sources, into: info, named: target)
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
}

extension Archiver.ConflictPolicy: ExpressibleByArgument {}

private struct ImportSummary: CommandReport {
  static let format = "import"
  let sources: [ArchiveSource]
  let container: String
  let isNew: Bool
  let report: ImportReport
  let users: ImportedUsers
  /// The errors among responses.
  let errors: [String]
  let migrations: MigrationSummary?

  func lines(_ style: TerminalStyle) -> [String] {
    let counts = [
      (report.replaced > 0 ? report.added : 0, "added"), (report.replaced, "replaced"),
      (report.kept, "kept"), (report.identical, "identical"), (report.deleted, "deleted"),
    ]
    let parts = counts.filter { $0.0 > 0 }.map { "\(Numbers.grouped($0.0)) \($0.1)" }
    let details = parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
    let nouns = [
      (report.zones, "zone"), (report.subscriptions, "subscription"),
      (report.tombstones, "tombstone"), (report.assets, "asset"),
    ]
    var others = nouns.filter { $0.0 > 0 }.map { Numbers.count($0.0, $0.1) }
    if report.missingAssets > 0 {
      others.append("the bytes of \(Numbers.count(report.missingAssets, "asset")) are missing")
    }
    if report.unreadable > 0 {
      let count = Numbers.count(report.unreadable, "damaged row")
      others.append("\(count) removed, because no source has what was there")
    }
    if report.supersededTombstones > 0 {
      let count = Numbers.count(report.supersededTombstones, "deletion")
      others.append(
        "\(count) skipped, because the record or zone exists (--on-conflict replace deletes it)")
    }
    let text =
      "Imported \(Numbers.count(report.added + report.replaced, "record")) into "
      + "\(isNew ? "the new " : "")\(container)\(details)"
    let first = ([text] + (others.isEmpty ? [] : [others.joined(separator: ", ")]))
      .joined(separator: "; ")
    return ([first] + userLines).map(\.visible)
  }

  /// Whose data was imported, and who was added.
  private var userLines: [String] {
    var lines: [String] = []
    if let user = users.user {
      let signedIn = users.signedInUser
      let owner =
        signedIn == user
        ? "the signed-in user, \(user)"
        : signedIn.map { "the signed-in user, \($0), in place of \(user)" } ?? "the user \(user)"
      lines.append(
        "The data is that of \(owner)" + (users.isGiven ? "" : " (--as-user names another user)"))
    }
    if !users.added.isEmpty {
      let shown = users.added.prefix(5).joined(separator: ", ")
      let rest = users.added.count - min(5, users.added.count)
      lines.append(
        "Added \(Numbers.count(users.added.count, "user")): \(shown)"
          + (rest > 0 ? " and \(rest) more" : ""))
    }
    return lines
  }

  var json: JSONValue {
    let records: JSONValue = [
      "added": report.added, "replaced": report.replaced, "kept": report.kept,
      "identical": report.identical, "deleted": report.deleted,
    ]
    return [
      "container": container, "created": isNew, "records": records, "zones": report.zones,
      "subscriptions": report.subscriptions, "tombstones": report.tombstones,
      "supersededTombstones": report.supersededTombstones, "assets": report.assets,
      "missingAssets": report.missingAssets, "unreadable": report.unreadable, "user": users.user,
      "signedInUser": users.signedInUser, "addedUsers": users.added, "errors": errors,
      "migrations": migrations?.json,
    ]
  }
}

/// The results of the migrations of an import.
private struct MigrationSummary {
  /// The sources with the same chain of migrations, and the report of their records.
  struct Way {
    var migrator: Migrator
    var report: MigrationReport
    var sources: [String]
  }

  private(set) var ways: [Way] = []
  /// The sources that needed no migration.
  private(set) var asTheyWere: [String] = []

  init(_ sources: [ArchiveSource], _ migrators: [Migrator?], _ reports: [MigrationReport?]) {
    for (source, (migrator, report)) in zip(sources, zip(migrators, reports)) {
      guard let migrator, let report else {
        asTheyWere.append(source.name)
        continue
      }
      let versions = Self.versions(migrator)
      if let known = ways.firstIndex(where: { Self.versions($0.migrator) == versions }) {
        ways[known].report.add(report)
        ways[known].sources.append(source.name)
      } else {
        ways.append(Way(migrator: migrator, report: report, sources: [source.name]))
      }
    }
  }

  private static func versions(_ migrator: Migrator) -> [String] {
    migrator.migrations.flatMap { [$0.from, $0.to] }
  }

  func lines(_ style: TerminalStyle) -> [String] {
    let isMixed = ways.count + asTheyWere.count > 1
    var lines: [String] = []
    for way in ways {
      if isMixed { lines.append(way.sources.joined(separator: ", ").visible + ":") }
      lines += MigrationPrinter(report: way.report, migrator: way.migrator).lines(style)
    }
    if !asTheyWere.isEmpty {
      let names = asTheyWere.joined(separator: ", ").visible
      lines.append(
        "\(names): already \(asTheyWere.count == 1 ? "has" : "have") the schema version")
    }
    return lines
  }

  /// One report for each chain.
  var json: [JSONValue] {
    ways.map { way in
      .merging(
        ["bundles": way.sources],
        MigrationPrinter(report: way.report, migrator: way.migrator).json)
    }
  }
}
