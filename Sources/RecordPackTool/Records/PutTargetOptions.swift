import ArgumentParser
import RecordArchive
import RecordModel
import RecordSchema

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

/// The option that hides the report.
struct QuietOption: ParsableArguments {
  @Flag(name: [.short, .long], help: "Show no report.")
  var quiet = false
}
