import ArgumentParser
import Foundation
import RecordCoding
import RecordText

/// The result of a command: lines for people, or one JSON object for programs.
protocol CommandReport {
  /// The name of the JSON format, without `recordpack.` before it.
  static var format: String { get }
  func lines(_ style: TerminalStyle) throws -> [String]
  /// The object without the members `format` and `version`.
  var json: JSONValue { get throws }
}

/// Options for the output of a command.
struct ReportOptions: ParsableArguments {
  @Flag(name: .customLong("json"), help: "Write the output as JSON.")
  var isJSON = false

  @Option(help: ArgumentHelp("When to use colours in text.", valueName: "when"))
  var color: ColorChoice = .auto

  init() {}

  func validate() throws {
    try refuse([("--color", color == .always)], when: isJSON, "to JSON, which has no colours")
  }

  var style: TerminalStyle { TerminalStyle(color) }

  /// The option for colours, for commands whose text has none.
  var givenColor: [(name: String, isGiven: Bool)] { [("--color", color == .always)] }

  /// Creates a versioned JSON object.
  static func document(_ name: String, _ members: JSONValue) -> JSONValue {
    .merging(["format": "recordpack.\(name)", "version": 1], members)
  }

  private func lines(_ report: some CommandReport) throws -> [String] {
    guard isJSON else { return try report.lines(style) }
    return [Self.document(type(of: report).format, try report.json).visibleText]
  }

  /// Writes a report that is the result of the command.
  func write(_ report: some CommandReport) throws {
    try StandardOutput.write(try lines(report))
  }

  /// Writes the report of completed work.
  ///
  /// - Parameter onStandardError: Whether to use standard error, because standard output carries
  ///   data.
  /// - Throws: `ExitCode.findings` if the report cannot be written, after an error that says that
  ///   the work is done. A broken pipe ends the command silently.
  func tell(_ report: some CommandReport, onStandardError: Bool = false) throws {
    let lines = try lines(report)
    guard !onStandardError else {
      return StandardError.write(lines.joined(separator: "\n") + "\n")
    }
    try Self.tellDone(lines)
  }

  /// Writes lines about completed work to standard output, as ``tell(_:onStandardError:)`` does.
  static func tellDone(_ lines: [String]) throws {
    do {
      try StandardOutput.write(lines)
    } catch let error as StandardOutput.WriteError where !error.isBrokenPipe {
      ErrorReport.report(
        CommandError("the work is done, but its report could not be written: \(error)"), .findings)
      throw ExitCode.findings
    }
  }
}

extension JSONValue {
  /// The JSON text without raw control characters.
  var visibleText: String { compactText.visibleJSON }
}

/// When to use colours.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
  case auto, always, never
}

extension TerminalStyle {
  /// By default, uses colours on a terminal unless `NO_COLOR` is set (<https://no-color.org>) or
  /// the terminal is dumb.
  init(_ choice: ColorChoice) {
    switch choice {
    case .always: self.init(isColored: true)
    case .never: self.init(isColored: false)
    case .auto:
      let environment = ProcessInfo.processInfo.environment
      self.init(
        isColored: StandardOutput.isTerminal && environment["NO_COLOR", default: ""].isEmpty
          && environment["TERM"] != "dumb")
    }
  }
}

/// The option that hides progress.
struct ProgressOptions: ParsableArguments {
  @Flag(name: [.short, .long], help: "Show no progress bar and no report.")
  var quiet = false

  init() {}

  func bar(_ verb: String) -> ProgressBar { ProgressBar(verb, isQuiet: quiet) }
}

/// The option that hides the report.
struct QuietOption: ParsableArguments {
  @Flag(name: [.short, .long], help: "Show no report.")
  var quiet = false
}

// MARK: Options that do not apply

/// Throws if options were given that do not apply.
///
/// - Parameters:
///   - options: The options and whether each was given.
///   - reason: Completes "--level does not apply …", such as "without --validate".
func refuse(_ options: [(name: String, isGiven: Bool)], _ reason: String) throws {
  let given = options.filter(\.isGiven).map(\.name)
  guard !given.isEmpty else { return }
  throw ValidationError(
    "\(given.joined(separator: ", ")) \(given.count == 1 ? "does" : "do") not apply \(reason)")
}

/// Throws like ``refuse(_:_:)`` under a condition.
func refuse(
  _ options: [(name: String, isGiven: Bool)], when applies: Bool, _ reason: String
) throws {
  if applies { try refuse(options, reason) }
}

/// Throws if standard input is named twice.
///
/// - Parameter paths: All inputs; `-` is standard input, nil an option that was not given.
func refuseSecondStandardInput(_ paths: [String?]) throws {
  guard paths.count(where: { $0 == "-" }) > 1 else { return }
  throw ValidationError("standard input (-) can be read only once")
}

/// Throws for a `--limit` that would show nothing.
func checkLimit(_ limit: Int?) throws {
  if let limit, limit < 1 { throw ValidationError("--limit must be at least 1, not \(limit)") }
}
