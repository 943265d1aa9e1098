import ArgumentParser
import RecordBundle
import RecordCoding

struct RecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Saves every intact frame of a damaged bundle into a new one.",
    usage: "recordpack recover DAMAGED ... SAVED [options]",
    discussion: """
      What is saved is what was written: frames carry checksums. What is lost are
      the lines of damaged frames, and assets that lost a piece. The report says
      what is lost, and what cannot be known because the index is lost, too.
      Frames may lie in any order, and more than once. Frames that a whole index
      does not list are left out: they may be of another bundle, or older.

      Of a split bundle, name one file to have all beside it read, or name all.
      Files beside it that do not go on from it are left out; files that are named
      and come from two bundles are refused, and so is writing over any file that
      is read or lies beside.

      Exits with 0 where it is known that nothing was lost, and with 1 otherwise,
      so that `recordpack recover a b && rm a` is safe.

      --unverified writes what nothing proves to a file of its own, as JSON Lines:
      what can still be decompressed of damaged frames, and frames that the index
      does not list. Read it, and take nothing over unseen.

      EXAMPLES
        recordpack recover damaged/broken.recordpack saved.recordpack
        recordpack recover damaged/broken.recordpack saved.recordpack --force
        recordpack recover damaged/broken.recordpack b.recordpack --unverified u.txt
      """)

  @Argument(
    help:
      "The damaged bundle, or files of a split one (- is standard input), then the bundle to write.",
    completion: .file())
  var paths: [String]

  @Option(
    help: ArgumentHelp(
      "Write the lines that nothing proves to this file.", valueName: "file"),
    completion: .file())
  var unverified: String?

  @Flag(name: [.short, .long], help: "Replace files that exist.")
  var force = false

  @OptionGroup(title: "BUNDLE") var file: BundleFileOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  private var damaged: [String] { Array(paths.dropLast()) }
  private var saved: String { paths.last ?? "" }

  func validate() throws {
    guard paths.count > 1 else {
      throw ValidationError("name the damaged bundle, then the one to write")
    }
    guard damaged.count(where: { $0 == "-" }) <= 1 else {
      throw ValidationError("standard input (-) can be read once only")
    }
    if saved == "-" {
      try refuse(
        [("--force", force && unverified == nil), ("--split-size", file.splitSize != nil)],
        "to standard output")
    }
    guard unverified != "-" else {
      throw ValidationError("--unverified needs a file: standard output is for the report")
    }
  }

  func run() throws {
    try Inputs.refuseTerminal(saved)
    let bar = progress.bar("recovering")
    let recovered = try Interruption.whileWriting {
      try BundleRecovery.recover(
        damaged, to: saved, unverified: unverified, options: file.options, mustNotExist: !force
      ) { try bar.update(done: $0, total: $1) }
    }
    ProgressBar.clearLine()
    if !progress.quiet {
      let printer = RecoveryPrinter(saved: saved, unverified: unverified)
      try report.tell(
        report.isJSON ? [printer.json(recovered).visibleText] : printer.text(recovered),
        onStandardError: saved == "-")
    }
    if !recovered.isComplete { throw ExitCode.findings }
  }
}
