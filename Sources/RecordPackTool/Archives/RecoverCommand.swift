import ArgumentParser
import RecordBundle
import RecordCoding

struct RecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Save every intact frame of a damaged bundle to a new one.",
    usage: "recordpack recover DAMAGED ... SAVED [options]",
    discussion: """
      Checksums prove that saved frames are unchanged. The lines of damaged frames
      are lost, and so are assets without all of their chunks. The report says
      what is lost, and what is unknown because the index is lost, too. Frames may
      be in any order, and repeated. Frames that an intact index does not list are
      left out: they may belong to another bundle, or be older.

      For a split bundle, name one file to read all files beside it, or name all.
      Files beside it that do not continue it are left out. Named files of two
      bundles are an error, and so is overwriting a file that is read or a file
      beside it.

      Exits with 0 only if certainly nothing was lost, else with 1, so that
      `recordpack recover a b && rm a` is safe.

      --unverified writes unverified lines to a separate file, as JSON Lines: what
      can still be decompressed from damaged frames, and frames that the index
      does not list. Check these lines before you use them.

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
      "Write unverified lines to this file.", valueName: "file"),
    completion: .file())
  var unverified: String?

  @Flag(name: [.short, .long], help: "Replace existing files.")
  var force = false

  @OptionGroup(title: "BUNDLE") var file: BundleFileOptions
  @OptionGroup(title: "BUNDLE") var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  private var damaged: [String] { Array(paths.dropLast()) }
  private var saved: String { paths.last ?? "" }

  func validate() throws {
    guard paths.count > 1 else {
      throw ValidationError("name the damaged bundle, then the one to write")
    }
    guard damaged.count(where: { $0 == "-" }) <= 1 else {
      throw ValidationError("standard input (-) can be read only once")
    }
    if saved == "-" {
      try refuse(
        [("--force", force && unverified == nil), ("--split-size", file.splitSize != nil)],
        "to standard output")
    }
    guard unverified != "-" else {
      throw ValidationError("--unverified requires a file: standard output is for the report")
    }
  }

  func run() throws {
    try Inputs.refuseTerminal(saved)
    let bar = progress.bar("recovering")
    let recovered = try Interruption.whileWriting {
      try BundleRecovery.recover(
        damaged, to: saved, unverified: unverified, options: file.options(threads), overwrite: force
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
