import ArgumentParser
import Foundation
import MockCloud
import RecordArchive
import RecordCoding
import RecordModel

struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete records of a container, or a zone.",
    usage: """
      recordpack delete <container> <record> ... [<options>]
      recordpack delete <container> --zone <zone> [--force] [<options>]
      """,
    discussion: """
      Deletes the records with the names, and leaves a tombstone of each. A name
      that several records have is an error: choose with --database and --zone, or
      delete them all with --all. With --zone and no names, deletes the zone and
      everything in it, and leaves a tombstone of the zone; without --force, only
      if it has no records.

      Deletes nothing else: a record that refers to a deleted one stays. CloudKit
      deletes it too if the action of its reference is DELETE_SELF, and refuses to
      delete the parent of a record. The report names such references; to find
      them, all records are read.

      All is one transaction: after an error, the container is as it was. A
      missing record is an error unless --ignore-missing is given.

      EXAMPLES
        recordpack delete Tact.sqlite chat-2
        recordpack delete Tact.sqlite chat-1 --database private --zone Chats --dry-run
        recordpack delete Tact.sqlite nope --ignore-missing
        recordpack delete Tact.sqlite --type Message - < names.txt
        recordpack delete Tact.sqlite --database private --zone Chats --force
      """)

  @Argument(help: "The container.", completion: .file())
  var container: String

  @Argument(
    help: ArgumentHelp(
      "The names of the records; - reads names from standard input, one a line.",
      valueName: "record"))
  var names: [String] = []

  @Flag(help: "Delete all records with a name that several records have.")
  var all = false

  @Flag(help: "Accept names that no record has.")
  var ignoreMissing = false

  @Flag(name: [.short, .long], help: "Delete a zone that has records.")
  var force = false

  @Flag(help: "Report what would be deleted, and delete nothing.")
  var dryRun = false

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup var quiet: QuietOption
  @OptionGroup var report: ReportOptions

  func validate() throws {
    guard container != "-" else {
      throw ValidationError("a container cannot be standard input; name a file")
    }
    try refuseSecondStandardInput(names)
    if names.isEmpty {
      guard selection.zone.count == 1 else {
        throw ValidationError("name records, or one zone with --zone")
      }
      try refuse(
        selection.given.filter { !["--zone", "--database"].contains($0.name) } + [
          ("--all", all), ("--ignore-missing", ignoreMissing),
        ], "to a zone, only to records")
    } else {
      try refuse([("--force", force)], "to records, only to a zone")
    }
    try refuse([("--quiet", quiet.quiet)], when: dryRun, "with --dry-run, which only reports")
    try refuse(
      [("--json", report.json), ("--format", report.format != nil)], when: quiet.quiet,
      "with --quiet")
  }

  func run() throws {
    let names = try allNames()
    let source = ArchiveSource.container(try Inputs.container(container))
    let filter = try selection.filter(in: [source])
    let deleted =
      names.isEmpty ? try chosenZone(source, filter) : try records(names, source, filter)
    let left =
      quiet.quiet
      ? nil
      : try LeftReferences(in: source, isDeleted: deleted.contains) { try Interruption.check() }
    if case .container(let opened) = source { try opened.close() }
    try ContainerChanges.run(in: container, creating: nil, dryRun: dryRun) { transaction in
      try delete(deleted, transaction)
    }
    guard let left else { return }
    try report.tell(
      report.isJSON ? [json(deleted, left).visibleText] : text(deleted, left))
  }

  /// The names of the arguments and of standard input, each once.
  private func allNames() throws -> [String] {
    var seen: Set<NameKey> = []
    return try names.flatMap { name -> [String] in
      guard name == "-" else { return [name] }
      let bytes = try SchemaInput.read(
        .standardInput, "standard input", atMost: RecordInput.maxSize)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Failure("standard input is not UTF-8; expected names of records, one a line")
      }
      return text.split(whereSeparator: \.isNewline).map(String.init)
    }.filter { seen.insert(NameKey($0)).inserted }
  }

  // MARK: Choosing

  private func records(
    _ names: [String], _ source: ArchiveSource, _ filter: RecordFilter
  ) throws -> Deletion {
    var deletion = Deletion()
    for name in names {
      try Interruption.check()
      let found = try source.records(named: name, filter)
      guard all || found.count <= 1 else {
        let places = found.map { "\($0.database.rawValue) \($0.record.recordID.zoneID)" }
        throw Failure(
          "\(found.count) records have the name '\(name)' (\(places.joined(separator: ", "))); "
            + "choose with --database and --zone, or delete them all with --all")
      }
      if found.isEmpty {
        guard ignoreMissing else {
          throw try MissingRecord.failure(name, in: source, container, filter)
        }
        deletion.missing.append(name)
      }
      for (database, record) in found { deletion.add(record, in: database) }
    }
    return deletion
  }

  private func chosenZone(
    _ source: ArchiveSource, _ filter: RecordFilter
  ) throws -> Deletion {
    let zones = try source.zones().map { (database: $0.database, zoneID: $0.zone.zoneID) }.filter {
      filter.contains(database: $0.database, zoneID: $0.zoneID)
    }
    guard !zones.isEmpty else {
      throw Failure("zone '\(selection.zone[0].argument)' is already deleted")
    }
    guard zones.count == 1, let zone = zones.first else {
      let places = zones.map { "\($0.database.rawValue) \($0.zoneID)" }
      throw Failure(
        "\(zones.count) zones match (\(places.joined(separator: ", "))); choose with --database "
          + "and NAME/OWNER")
    }
    let only = RecordFilter(databases: [zone.database], zoneIDs: [zone.zoneID])
    let count = try source.sections(only).reduce(0) { $0 + $1.records }
    guard count == 0 || force else {
      throw Failure(
        "zone '\(zone.zoneID)' has \(Numbers.count(count, "record")); use --force to delete them "
          + "with it")
    }
    return Deletion(zone: (zone.database, zone.zoneID, count))
  }

  private func delete(_ deletion: Deletion, _ transaction: ContainerTransaction) throws {
    if let zone = deletion.zone {
      return try transaction.deleteZone(zone.zoneID, in: zone.database)
    }
    for record in deletion.records {
      try Interruption.check()
      let recordID = record.recordID
      guard try transaction.delete(recordID, in: record.database) || ignoreMissing else {
        throw Failure("record '\(recordID)' was deleted by another process meanwhile")
      }
    }
  }
}

extension DeleteCommand {
  private func text(_ deletion: Deletion, _ left: LeftReferences) -> [String] {
    let verb = dryRun ? "Would delete" : "Deleted"
    let missing = deletion.missing.isEmpty ? "" : "; \(deletion.missing.count) missing"
    let what =
      deletion.zone.map {
        "zone \(Identity($0.database, $0.zoneID).text(separator: " ")) with "
          + Numbers.count($0.records, "record")
      } ?? Numbers.count(deletion.records.count, "record")
    return deletion.records.map {
      report.style.paint("- \($0.identity.text(separator: " "))", .red)
    } + left.lines(report.style) + ["\(verb) \(what) from \(container.visible)\(missing)"]
  }

  private func json(_ deletion: Deletion, _ left: LeftReferences) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("container", .string(container)), .init("dryRun", .bool(dryRun)),
      .init("records", .integer(deletion.zone?.records ?? deletion.records.count)),
    ]
    if let zone = deletion.zone {
      members.append(.init("zone", Identity(zone.database, zone.zoneID).json))
    } else {
      members.append(.init("deleted", .array(deletion.records.map(\.identity.json))))
      members.append(.init("missing", .array(deletion.missing.map(JSONValue.string))))
    }
    return ReportOptions.document("delete", members + left.json)
  }
}
