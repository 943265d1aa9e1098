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
      CloudKit's schemas do not say what a REFERENCE refers to. The records of
      --records, or of a SCHEMA that is a bundle or container, show it; the numbers
      of records, the parents and the shares are then drawn too. Without records, it
      is guessed by names, as chat, chatID and parentChat mean Chat, and drawn
      dashed. The relationships of a model, and of Core Data's records, are drawn: a
      pair of inverse relationships as one line. Companions, which Core Data adds to
      fields, such as CD_title_ckAsset, are only counted.

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

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var progress: ProgressOptions

  init() {}

  func validate() throws {
    try refuse([("--format", format != nil)], when: json, "with --json")
    try refuseSecondStandardInput([schema, records])
    try refuse([("--neighbours", neighbours != nil)], when: type.isEmpty, "without --type")
    try refuse(
      [("--quiet", progress.quiet)], when: source == nil, "without records")
    if let neighbours, !(0...1000).contains(neighbours) {
      throw ValidationError("--neighbours must be from 0 to 1000, not \(neighbours)")
    }
  }

  func run() throws {
    try output.check(inputs: [schema, records])
    let document = try SchemaInput.whole(schema, models)
    let scanned = try source.map {
      try SchemaReferences(scanning: Inputs.source($0), progress.bar("reading"))
    }
    let references = SchemaReferences(
      of: document.schema, records: scanned, model: document.model)
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
    try output.write(text)
  }

  private static func document(_ diagram: SchemaDiagram) -> JSONValue {
    let types = diagram.recordTypes.map { type -> JSONValue in
      ["name": type.name, "records": type.records]
    }
    return ReportOptions.document(
      "schema-draw", ["recordTypes": types, "references": diagram.references.map(json)])
  }

  private static func json(_ reference: SchemaReference) -> JSONValue {
    let (place, field): (String, String?) =
      switch reference.place {
      case .field(let name): ("field", name.string)
      case .parent: ("parent", nil)
      case .share: ("share", nil)
      }
    let (basis, records): (String, Int?) =
      switch reference.basis {
      case .records(let count): ("records", count)
      case .model: ("model", nil)
      case .name: ("name", nil)
      }
    return [
      "recordType": reference.recordType.string, "place": place, "field": field,
      "target": reference.target.string, "inverse": reference.inverse?.string, "basis": basis,
      "records": records,
    ]
  }

  /// The source of the records.
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
    let chosen = try FilterOptions.chosen(type, among: known.sorted().map(\.string))
    return references.types(
      around: Set(chosen.map { ExactString($0) }), within: neighbours ?? 0)
  }
}
