import ArgumentParser
import Foundation
import RecordSchema
import RecordText

/// Options for the format of findings and for the severities that fail.
struct SchemaReportOptions: ParsableArguments {
  @Option(
    name: .customLong("format"),
    help: ArgumentHelp(
      "The output format: text, json, markdown (for a pull request), github (annotations), sarif, "
        + "junit. (default: text)", valueName: "format"))
  private var chosenFormat: SchemaReportFormat?

  @Flag(help: "The same as --format json.")
  var json = false

  @Option(help: ArgumentHelp("When to use colours: auto, always or never.", valueName: "when"))
  var color: Style.Choice = .auto

  @Option(
    help: ArgumentHelp(
      "Exit with 1 for findings of at least this severity: info, note, warning, error, or off. "
        + "(default: that of the configuration, or error)", valueName: "severity"))
  var failOn: SchemaSeverity?

  @Option(
    help: ArgumentHelp(
      "A configuration with severities and allowed findings. (default: .recordpack.yml in the "
        + "working directory, if it exists)", valueName: "file"), completion: .file())
  var config: String?

  @Flag(help: "Use no configuration, even if the working directory has one.")
  var noConfig = false

  @Flag(help: VerboseOption.help) var verbose = false

  private static let defaultFile = ".recordpack.yml"

  var format: SchemaReportFormat { json ? .json : chosenFormat ?? .text }

  func validate() throws {
    if verbose { Verbose.turnOn() }
    if json, let chosenFormat, chosenFormat != .json {
      throw ValidationError("--json and --format \(chosenFormat.rawValue) cannot be used together")
    }
    if noConfig, config != nil {
      throw ValidationError("--config and --no-config cannot be used together")
    }
    if color == .always, format != .text {
      throw ValidationError("--color always requires --format text")
    }
  }

  func configuration() throws -> SchemaConfiguration {
    noConfig ? SchemaConfiguration() : try Self.configuration(at: config)
  }

  /// Reads a configuration; nil reads the one in the working directory, if it exists.
  static func configuration(at file: String?) throws -> SchemaConfiguration {
    let path = file ?? Self.defaultFile
    guard file != nil || FileManager.default.fileExists(atPath: path) else {
      return SchemaConfiguration()
    }
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw Failure("cannot read the configuration '\(path)'")
    }
    defer { try? handle.close() }
    let bytes = try SchemaInput.read(handle, "the configuration '\(path)'", atMost: 1 << 20)
    guard let text = String(bytes: bytes, encoding: .utf8) else {
      throw Failure("the configuration '\(path)' is not UTF-8 text")
    }
    return try SchemaConfiguration(yaml: text, file: path)
  }

  func failOn(_ configuration: SchemaConfiguration) -> SchemaSeverity {
    failOn ?? configuration.failOn ?? .error
  }

  /// Writes a report. Ends the command with exit code 1 if it fails.
  func tell(_ report: SchemaReport, _ configuration: SchemaConfiguration) throws {
    ProgressBar.clearLine()
    let failOn = failOn(configuration)
    let output = StandardOutput()
    let text = report.text(as: format, colored: Style(color).isColored, failOn: failOn)
    try output.write([.json, .sarif].contains(format) ? text.visibleJSON : text)
    try output.flush()
    if report.fails(at: failOn) { throw ExitCode.findings }
  }
}

extension SchemaReportFormat: ExpressibleByArgument {}
extension SchemaSeverity: ExpressibleByArgument {}
extension SchemaInference.Indexes: ExpressibleByArgument {}
