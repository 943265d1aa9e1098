import ArgumentParser
import RecordBundle
import RecordCoding

/// How a command tells what it has done or found.
struct ReportOptions: ParsableArguments {
  /// The form of the result.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Option(help: ArgumentHelp("How the result is told.", valueName: "form"))
  var format: Format = .text

  @Option(help: ArgumentHelp("Colours in what is written for people.", valueName: "when"))
  var color: Style.Choice = .auto

  var isJSON: Bool { format == .json }
  var style: Style { Style(color) }

  /// A result as a versioned JSON object.
  static func document(_ name: String, _ members: [JSONValue.Member]) -> JSONValue {
    .object(
      [
        .init("format", .string("recordpack.\(name)")), .init("version", .integer(1)),
      ] + members)
  }
}

/// Whether progress is shown.
struct ProgressOptions: ParsableArguments {
  @Flag(name: [.short, .long], help: "No progress bar, and no report of what was done.")
  var quiet = false

  func bar(_ verb: String) -> ProgressBar { ProgressBar(verb, isQuiet: quiet) }
}

/// How many threads work.
struct ThreadOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Threads to compress, decompress and check with. (default: one per core, at most 8)",
      valueName: "n"))
  var threads: Int?

  func validate() throws {
    if let threads, !(1...256).contains(threads) {
      throw ValidationError("--threads is \(threads); possible are 1 to 256")
    }
  }

  /// The number that was asked for, or the default.
  var count: Int { threads ?? BundleThreads.recommended }
}

extension Style.Choice: ExpressibleByArgument {}
