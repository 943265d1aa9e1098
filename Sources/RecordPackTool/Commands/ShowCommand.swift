import ArgumentParser
import RecordArchive
import RecordCoding
import RecordModel

struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows a record, or writes an asset's bytes.",
    discussion: """
      Records of the name in all zones and databases are shown. With --format json
      each is a line as in a bundle: {"kind":"record","database":…,"zoneID":…,…}.
      The values of encrypted fields and the keys of assets are left out unless
      --show-encrypted is given.

      EXAMPLES
        recordpack show Tact.recordpack chat-1
        recordpack show Tact.sqlite chat-1 --database private --zone Chats
        recordpack show Tact.recordpack chat-1 --format json | jq .fields.title.value
        recordpack show Tact.recordpack --asset 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 -o photo.jpg
      """)

  @Argument(help: "A bundle or container; - is standard input.", completion: .file())
  var source: String

  @Argument(help: "The record's name.")
  var record: String?

  @Option(help: ArgumentHelp("Write the asset of this SHA-256.", valueName: "sha256"))
  var asset: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Where the asset goes; - is standard output.", valueName: "file"),
    completion: .file())
  var output = "-"

  @Flag(name: [.short, .long], help: "Replace the asset's file where it exists.")
  var force = false

  @Flag(help: "Show the values of encrypted fields, and the keys of assets.")
  var showEncrypted = false

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    guard (record == nil) != (asset == nil) else {
      throw ValidationError("name a record, or an asset with --asset")
    }
  }

  func run() throws {
    let source = try Inputs.source(source)
    if let asset {
      try show(asset: asset.lowercased(), of: source)
    } else if let record {
      try show(record: record, of: source)
    }
  }

  private func show(asset: String, of source: ArchiveSource) throws {
    guard asset.utf8.count == 64, asset.allSatisfy(\.isHexDigit) else {
      throw Failure("'\(asset)' is no SHA-256, which has 64 hexadecimal digits")
    }
    try Inputs.refuseTerminal(output)
    guard try source.assets().contains(where: { $0.sha256 == asset }) else {
      ErrorReport.report(
        Failure("there is no asset \(asset) in '\(self.source)'; list --assets shows what there is")
      )
      throw ExitCode.findings
    }
    try Inputs.refuseSame(self.source, output)
    _ = try Interruption.whileWriting {
      try source.writeAsset(sha256: asset, to: output, mustNotExist: !force)
    }
  }

  private func show(record name: String, of source: ArchiveSource) throws {
    try selection.check(against: [source])
    let found = try source.records(named: name, selection.filter)
    guard !found.isEmpty else {
      ErrorReport.report(Failure(try notFound(name, in: source)))
      throw ExitCode.findings
    }
    let output = StandardOutput()
    for (number, (database, record)) in found.enumerated() {
      if report.isJSON {
        let line = try RecordDisclosure(showEncrypted: showEncrypted).line(record, database)
        try output.line(line.compactText)
      } else {
        if number > 0 { try output.line() }
        let printer = RecordPrinter(style: report.style, showEncrypted: showEncrypted)
        for line in printer.lines(record, database) { try output.line(line) }
      }
    }
    try output.flush()
  }

  private func notFound(_ name: String, in source: ArchiveSource) throws -> String {
    var near = NearNames(name)
    try source.forEachRecordID(selection.filter) { recordID, _, _ in near.add(recordID.recordName) }
    let names = near.best
    return "there is no record '\(name)' in '\(self.source)'"
      + (names.isEmpty
        ? "" : "; did you mean \(names.map { "'\($0)'" }.joined(separator: " or "))?")
  }
}
