import ArgumentParser
import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordStore
import RecordText

struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete records of a container, or a zone.",
    usage: """
      recordpack delete <container> <record> ... [<options>]
      recordpack delete <container> --where <condition> [<options>]
      recordpack delete <container> --zone <zone> [--with-records] [<options>]
      """,
    discussion: """
      Deletes the records with the names, and leaves a tombstone of each. A name
      that several records have is an error: choose with --database and --zone, or
      delete them all with --all. With --zone and no names, deletes the zone,
      everything in it and the subscriptions to it, and leaves a tombstone of the
      zone; without --with-records, only if it has no records.

      With --where, deletes the records that meet the condition, and of these only
      the ones that the other options select: with --zone, records of the zone, and
      not the zone. Look at them with --dry-run first. Records for which a function
      has no value are not deleted; they are reported, and the exit code is 1.

      Deletes nothing else: a record that refers to a deleted one stays. CloudKit
      deletes it too if the action of its reference is DELETE_SELF, and does not
      delete the parent of a record. The report names such references; to find
      them, all records are read.

      All is one transaction: after an error, the container is as it was. A
      missing record is an error unless --ignore-missing is given.

      EXAMPLES
        recordpack delete Tact.sqlite chat-2
        recordpack delete Tact.sqlite chat-1 --zone Chats --dry-run
        recordpack delete Tact.sqlite nope --ignore-missing
        recordpack delete Tact.sqlite --where "sentAt < '2025-01-01'" --dry-run
        recordpack query Tact.sqlite --type Message --json | jq -r .recordName > n
        recordpack delete Tact.sqlite --type Message - < n
        recordpack delete Tact.sqlite --database private --zone Chats --with-records
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

  @Flag(help: "Delete a zone that has records.")
  var withRecords = false

  @Flag(help: "Report what would be deleted, and delete nothing.")
  var dryRun = false

  @OptionGroup(title: "SELECTION") var selection: FilterOptions
  @OptionGroup(title: "SELECTION") var condition: ConditionOptions
  @OptionGroup var quiet: QuietOption
  @OptionGroup var report: ReportOptions

  init() {}

  func validate() throws {
    guard container != "-" else {
      throw ValidationError("a container cannot be standard input; name a file")
    }
    try refuseSecondStandardInput(names)
    if condition.text != nil {
      guard names.isEmpty else {
        throw ValidationError(
          "name records, or give --where, not both; a condition reads names as recordName")
      }
      try refuse(
        [
          ("--all", all), ("--ignore-missing", ignoreMissing), ("--with-records", withRecords),
        ], "with --where")
    } else if names.isEmpty {
      guard selection.zone.count == 1 else {
        throw ValidationError(
          "name records, or one zone with --zone, or a condition with --where; - takes names from standard input, such as those "
            + "of 'recordpack query … --fields recordName --json | jq -r .recordName'")
      }
      try refuse(
        selection.given.filter { !["--zone", "--database"].contains($0.name) } + [
          ("--all", all), ("--ignore-missing", ignoreMissing),
        ], "to a zone, only to records")
    } else {
      try refuse([("--with-records", withRecords)], "to records, only to a zone")
    }
    try refuse([("--quiet", quiet.quiet)], when: dryRun, "with --dry-run, which only reports")
    try refuse(
      [("--json", report.isJSON)], when: quiet.quiet, "with --quiet")
  }

  func run() throws {
    let names = try allNames()
    // The container is open only for reading, and must be closed on a signal, too.
    let choice = try Interruption.whileSorting { try choose(names) }
    let deleted =
      dryRun
      ? choice.deletion
      : try ContainerChanges.run(in: container, creating: nil, dryRun: false) { transaction in
        try delete(choice, transaction)
      }
    if let dangling = choice.dangling {
      try report.tell(
        DeleteReport(
          container: container, isDryRun: dryRun, deletion: deleted, dangling: dangling))
    }
    try choice.check?.finish()
  }

  /// The names of the arguments and of standard input, each once.
  private func allNames() throws -> [String] {
    var seen: Set<ExactString> = []
    return try names.flatMap { name -> [String] in
      guard name == "-" else { return [name] }
      let names = try Self.names(
        in: Inputs.bytes(of: "-", "names", atMost: RecordInput.maxSize))
      guard !names.isEmpty else { throw CommandError("standard input names no records") }
      return names
    }.filter { seen.insert(ExactString($0)).inserted }
  }

  /// The names of records in a text, one a line. A line ends with a line feed, or a carriage return and
  /// a line feed; all other characters are part of a name.
  static func names(in bytes: [UInt8]) throws -> [String] {
    guard bytes.count <= RecordInput.maxSize else {
      throw CommandError(
        "standard input is larger than \(Numbers.size(RecordInput.maxSize)); split the names")
    }
    return try bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let name = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard !name.isEmpty else { return nil }
      guard let text = String(validating: name, as: UTF8.self) else {
        throw CommandError("standard input is not UTF-8; expected names of records, one a line")
      }
      return text
    }
  }

  // MARK: Deleting

  /// Deletes what was chosen, if it still is what was chosen: another process may have changed it
  /// meanwhile.
  ///
  /// - Returns: The deleted records or zone.
  func delete(
    _ choice: DeletionChoice, _ transaction: ContainerTransaction
  ) throws -> Deletion {
    let chosen = choice.deletion
    try Interruption.check()
    if let zone = chosen.zone {
      let deletion = try deletion(
        of: zone.zoneID, in: zone.database,
        records: transaction.recordCount(in: zone.zoneID, of: zone.database))
      try transaction.deleteZone(zone.zoneID, in: zone.database)
      return deletion
    }
    var deletion = Deletion()
    deletion.missing = chosen.missing
    for place in chosen.records.map(\.location) {
      try Interruption.check()
      if chosen.damaged.contains(place),
        case .failure = try transaction.readableRecord(place.recordID, in: place.database)
      {
        try transaction.delete(place.recordID, in: place.database)
        deletion.addDamaged(place)
        continue
      }
      guard let found = try transaction.record(for: place.recordID, in: place.database) else {
        guard ignoreMissing else {
          throw CommandError("record '\(place.recordID)' was deleted by another process meanwhile")
        }
        deletion.missing.append(place.recordID.recordName)
        continue
      }
      guard choice.filter.contains(found, database: place.database),
        try choice.check?[0](found, place.database) != false
      else {
        throw CommandError(
          "record '\(place.recordID)' was changed by another process meanwhile, and the options no "
            + "longer select it; no record was deleted")
      }
      try transaction.delete(place.recordID, in: place.database)
      deletion.add(found, in: place.database)
    }
    return deletion
  }
}
