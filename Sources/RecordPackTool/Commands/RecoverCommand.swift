import ArgumentParser
import RecordBundle
import RecordCoding

struct RecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Saves every intact frame of a damaged bundle into a new one.",
    discussion: """
      What is saved is what was written: frames carry checksums. What is lost are
      the lines of damaged frames, and assets that lost a piece; the report says
      how much that is.

      EXAMPLES
        recordpack recover damaged/broken.recordpack saved.recordpack
        recordpack recover damaged/broken.recordpack saved.recordpack --force
      """)

  @Argument(help: "The damaged bundle; - is standard input.", completion: .file())
  var damaged: String

  @Argument(help: "The bundle to write.", completion: .file())
  var saved: String

  @Flag(name: [.short, .long], help: "Replace the file where it exists.")
  var force = false

  @OptionGroup(title: "BUNDLE") var file: BundleFileOptions
  @OptionGroup var progress: ProgressOptions
  @OptionGroup var report: ReportOptions

  func run() throws {
    try Inputs.refuseSame(damaged, saved)
    try Inputs.refuseTerminal(saved)
    let bar = progress.bar("recovering")
    let recovered = try Interruption.whileWriting {
      try BundleRecovery.recover(
        damaged, to: saved, options: file.options, mustNotExist: !force
      ) { try bar.update(done: $0, total: $1) }
    }
    ProgressBar.clearLine()
    guard !progress.quiet else { return }
    let lines = report.isJSON ? [json(recovered).visibleText] : text(recovered)
    guard saved != "-" else {
      return StandardError.write(lines.joined(separator: "\n") + "\n")
    }
    let output = StandardOutput()
    for line in lines { try output.line(line) }
    try output.flush()
  }

  private func text(_ recovered: RecoveryReport) -> [String] {
    let records = recovered.saved[.record] ?? 0
    var lines = [
      "Saved \(Numbers.count(records, "record")) from \(Numbers.count(recovered.frames, "frame")) "
        + "to \(saved.visible)"
    ]
    if recovered.isComplete { return lines + ["Nothing was lost"] }
    for damage in recovered.damage.prefix(20) {
      lines.append(
        "  bytes \(Numbers.grouped(damage.start)) to \(Numbers.grouped(damage.end)) are lost: "
          + damage.reason.visible)
    }
    if recovered.damageCount > 20 {
      lines.append("  … and \(Numbers.grouped(recovered.damageCount - 20)) more places")
    }
    if recovered.damageCount > 0 {
      lines.append("  lost in all: \(Numbers.size(recovered.damagedBytes)) of the file")
    }
    if !recovered.hasHeader { lines.append("  lost: the header, with the schema") }
    if recovered.restoredZones > 0 {
      let zones = Numbers.count(recovered.restoredZones, "zone")
      lines.append("  lost: the description of \(zones); made anew from the records")
    }
    for asset in recovered.incompleteAssets.prefix(20) {
      lines.append("  lost: asset \(asset.visible), of which a piece is missing")
    }
    for line in recovered.leftOut.prefix(20) { lines.append("  left out: \(line.visible)") }
    if recovered.leftOutCount > 20 {
      lines.append("  … and \(Numbers.grouped(recovered.leftOutCount - 20)) more lines left out")
    }
    return lines
  }

  private func json(_ recovered: RecoveryReport) -> JSONValue {
    let kinds = LineKind.allCases.compactMap { kind in
      recovered.saved[kind].map { JSONValue.Member(kind.rawValue, .integer($0)) }
    }
    let damage = recovered.damage.map { damage in
      JSONValue.object([
        .init("start", .integer(damage.start)), .init("end", .integer(damage.end)),
        .init("reason", .string(damage.reason)),
      ])
    }
    return ReportOptions.document(
      "recover",
      [
        .init("complete", .bool(recovered.isComplete)),
        .init("frames", .integer(recovered.frames)), .init("saved", .object(kinds)),
        .init("hasHeader", .bool(recovered.hasHeader)),
        .init("restoredZones", .integer(recovered.restoredZones)),
        .init("damageCount", .integer(recovered.damageCount)),
        .init("damagedBytes", .integer(recovered.damagedBytes)), .init("damage", .array(damage)),
        .init("incompleteAssets", .array(recovered.incompleteAssets.map(JSONValue.string))),
        .init("leftOutCount", .integer(recovered.leftOutCount)),
        .init("leftOut", .array(recovered.leftOut.map(JSONValue.string))),
      ])
  }
}
