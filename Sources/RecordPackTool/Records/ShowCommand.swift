import ArgumentParser
import RecordArchive
import RecordCoding
import RecordModel
import RecordSchema
import RecordText

struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a record, or write the bytes of an asset.",
    discussion: """
      Shows all records with the name, in all zones and databases. With --json,
      each is a line as in a bundle:
      {"kind":"record","database":…,"zoneID":…,…}. The values of encrypted fields
      and the keys of assets are hidden unless --show-encrypted is given.

      EXAMPLES
        recordpack show Tact.recordpack chat-1
        recordpack show Tact.sqlite chat-1 --database private --zone Chats
        recordpack show Tact.recordpack chat-1 --json | jq .fields.title.value
        recordpack show Tact.recordpack --asset 8886b91b -o sticker.bmp
      """)

  @Argument(help: "A bundle or container; - is standard input.", completion: .file())
  var source: String

  @Argument(help: "The name of the record.")
  var record: String?

  @Option(
    help: ArgumentHelp(
      "Write the asset with this SHA-256, or its first 6 or more digits.", valueName: "sha256"))
  var asset: String?

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file to write the asset to; - is standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: [.short, .long], help: "Replace an existing file.")
  var force = false

  @Flag(help: "Show the values of encrypted fields and the keys of assets.")
  var showEncrypted = false

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    guard (record == nil) != (asset == nil) else {
      throw ValidationError("name a record, or an asset with --asset")
    }
    guard asset != nil else {
      return try refuse(
        [("--output", output != nil), ("--force", force)], "to a record, only to --asset")
    }
    try refuse(
      selection.given + [
        ("--show-encrypted", showEncrypted), ("--json", report.isJSON),
        ("--color", report.color == .always),
      ], "to an asset, whose bytes are written unchanged")
    try refuse([("--force", force && destination == "-")], "to standard output")
  }

  private var destination: String { output ?? "-" }

  func run() throws {
    let source = try Inputs.source(source)
    if let asset {
      try show(asset: asset.lowercased(), of: source)
    } else if let record {
      try show(record: record, of: source)
    }
  }

  private func show(asset: String, of source: ArchiveSource) throws {
    guard (6...64).contains(asset.utf8.count), asset.allSatisfy(\.isHexDigit) else {
      throw CommandError(
        "'\(asset)' is not a SHA-256: 64 hexadecimal digits, or the first 6 or more of them")
    }
    try Inputs.refuseTerminal(destination)
    try Inputs.refuseOverwriting([self.source], by: [.init(path: destination)])
    let found = try source.assets().map(\.sha256).filter { $0.hasPrefix(asset) }
    guard found.count <= 1 else {
      throw CommandError("\(found.count) assets start with '\(asset)'; give more digits")
    }
    guard let digest = found.first else {
      ErrorReport.report(
        CommandError(
          "there is no asset \(asset) in '\(self.source)'; see 'recordpack list --assets'"),
        .findings)
      throw ExitCode.findings
    }
    _ = try Interruption.whileWriting {
      try source.writeAsset(sha256: digest, to: destination, overwrite: force)
    }
  }

  private func show(record name: String, of source: ArchiveSource) throws {
    let filter = try selection.filter(in: [source])
    let found = try source.records(named: name, filter)
    guard !found.isEmpty else {
      ErrorReport.report(
        try MissingRecord.failure(name, in: source, self.source, filter), .findings)
      throw ExitCode.findings
    }
    let output = StandardOutput()
    for (number, (database, record)) in found.enumerated() {
      if report.isJSON {
        let line = try RecordDisclosure(showEncrypted: showEncrypted).line(record, database)
        try output.line(line.visibleText)
      } else {
        if number > 0 { try output.line() }
        let printer = RecordPrinter(style: report.style, showEncrypted: showEncrypted)
        for line in printer.lines(record, database) { try output.line(line) }
      }
    }
    try output.flush()
  }
}
