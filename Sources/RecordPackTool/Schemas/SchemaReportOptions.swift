import ArgumentParser
import Foundation
import RecordArchive
import RecordModel
import RecordPages
import RecordSchema
import RecordText

/// Options for the format of findings and for the severities that fail.
struct SchemaReportOptions: ParsableArguments {
  /// The formats of a report, and a page, which the library's reports do not have.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, markdown, github, sarif, junit, html
  }

  @Option(
    name: .customLong("format"),
    help: ArgumentHelp(
      "The output format: text, markdown (for a pull request), github (annotations), sarif, "
        + "junit, html (a page). (default: text)", valueName: "format"))
  private var chosenFormat: Format?

  @Flag(help: "Write the report as JSON.")
  var json = false

  @Option(help: ArgumentHelp("When to use colours: auto, always or never.", valueName: "when"))
  var color: ColorChoice = .auto

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

  init() {}

  private static let defaultFile = ".recordpack.yml"

  /// Whether the report is a page.
  private var isPage: Bool { chosenFormat == .html }

  /// The format of the library's report, and of errors in schemas; text for a page.
  var format: SchemaReportFormat {
    json ? .json : chosenFormat.flatMap { SchemaReportFormat(rawValue: $0.rawValue) } ?? .text
  }

  /// Whether the output is text for people, not a page and not for a program.
  var isText: Bool { format == .text && !isPage }

  func validate() throws {
    try refuse([("--format", chosenFormat != nil)], when: json, "with --json")
    if noConfig, config != nil {
      throw ValidationError("--config and --no-config cannot be used together")
    }
    try refuse([("--color", color == .always)], when: !isText, "except to text")
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
    let text = try Inputs.text(of: path, "a configuration", atMost: 1 << 20)
    return try SchemaConfiguration(yaml: text, file: path)
  }

  func failOn(_ configuration: SchemaConfiguration) -> SchemaSeverity {
    failOn ?? configuration.failOn ?? .error
  }

  /// Writes a report. Ends the command with exit code 1 if it fails.
  ///
  /// - Parameter schemas: The schemas that a page shows beside the findings.
  func tell(
    _ report: SchemaReport, _ configuration: SchemaConfiguration,
    _ schemas: ReportedSchemas = ReportedSchemas()
  ) throws {
    ProgressBar.clearLine()
    try StandardOutput.write(try text(of: report, configuration, schemas))
    if report.fails(at: failOn(configuration)) { throw ExitCode.findings }
  }

  /// A report as it is written.
  func text(
    of report: SchemaReport, _ configuration: SchemaConfiguration, _ schemas: ReportedSchemas
  ) throws -> String {
    let failOn = failOn(configuration)
    var report = report
    if [.github, .sarif].contains(format) { report.placeInRepository() }
    if isPage { return try schemas.page(of: report, failOn: failOn) }
    let text = report.text(as: format, colored: TerminalStyle(color).isColored, failOn: failOn)
    return [.json, .sarif].contains(format) ? text.visibleJSON : text
  }
}

extension SchemaSeverity: ExpressibleByArgument {}
extension SchemaInference.Indexes: ExpressibleByArgument {}

extension SchemaReport {
  /// Makes the paths of findings relative to the repository, as GitHub reads them, if the command runs in
  /// a folder of it: `working-directory` in a workflow.
  fileprivate mutating func placeInRepository() {
    guard let root = ProcessInfo.processInfo.environment["GITHUB_WORKSPACE"], !root.isEmpty else {
      return
    }
    let real = { (path: String) in URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
    let (top, here) = (real(root) + "/", real(FileManager.default.currentDirectoryPath) + "/")
    guard here.hasPrefix(top), here != top else { return }
    for index in findings.indices {
      guard let place = findings[index].location, !place.file.hasPrefix("/"),
        FileManager.default.fileExists(atPath: place.file)
      else { continue }
      var parts: [Substring] = []
      for part in (here.dropFirst(top.count) + place.file).split(separator: "/") where part != "." {
        if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(part) }
      }
      findings[index].location = SchemaLocation(
        file: parts.joined(separator: "/"), span: place.span)
    }
  }
}

/// The schemas that a page of a report shows.
struct ReportedSchemas: Sendable {
  private let from: SchemaDocument?
  private let to: SchemaDocument?
  private let records: String?
  private let isQuiet: Bool

  /// - Parameters:
  ///   - records: A bundle or container, which is read for what its records refer to.
  ///   - isQuiet: Whether reading shows no progress.
  init(
    from: SchemaDocument? = nil, to: SchemaDocument? = nil, records: String? = nil,
    isQuiet: Bool = true
  ) {
    self.from = from
    self.to = to
    self.records = records
    self.isQuiet = isQuiet
  }

  /// The page of a report.
  func page(of report: SchemaReport, failOn: SchemaSeverity) throws -> String {
    let references = try records.map {
      try SchemaReferences(
        scanning: Inputs.source($0), ProgressBar("reading", isQuiet: isQuiet))
    }
    ProgressBar.clearLine()
    return SchemaReportPage(
      report, failOn: failOn, from: from?.schema, to: to?.schema, records: references
    ).document.html.text
  }
}

extension SchemaReferences {
  /// Counts the references of the records of a source, with a progress bar.
  init(
    scanning source: ArchiveSource, _ bar: ProgressBar, _ filter: RecordFilter = .all
  ) throws {
    var done = ArchiveProgress(records: 0, bytes: 0)
    try self.init(scanning: source, filter) {
      done.records += 1
      if done.records % 1024 == 0 { try bar.update(done) }
    }
  }
}
