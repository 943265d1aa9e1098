import ArgumentParser
import RecordModel

/// Options for the records that `put` saves.
struct PutOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The database of records that name none: public, private or shared.", valueName: "name"))
  var database: DatabaseScope = .private

  @Option(
    help: ArgumentHelp(
      "The zone of records that name none: NAME, or NAME/OWNER. (default: the default zone)",
      valueName: "zone"))
  var zone: ZoneArgument?

  @Option(help: ArgumentHelp("The type of the record that FIELDS describe.", valueName: "type"))
  var type: String?

  @Option(
    help: ArgumentHelp(
      "The name of the record that FIELDS describe. (default: a new UUID)", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Remove this field of the record. May be given several times.", valueName: "field"))
  var unset: [String] = []

  @Flag(help: "Replace existing records completely, instead of changing the given fields.")
  var replace = false

  @Flag(help: "Fail if a record exists.")
  var createOnly = false

  @Flag(help: "Create zones that do not exist.")
  var createZone = false

  @Flag(
    name: [.short, .long],
    help: "Save records even if they were saved after the given copy was read.")
  var force = false

  /// Whether the arguments describe one record, instead of naming a file.
  var describesRecord: Bool { type != nil || name != nil || !unset.isEmpty }

  func validate() throws {
    if !unset.isEmpty, name == nil { throw ValidationError("--unset requires --name") }
    if let zone, NamePattern(zone.argument).isPattern {
      throw ValidationError("--zone: expected the name of one zone, not a pattern")
    }
    if let name, name.isEmpty { throw ValidationError("--name requires at least one character") }
    try refuse([("--unset", !unset.isEmpty && replace)], "with --replace, which removes fields")
    try refuse(
      [("--replace", replace), ("--force", force), ("--unset", !unset.isEmpty)].map {
        ($0.0, createOnly && $0.1)
      }, "with --create-only")
  }
}
