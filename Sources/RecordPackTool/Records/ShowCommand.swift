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

      A record of Core Data is shown as its object: the entity, its attributes, and
      its relationships with the entities of their targets. --json writes the record
      as it is; --raw shows it so.

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

  @OptionGroup var output: OutputOptions

  @Flag(help: "Show the values of encrypted fields and the keys of assets.")
  var showEncrypted = false

  @Flag(help: rawHelp)
  var raw = false

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    try refuse([("--raw", raw)], when: report.isJSON, "to JSON, which has records as they are")
    guard (record == nil) != (asset == nil) else {
      throw ValidationError("name a record, or an asset with --asset")
    }
    try refuse(output.given, when: asset == nil, "to a record, only to --asset")
    try refuse(
      selection.given
        + [("--show-encrypted", showEncrypted), ("--raw", raw), ("--json", report.isJSON)]
        + report.givenColor, when: asset != nil,
      "to an asset, whose bytes are written unchanged")
  }

  private var destination: String { output.file ?? "-" }

  func run() throws {
    let damage = DamagedRows()
    let source = try damage.source(source)
    if let asset {
      try show(asset: asset.lowercased(), of: source)
    } else if let record {
      try show(record: record, of: source, damage)
    }
    try damage.finish()
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
        "there is no asset \(asset) in '\(self.source)'; see 'recordpack query --assets'", .findings
      )
      throw ExitCode.findings
    }
    _ = try Interruption.whileWriting {
      try source.writeAsset(sha256: digest, to: destination, overwrite: output.force)
    }
  }

  private func show(
    record name: String, of source: ArchiveSource, _ damage: DamagedRows
  ) throws {
    let filter = try selection.filter(in: [source])
    let found = try source.records(named: name, filter)
    guard !found.isEmpty else {
      try damage.finish()
      ErrorReport.report(
        try MissingRecord.failure(name, in: source, self.source, filter), .findings)
      throw ExitCode.findings
    }
    let standard = StandardOutput()
    let relationships = raw || report.isJSON ? [:] : try source.relationships(of: found).found
    for (number, (database, record)) in found.enumerated() {
      if report.isJSON {
        let line = try RecordDisclosure(showEncrypted: showEncrypted).line(record, database)
        try standard.line(line.visibleText)
      } else {
        if number > 0 { try standard.line() }
        let printer = RecordPrinter(style: report.style, showEncrypted: showEncrypted)
        let known = relationships[RecordLocation(database, record)] ?? .init()
        let object = raw ? nil : MirroredObject(record, known)
        for line in printer.lines(record, object, database) { try standard.line(line) }
      }
    }
    try standard.flush()
  }
}

/// Prints a record: the system fields, then the fields with their types.
struct RecordPrinter {
  let style: TerminalStyle
  let showEncrypted: Bool

  /// - Parameter object: The object of a record of Core Data; nil to print the record as it is.
  func lines(
    _ record: ResultRecord, _ object: MirroredObject?, _ database: DatabaseScope
  ) -> [String] {
    let system = record.systemFields
    let shown = object?.record ?? record
    var lines = [
      style.paint(shown.recordType.visible, .cyan) + " "
        + style.paint(record.recordID.recordName.visible, .bold)
    ]
    lines += facts(system, isObject: object != nil, database).lines(style, indent: "  ")
    guard !shown.fields.isEmpty else { return lines + ["", "  no fields"] }
    return lines + [""] + fields(shown, object).lines(style, indent: "  ")
  }

  private func facts(
    _ system: SystemFields, isObject: Bool, _ database: DatabaseScope
  ) -> Table {
    let words = FieldText(showEncrypted: showEncrypted)
    var table = Table([.left, .left])
    func add(_ name: String, _ text: String?) {
      if let text { table.add([.init(name, .dim), .init(text)]) }
    }
    add("database", database.rawValue)
    if isObject { add("record type", system.recordType) }
    add("zone", system.recordID.zoneID.description)
    add("change tag", system.recordChangeTag)
    add("created", system.created.map(stamp))
    add("modified", system.modified.map(stamp))
    add("parent", system.parent.map(words.reference))
    add("share", system.share.map(words.reference))
    for member in system.otherMembers { add(member.name, other(member.name, member.value)) }
    return table
  }

  private func stamp(_ stamp: RecordStamp) -> String {
    var parts = [stamp.date.map(\.inWords) ?? "at an unknown time"]
    if let user = stamp.userRecordName { parts.append("by \(user)") }
    if let device = stamp.deviceID { parts.append("on device \(device)") }
    return parts.joined(separator: " ")
  }

  private func other(_ name: String, _ json: RawJSON) -> String {
    let most = 400
    let text = RecordDisclosure(showEncrypted: showEncrypted).shown(json.text, named: name)
    return text.count > most ? text.prefix(most) + "…" : text
  }

  private func fields(_ record: ResultRecord, _ object: MirroredObject?) -> Table {
    let words = FieldText(showEncrypted: showEncrypted)
    var table = Table([.left, .left, .left])
    for field in record.fields {
      let type =
        object?.destination(of: field)
        ?? (field.isEncrypted ? "ENCRYPTED " : "") + field.value.typeName
      let isMasked = field.isEncrypted && !showEncrypted
      // A relationship does not leave its zone.
      let lines =
        object?.destination(of: field) == nil
        ? words.lines(field) : words.names(of: field.value.references)
      for (number, line) in lines.enumerated() {
        table.add([
          .init(number == 0 ? field.name : ""), .init(number == 0 ? type : "", .dim),
          .init(line, isMasked ? .yellow : nil),
        ])
      }
    }
    return table
  }
}
