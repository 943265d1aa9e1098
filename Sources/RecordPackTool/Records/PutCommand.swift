import ArgumentParser
import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordSchema
import RecordStore
import RecordText

struct PutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "put",
    abstract: "Save records in a container, as an app would.",
    usage: """
      recordpack put <container> [<file>] [<options>]
      recordpack put <container> --type <type> [--name <name>] [<field> ...] [<options>]
      """,
    discussion: """
      Saves the records of a file, or of standard input: a record in JSON, an array
      of records, or one after another. The form is that of query --json and show
      --json, or of CloudKit Web Services. A record in JSON has the member "fields",
      and without "recordName", a new UUID. With --type or --name, saves one record
      with the fields of the command line:

        NAME=TEXT     a text; a date, such as 2025-01-31, for a TIMESTAMP field; a
                      record name for a REFERENCE field
        NAME:=JSON    3, 1.5, true, ["a","b"], {"latitude":1,"longitude":2}, or a
                      type and a value: {"type":"BYTES","value":"AQI="}; for an
                      encrypted field, with "isEncrypted":true; null removes it
        NAME@=FILE    an asset with the bytes of the file

      A value without a type gets that of the stored field, or that of the schema,
      or the one that fits. The given fields are changed, the others stay; null
      removes a field, also in a file. A record that is as given is not saved. One
      with a change tag is saved only if it was not saved or deleted since. Dates,
      users and change tags are set by the save. A file is read into memory.

      The records are saved under CloudKit's rules, as 'recordpack serve' has them:
      production rejects types and fields that its schema lacks, development adds
      them; the parent of a record exists, a share has its root. --unchecked saves
      without these rules. The limits of every record hold with it, too: for names,
      the size of a record, values that CloudKit does not have, and missing assets.

      All records are saved in one transaction: after an error, the container is as
      it was. --dry-run saves in a temporary copy of the container, and does not
      write to the container's file. Values are not part of the report.

      EXAMPLES
        recordpack put Tact.sqlite --type Note title="Hello" count:=3
        recordpack put Tact.sqlite --name note-1 --type Note photo@=photo.bmp
        recordpack show Tact.sqlite chat-1 --json | recordpack put Tact.sqlite
        recordpack put Tact.sqlite records.json --zone Notes --create-zone --dry-run
        recordpack put New.sqlite records.json --create --container iCloud.com.example
      """)

  @Argument(help: "The container.", completion: .file())
  var container: String

  @Argument(
    help: ArgumentHelp(
      "A file with records in JSON, - for standard input; or fields.", valueName: "file-or-field"),
    completion: .file())
  var arguments: [String] = []

  @OptionGroup(title: "RECORDS") var options: PutOptions
  @OptionGroup(title: "NEW CONTAINER AND VALIDATION") var target: PutTargetOptions

  @Flag(help: "Report what would be saved, and save nothing.")
  var dryRun = false

  @OptionGroup var quiet: QuietOption
  @OptionGroup var report: ReportOptions

  init() {}

  func validate() throws {
    guard container != "-" else {
      throw ValidationError("a container cannot be standard input; name a file")
    }
    if options.describesRecord {
      if let file = arguments.first(where: { !FieldAssignment.isOne($0) }) {
        throw ValidationError(
          "'\(file)' is not a field; with --type or --name, expected NAME=TEXT, NAME:=JSON or "
            + "NAME@=FILE")
      }
    }
    try refuseSecondStandardInput([options.describesRecord ? nil : file, target.schema])
    try refuse([("--quiet", quiet.quiet)], when: dryRun, "with --dry-run, which only reports")
    try refuse(
      [("--json", report.isJSON)], when: quiet.quiet, "with --quiet")
  }

  /// The file with records; nil if the arguments describe one.
  private var file: String? { options.describesRecord ? nil : arguments.first ?? "-" }

  func run() throws {
    // Not in `validate`, where it would hide that an option is unknown.
    if !options.describesRecord, arguments.count > 1 {
      throw CommandError(
        arguments.contains(where: FieldAssignment.isOne)
          ? "fields require --type or --name" : "name one file; its records are saved together")
    }
    let validation = try target.validation()
    let given = try self.given()
    let result = try ContainerChanges.run(
      in: container, creating: target.create ? target.info : nil, dryRun: dryRun
    ) { transaction in
      var run = try PutRun(
        transaction: transaction, options: options, validation: validation,
        container: container)
      try given { record in
        try Interruption.check()
        try run.save(record)
      }
      return try run.finish()
    }
    if !quiet.quiet {
      try report.tell(
        PutReport(
          result: result, container: container, isCreated: target.create, isDryRun: dryRun))
    }
  }

  /// Returns a function that calls its argument with each record to save. Standard input and the
  /// command line are read before the container is locked.
  private func given() throws -> ((InputRecord) throws -> Void) throws -> Void {
    if let file {
      if file != "-", FieldAssignment.isOne(file), !FileManager.default.fileExists(atPath: file) {
        throw ValidationError("fields require --type or --name")
      }
      let data = try RecordInput.data(at: file)
      return { try RecordInput.forEachRecord(in: data, named: Inputs.name(file), $0) }
    }
    var record = InputRecord(place: "the arguments")
    (record.recordName, record.recordType) = (options.name, options.type)
    record.fields =
      try arguments.map(FieldAssignment.parse) + options.unset.map { ($0, .removed) }
    var names: Set<ExactString> = []
    for (name, value) in record.fields {
      guard names.insert(ExactString(name)).inserted else {
        throw CommandError("field '\(name)' is given twice")
      }
      if case .file(let url) = value { try Inputs.refuseUnreadable(url.path, field: name) }
    }
    return { [record] in try $0(record) }
  }
}

private struct PutReport: CommandReport {
  static let format = "put"
  let result: PutResult
  let container: String
  /// Whether the container is new.
  let isCreated: Bool
  let isDryRun: Bool

  func lines(_ style: TerminalStyle) -> [String] {
    let others =
      result.zones.map { "+ zone \($0.text())" }
      + result.schemaChanges.map { "+ schema \($0.subject.description.visible)" }
    let saved = Numbers.count(result.changes.count { $0.kind != .unchanged }, "record")
    let counts = PutChange.Kind.allCases.map { kind in
      "\(Numbers.grouped(result.changes.count { $0.kind == kind })) \(kind.rawValue)"
    }
    return others.map { style.paint($0, .green) } + result.changes.compactMap { $0.line(style) } + [
      "\(isDryRun ? "Would save" : "Saved") \(saved) in \(container.visible): "
        + counts.joined(separator: ", ")
    ]
  }

  var json: JSONValue {
    let counts = PutChange.Kind.allCases.map { kind in
      JSONValue.Member(kind.rawValue, .integer(result.changes.count { $0.kind == kind }))
    }
    let schema = result.schemaChanges.map(\.subject).map { subject -> JSONValue in
      ["recordType": subject.recordType, "field": subject.field, "role": subject.role]
    }
    return [
      "container": container, "created": isCreated, "dryRun": isDryRun,
      "records": JSONValue.object(counts),
      "changes": result.changes.filter { $0.kind != .unchanged }.map(\.json),
      "createdZones": result.zones.map(\.json), "addedToSchema": schema,
    ]
  }
}
