import ArgumentParser
import Foundation
import RecordArchive
import RecordBundle
import RecordCoding
import RecordMigration
import RecordStore

struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate",
    abstract: "Migrate bundles and containers between schema versions.",
    discussion: """
      A plan is a YAML file with steps. In a folder of plans and schemas named by
      version, migrate uses the shortest chain of plans. See also 'recordpack help
      migrate run' and 'recordpack help migrate plan'.

      EXAMPLES
        recordpack migrate Old.recordpack --plan Plans/v2.yml -o New.recordpack
        recordpack migrate Old.recordpack --plan Plans --dry-run
        recordpack migrate plan Plans/v1.ckdb Plans/v2.ckdb > plan.yml
      """,
    subcommands: [MigrateRunCommand.self, MigratePlanCommand.self],
    defaultSubcommand: MigrateRunCommand.self)
}

struct MigrateRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Migrate a bundle or container.",
    usage: """
      recordpack migrate <source> --plan <plan> ... -o <output>
      recordpack migrate <container> --plan <plan> ... --in-place
      recordpack migrate <source> --plan <plan> ... [--in-place] --dry-run
      """,
    discussion: """
      Checks the source's schema first, and each result against the target schema.
      If anything does not match, nothing is written. The report counts what steps
      drop, keep elsewhere or leave behind. The exit code is 1 if a plan still has
      open questions, as its steps are guesses then; if an object of Core Data has
      a relationship to an object that was left behind; or if a step moved one of
      two records of which one refers to the other: CloudKit rejects references to
      another zone.

      With --in-place, changes a container in one transaction: each record that
      changes is saved as an app would save it, with the next change tag. A source
      that already has the version is not changed; with -o, it is copied. CloudKit's
      limits apply to these records, unlike with -o: try them with --in-place
      --dry-run, which migrates a temporary copy of the container.

      EXAMPLES
        recordpack migrate Old.recordpack --plan Plans -o New.recordpack
        recordpack migrate Old.recordpack --plan Plans --to-version v3 -o New.sqlite
        recordpack migrate New.sqlite --plan Plans --in-place
        recordpack migrate New.recordpack --plan Plans --reverse --to-version v1 -o b
      """)

  @Argument(help: "A bundle or a container; - is standard input.", completion: .file())
  var source: String

  @Option(
    help: ArgumentHelp(
      "A plan, or a folder of plans and schemas. Several plans run in order.",
      valueName: "file"), completion: .file())
  var plan: [String]

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The file to write: a container if its name ends in .sqlite, .sqlite3 or .db, else a bundle; "
        + "- is standard output.", valueName: "file"), completion: .file())
  var output: String?

  @Flag(help: "Change the container itself.")
  var inPlace = false

  @Flag(help: "Write nothing; report what would happen.")
  var dryRun = false

  @Flag(help: "Reverse the plans; fails if a step cannot be reversed.")
  var reverse = false

  @Option(
    help: ArgumentHelp(
      "With a folder: the version of the source, if it does not name one.",
      valueName: "version"))
  var fromVersion: String?

  @Option(
    help: ArgumentHelp(
      "With a folder: the target version. (default: the newest)", valueName: "version"))
  var toVersion: String?

  @Flag(name: [.short, .long], help: "Replace an existing bundle.")
  var force = false

  @OptionGroup(title: "BUNDLE") var file: BundleFileOptions
  @OptionGroup(title: "BUNDLE") var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    guard !plan.isEmpty else { throw ValidationError("name a plan with --plan") }
    guard output != nil ? !inPlace && !dryRun : inPlace || dryRun else {
      throw ValidationError(
        "use -o FILE, --in-place or --dry-run; --dry-run may follow --in-place")
    }
    let isBundle = output.map { !ArchiveSource.isContainerName($0) } ?? false
    if !isBundle { try refuse(file.given, "unless a bundle is written") }
    if let output { try refuseForStandardOutput(output, force: force, file) }
    guard !force || isBundle else {
      throw ValidationError(
        "--force applies only to a bundle; an existing container is not replaced")
    }
  }

  func run() throws {
    let choice = MigrationChoice(paths: plan, from: fromVersion, to: toVersion, reverse: reverse)
    if let output {
      try Inputs.refuseOverwriting(
        [source] + choice.files, by: [.init(path: output, isSplit: file.splitSize != nil)])
      try Inputs.refuseTerminal(output)
    }
    let archiver = archiver()
    if inPlace {
      try runInPlace(archiver, choice)
      return
    }
    let input = try Inputs.source(source)
    let migrator = try choice.migrator(for: input, named: source)
    let version = try input.info().schemaVersion ?? fromVersion ?? ""
    if dryRun {
      let result = try Interruption.whileWriting {
        try archiver.dryRun(input, with: migrator)
      }
      try tell(result, migrator, version)
      return
    }
    guard let output else { return }
    let result = try Interruption.whileWriting {
      let destination: ArchiveDestination =
        ArchiveSource.isContainerName(output)
        ? .newContainer(path: output) : .bundle(path: output, overwrite: force)
      return try archiver.migrate(input, with: migrator, into: destination).report
    }
    try tell(result, migrator, version)
  }

  private func runInPlace(_ archiver: Archiver, _ choice: MigrationChoice) throws {
    guard ArchiveSource.isContainer(source) else {
      // A missing file, or one that is not a bundle either, has an error of its own.
      if source != "-" { _ = try Inputs.source(source) }
      throw CommandError(
        "'\(source)' is not a container; migrate a bundle to another file with -o FILE")
    }
    // The plan is checked first, so that an error in it does not change the file.
    let reading = try ContainerStore.open(path: source, mode: .readOnly)
    let migrator = try choice.migrator(for: .container(reading), named: source)
    let version = try reading.info().schemaVersion ?? fromVersion ?? ""
    try reading.close()
    guard !migrator.migrations.isEmpty else {
      return try tell(migrator.emptyReport(), migrator, version)
    }
    try tell(
      dryRun ? tryInPlace(archiver, migrator) : runInPlace(archiver, migrator), migrator, version)
  }

  private func runInPlace(_ archiver: Archiver, _ migrator: Migrator) throws -> MigrationReport {
    try Inputs.changing(source) { try archiver.migrate(inPlace: $0, with: migrator) }
  }

  /// Saves the results in a temporary copy, unless a dry run has failures already.
  private func tryInPlace(_ archiver: Archiver, _ migrator: Migrator) throws -> MigrationReport {
    try Interruption.whileSorting {
      let container = try Inputs.container(source)
      defer { _ = try? container.close() }
      let report = try archiver.dryRun(.container(container), with: migrator)
      if report.hasFailures { return report }
      let copy = try container.temporaryCopy(progress: Interruption.check)
      return try archiver.migrate(inPlace: copy, with: migrator)
    }
  }

  private func archiver() -> Archiver {
    var archiver = Archiver()
    archiver.bundleOptions = file.options(threads)
    archiver.threads = archiver.bundleOptions.threads
    let bar = progress.bar("migrating")
    archiver.progress = { try bar.update($0) }
    return archiver
  }

  /// - Throws: `ExitCode.findings` if a dry run found failures, a plan has open questions, or
  ///   links between records are broken.
  private func tell(_ result: MigrationReport, _ migrator: Migrator, _ version: String) throws {
    ProgressBar.clearLine()
    if !progress.quiet {
      let printer = MigrationPrinter(
        report: result, migrator: migrator, isDryRun: dryRun, source: source, version: version)
      if dryRun {
        try report.write(printer)
      } else {
        try report.tell(printer, onStandardError: output == "-")
      }
    }
    if dryRun && result.hasFailures || migrator.openQuestions > 0 || result.hasBrokenLinks {
      throw ExitCode.findings
    }
  }
}
