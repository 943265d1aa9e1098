import ArgumentParser
import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordPages
import RecordSchema
import RecordText

struct SchemaDrawCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case svg, mermaid
  }

  static let configuration = CommandConfiguration(
    commandName: "draw",
    abstract: "Draw a schema: a box for each record type, and lines for references.",
    discussion: """
      CloudKit's schemas do not say what a REFERENCE refers to. With records, from
      --records or from a SCHEMA that is a bundle or container, it is what they refer
      to, and the numbers of records, the parents and the shares are drawn too. What
      records leave open is guessed by names, as chat, chatID and parentChat mean
      Chat, and drawn dashed.

      An SVG file opens in any browser, light or dark. Mermaid is drawn by GitHub in
      a Markdown file, between ```mermaid and ```. Users and cloudkit.share are left
      out unless they are referred to, or have fields of their own.

      JSON has the types and what refers to what, whether that is known from records
      or guessed by a name, and the numbers of records. The fields are in 'recordpack
      schema print --json'.

      EXAMPLES
        recordpack schema draw CloudKit/schema.ckdb --output schema.svg
        recordpack schema draw Tact.sqlite > tact.svg
        recordpack schema draw schema.ckdb --records Tact.recordpack -o counted.svg
        recordpack schema draw schema.ckdb --format mermaid
        recordpack schema draw Tact.sqlite --json | jq '.references[].target'
        recordpack schema draw Tact.recordpack --type Message --neighbours 1 > m.svg
      """)

  @Argument(help: "A schema.", completion: .file())
  var schema: String

  @Option(
    help: ArgumentHelp(
      "A bundle or container with records whose references are drawn. (default: SCHEMA, if it is "
        + "one)", valueName: "source"), completion: .file())
  var records: String?

  @Option(
    help: ArgumentHelp("The language: svg or mermaid. (default: svg)", valueName: "format"))
  var format: Format?

  @Flag(help: "Write the types and references as JSON, in place of a drawing.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Only this record type; with * ? [a-z], all that match, as in 'Mess*'. May be given several "
        + "times.", valueName: "type"))
  var type: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --type, also the types that are at most this many references away.", valueName: "n"))
  var neighbours: Int?

  @Option(
    name: [.short, .long], help: ArgumentHelp("The file to write.", valueName: "file"),
    completion: .file())
  var output = "-"

  @Flag(name: [.short, .long], help: "Replace an existing file.")
  var force = false

  @OptionGroup var progress: ProgressOptions

  init() {}

  func validate() throws {
    try refuse([("--format", format != nil)], when: json, "with --json")
    try refuseSecondStandardInput([schema, records])
    if force, output == "-" { throw ValidationError("--force requires --output with a file") }
    try refuse([("--neighbours", neighbours != nil)], when: type.isEmpty, "without --type")
    try refuse(
      [("--quiet", progress.quiet)], when: source == nil, "without records")
    if let neighbours, !(0...1000).contains(neighbours) {
      throw ValidationError("--neighbours must be from 0 to 1000, not \(neighbours)")
    }
  }

  func run() throws {
    if output != "-", FileManager.default.fileExists(atPath: output), !force {
      throw CommandError("'\(output)' already exists; use --force to replace it")
    }
    try Inputs.refuseOverwriting(
      [schema, records].compactMap(\.self), by: [.init(path: output)])
    let document = try SchemaInput.valid(schema, .text)
    let scanned = try source.map {
      try SchemaReferences(scanning: Inputs.source($0), progress.bar("reading"))
    }
    let references = SchemaReferences(of: document.schema, records: scanned)
    let diagram = SchemaDiagram(
      document.schema, references: references, only: try chosen(document.schema, references),
      title: "The record types of \(document.name)")
    guard !diagram.isEmpty else {
      throw CommandError("the schema has no record types but those that every container has")
    }
    let text =
      json
      ? Self.document(diagram).visibleText + "\n"
      : format == .mermaid ? diagram.mermaid : diagram.standaloneSVG
    ProgressBar.clearLine()
    guard output == "-" else {
      return try TextFile.write(text, to: output, overwrite: force)
    }
    let standardOutput = StandardOutput()
    try standardOutput.write(text)
    try standardOutput.flush()
  }

  private static func document(_ diagram: SchemaDiagram) -> JSONValue {
    ReportOptions.document(
      "schema-draw",
      [
        .init(
          "recordTypes",
          .array(
            diagram.recordTypes.map { type in
              .object(
                [.init("name", .string(type.name))]
                  + (type.records.map { [.init("records", .integer($0))] } ?? []))
            })),
        .init("references", .array(diagram.references.map(document))),
      ])
  }

  private static func document(_ reference: SchemaReference) -> JSONValue {
    var members: [JSONValue.Member] = [.init("recordType", .string(reference.recordType.string))]
    switch reference.place {
    case .field(let name):
      members += [.init("place", .string("field")), .init("field", .string(name.string))]
    case .parent: members.append(.init("place", .string("parent")))
    case .share: members.append(.init("place", .string("share")))
    }
    members.append(.init("target", .string(reference.target.string)))
    switch reference.basis {
    case .records(let count):
      members += [.init("basis", .string("records")), .init("records", .integer(count))]
    case .name: members.append(.init("basis", .string("name")))
    }
    return .object(members)
  }

  /// What has the records.
  private var source: String? {
    records ?? (SchemaInput.isArchive(at: schema) ? schema : nil)
  }

  /// The types to draw; nil for all.
  private func chosen(
    _ schema: CloudSchema, _ references: SchemaReferences
  ) throws -> Set<ExactString>? {
    guard !type.isEmpty else { return nil }
    let known = Set(
      schema.recordTypes.map { ExactString($0.name) }
        + references.all.flatMap { [$0.recordType, $0.target] })
    var chosen: Set<ExactString> = []
    for name in type {
      // A type that is named like a pattern is taken literally.
      if known.contains(ExactString(name)) {
        chosen.insert(ExactString(name))
        continue
      }
      let pattern = NamePattern(name)
      let matching = pattern.isPattern ? known.filter { pattern.matches($0.string) } : []
      guard !matching.isEmpty else {
        let names = known.sorted().map(\.string)
        throw CommandError(
          "there is no record type '\(name)'; "
            + (names.isEmpty ? "there are none" : "available: \(names.firstFew)"))
      }
      chosen.formUnion(matching)
    }
    return references.types(around: chosen, within: neighbours ?? 0)
  }
}
