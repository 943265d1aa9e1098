import ArgumentParser
import RecordArchive
import RecordModel
import RecordSchema

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
    help: "Save records even if they were saved after the given copy was read.")
  var ignoreChangeTags = false

  @Flag(
    help: "Save records that the schema, references or shares forbid, and add nothing to a schema.")
  var unchecked = false

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
      [
        ("--replace", replace), ("--ignore-change-tags", ignoreChangeTags),
        ("--unset", !unset.isEmpty),
      ].map {
        ($0.0, createOnly && $0.1)
      }, "with --create-only")
  }
}

/// Options for the container that `put` creates, and for validation.
struct PutTargetOptions: ParsableArguments {
  @Flag(help: "Create the container, which must not exist.")
  var create = false

  @Option(
    name: .customLong("container"),
    help: ArgumentHelp(
      "With --create: the identifier of the container, such as iCloud.com.example.app.",
      valueName: "id"))
  var identifier: String?

  @Flag(
    name: .customLong("validate"),
    help: "Validate the changed records against a schema; if they do not match it, save nothing.")
  var validates = false

  @Option(
    help: ArgumentHelp(
      "The schema for --validate: a file, a git revision, a bundle or container. (default: the "
        + "container's own)", valueName: "schema"), completion: .file())
  var schema: String?

  @Option(
    help: ArgumentHelp(
      "With --create: the environment of the container. With --validate: production rejects what "
        + "the schema lacks; development adds it. (default: production)", valueName: "name"))
  var environment: ContainerInfo.Environment?

  func validate() throws {
    try refuse([("--container", identifier != nil && !create)], "without --create")
    try refuse([("--schema", schema != nil && !validates)], "without --validate")
    try refuse(
      [("--environment", environment != nil && !validates && !create)],
      "without --create or --validate")
  }

  /// The metadata of a new container.
  var info: ContainerInfo { ContainerInfo(identifier: identifier, environment: environment) }

  /// The validation; nil without `--validate`.
  func validation() throws -> Archiver.Validation? {
    validates ? try ValidationOptions.validation(schema: schema, environment: environment) : nil
  }
}
