import ArgumentParser
import RecordArchive
import RecordBundle
import RecordCoding
import RecordText

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

  /// Creates a versioned JSON object.
  static func document(_ name: String, _ members: [JSONValue.Member]) -> JSONValue {
    .object(
      [
        .init("format", .string("recordpack.\(name)")), .init("version", .integer(1)),
      ] + members)
  }

  /// Writes the report of completed work.
  ///
  /// - Parameter onStandardError: Whether to use standard error, because standard output carries
  ///   data.
  /// - Throws: `ExitCode.findings` if the report cannot be written, after an error that says that
  ///   the work is done. A broken pipe ends the command silently.
  func tell(_ lines: [String], onStandardError: Bool = false) throws {
    guard !onStandardError else {
      return StandardError.write(lines.joined(separator: "\n") + "\n")
    }
    try Self.tellDone(lines)
  }

  /// Writes the report of completed work to standard output.
  static func tellDone(_ lines: [String]) throws {
    do {
      try write(lines)
    } catch let error as StandardOutput.WriteError where !error.isBrokenPipe {
      ErrorReport.report(
        CommandError("the work is done, but its report could not be written: \(error)"), .findings)
      throw ExitCode.findings
    }
  }

  static func write(_ lines: [String]) throws {
    let output = StandardOutput()
    for line in lines { try output.line(line) }
    try output.flush()
  }
}

extension JSONValue {
  /// The JSON text without raw control characters.
  var visibleText: String { compactText.visibleJSON }
}

/// The option that hides progress.
struct ProgressOptions: ParsableArguments {
  @Flag(name: [.short, .long], help: "Show no progress bar and no report.")
  var quiet = false

  init() {}

  func bar(_ verb: String) -> ProgressBar { ProgressBar(verb, isQuiet: quiet) }
}

/// The option for the number of threads.
struct ThreadOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The number of threads. (default: one per core, at most 8)",
      valueName: "n"))
  var threads: Int?

  init() {}

  func validate() throws {
    if let threads, !(1...256).contains(threads) {
      throw ValidationError("--threads must be from 1 to 256, not \(threads)")
    }
  }

  var count: Int { threads ?? BundleThreads.recommended }
}
