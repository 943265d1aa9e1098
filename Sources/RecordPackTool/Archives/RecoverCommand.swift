import ArgumentParser
import RecordArchive
import RecordBundle
import RecordCoding
import RecordText

struct RecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Save what is intact of a damaged bundle or container to a bundle.",
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

      Of a container, every intact row is saved, even if the file is truncated or
      SQLite cannot read some of its pages. The report counts the lost rows. Of a
      damaged zone, only the name and owner are saved, with its records. Import the
      bundle into a new container. If you have a backup, then import it, too, to get
      the lost records.

      Exits with 0 only if certainly nothing was lost, else with 1, so that
      `recordpack recover a -o b && rm a` is safe.

      --unverified writes unverified lines to a separate file, as JSON Lines: what
      can still be decompressed from damaged frames, and frames that the index
      does not list. Check these lines before you use them.

      EXAMPLES
        recordpack recover damaged/broken.recordpack -o saved.recordpack
        recordpack recover damaged/broken.recordpack -o saved.recordpack --force
        recordpack recover damaged/broken.recordpack -o b --unverified u.txt
        recordpack recover Tact.sqlite -o intact.recordpack
      """)

  @Argument(
    help: "The damaged bundle or container, or files of a split bundle; - is standard input.",
    completion: .file())
  var damaged: [String]

  @OptionGroup var destination: BundleOutputOptions

  @Option(
    help: ArgumentHelp(
      "Write unverified lines to this file.", valueName: "file"),
    completion: .file())
  var unverified: String?

  @OptionGroup(title: "BUNDLE") var file: BundleFileOptions
  @OptionGroup(title: "BUNDLE") var threads: ThreadOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  private var saved: String { destination.path }
  private var force: Bool { destination.force }

  func validate() throws {
    if destination.output == nil { try destination.require(file) }
    try refuseSecondStandardInput(damaged)
    try refuseForStandardOutput(saved, force: force && unverified == nil, file)
    guard unverified != "-" else {
      throw ValidationError("--unverified requires a file: standard output is for the report")
    }
  }

  func run() throws {
    try Inputs.refuseTerminal(saved)
    if let container = damaged.first(where: { $0 != "-" && ArchiveSource.isContainer($0) }) {
      return try recover(container: container)
    }
    let bar = progress.bar("recovering")
    let recovered = try Interruption.whileWriting {
      try BundleRecovery.recover(
        damaged, to: saved, unverified: unverified, options: file.options(threads), overwrite: force
      ) { try bar.update(done: $0, total: $1) }
    }
    ProgressBar.clearLine()
    if !progress.quiet {
      try report.tell(
        RecoveryPrinter(recovered: recovered, saved: saved, unverified: unverified),
        onStandardError: saved == "-")
    }
    if !recovered.isComplete { throw ExitCode.findings }
  }
}

extension RecoverCommand {
  private func recover(container path: String) throws {
    guard damaged.count == 1, unverified == nil else {
      throw CommandError(
        "'\(path)' is a container: name only it, and leave out --unverified")
    }
    try Inputs.refuseOverwriting([path], by: [.init(path: saved, isSplit: file.splitSize != nil)])
    let recovered = try Interruption.whileWriting {
      var archiver = Archiver()
      archiver.bundleOptions = file.options(threads)
      let bar = progress.bar("recovering")
      archiver.progress = { try bar.update($0) }
      return try archiver.recover(containerAt: path, to: saved, overwrite: force)
    }
    ProgressBar.clearLine()
    if !progress.quiet {
      try report.tell(
        ContainerRecoveryPrinter(recovered: recovered, path: path, saved: saved),
        onStandardError: saved == "-")
    }
    if !recovered.isComplete || recovered.bundle.missingAssets > 0 { throw ExitCode.findings }
  }
}

/// The output of `recover` for a container.
private struct ContainerRecoveryPrinter: CommandReport {
  static let format = "recover"
  let recovered: ContainerRecoveryReport
  let path: String
  let saved: String

  func lines(_ style: TerminalStyle) -> [String] {
    let records = Numbers.count(recovered.bundle.records, "record")
    var lines = ["Saved \(records) to \(saved.visible)"]
    lines += recovered.issues.prefix(20).map { issue in
      "damaged: \(issue)\(issue.keepsIdentity ? "; \(DamagedRows.identityStays)" : "")".visible
    }
    let hidden = recovered.faults - min(20, recovered.issues.count)
    if hidden > 0 { lines.append("… and \(Numbers.grouped(hidden)) more") }
    lines += recovered.losses.map { "lost: \($0)" }
    if recovered.bundle.missingAssets > 0 {
      lines.append(
        "lost: the bytes of \(Numbers.count(recovered.bundle.missingAssets, "asset"))")
    }
    return lines + (recovered.isComplete ? ["Nothing was lost"] : [])
  }

  var json: JSONValue {
    [
      "complete": recovered.isComplete, "records": recovered.bundle.records,
      "missingAssetCount": recovered.bundle.missingAssets, "findingCount": recovered.faults,
      "findings": recovered.issues.map { issue -> JSONValue in
        ["file": path, "place": issue.place, "message": issue.problem]
      },
      "losses": recovered.losses,
    ]
  }
}

/// The output of `recover`.
private struct RecoveryPrinter: CommandReport {
  static let format = "recover"
  let recovered: RecoveryReport
  let saved: String
  let unverified: String?

  /// The number of items of each kind to list in text.
  private static let maxListed = 20

  func lines(_ style: TerminalStyle) -> [String] {
    let records = recovered.saved[.record] ?? 0
    var lines = [
      "Saved \(Numbers.count(records, "record")) from \(Numbers.count(recovered.frames, "frame")) "
        + "to \(saved.visible)"
    ]
    lines += listed(recovered.damage, count: recovered.damageCount, "damaged places") {
      "damaged: bytes \(Numbers.grouped($0.start)) to \(Numbers.grouped($0.end)) of "
        + "\($0.source.visible): \($0.reason.visible)"
    }
    lines += listed(recovered.notes, "notes") { "note: \($0.visible)" }
    if recovered.isComplete { return lines + ["Nothing was lost"] }
    if recovered.lostLines > 0 {
      lines.append("Lost: \(Numbers.count(recovered.lostLines, "line"))")
    }
    lines += listed(recovered.lostFrames, "frames") {
      "lost: frame \($0.frame), \(Numbers.count($0.lines, "line")): \($0.content.visible)"
    }
    lines += listed(recovered.losses, "losses") { "lost: \($0.visible)" }
    if recovered.restoredZones > 0 {
      let zones = Numbers.count(recovered.restoredZones, "zone")
      lines.append("  lost: the description of \(zones); recreated from the records")
    }
    lines += listed(recovered.missingAssets, "assets") {
      "lost: bytes of asset \($0.visible), which a record refers to"
    }
    if recovered.leftOutCount > 0 {
      lines.append("Left out: \(Numbers.count(recovered.leftOutCount, "line"))")
    }
    lines += listed(recovered.leftOut, "reasons") { "left out: \($0.visible)" }
    lines += listed(recovered.unknowns, "unknowns") { "unknown: \($0.visible)" }
    if let unverified {
      lines.append(
        "Unverified: \(Numbers.count(recovered.unverifiedLines, "line")) in " + unverified.visible)
    }
    return lines
  }

  private func listed<T>(
    _ things: [T], count: Int? = nil, _ what: String, _ text: (T) -> String
  ) -> [String] {
    let lines = things.prefix(Self.maxListed).map { "  " + text($0) }
    let hidden = (count ?? things.count) - lines.count
    return hidden > 0 ? lines + ["  … and \(Numbers.grouped(hidden)) more \(what)"] : lines
  }

  var json: JSONValue {
    let saved = LineKind.allCases.compactMap { kind in
      recovered.saved[kind].map { JSONValue.Member(kind.rawValue, .integer($0)) }
    }
    let damage = recovered.damage.map { damage -> JSONValue in
      [
        "file": damage.source, "start": damage.start, "end": damage.end, "reason": damage.reason,
      ]
    }
    let lostFrames = recovered.lostFrames.map { frame -> JSONValue in
      [
        "file": frame.source, "frame": frame.frame, "lines": frame.lines, "content": frame.content,
      ]
    }
    return [
      "complete": recovered.isComplete, "files": recovered.sources, "frames": recovered.frames,
      "saved": JSONValue.object(saved), "damageCount": recovered.damageCount,
      "damagedBytes": recovered.damagedBytes, "damage": damage, "lostLines": recovered.lostLines,
      "lostFrames": lostFrames, "losses": recovered.losses, "unknowns": recovered.unknowns,
      "notes": recovered.notes, "restoredZones": recovered.restoredZones,
      "missingAssets": recovered.missingAssets, "leftOutCount": recovered.leftOutCount,
      "leftOut": recovered.leftOut,
      "unverifiedLines": unverified == nil ? nil : recovered.unverifiedLines,
    ]
  }
}
