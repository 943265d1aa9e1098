import ArgumentParser
import RecordText

/// Options for the output of `diff`, which can also be a page.
struct DiffOutputOptions: ParsableArguments {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, html
  }

  @Option(
    help: ArgumentHelp(
      "The output format: text, or html for a page. (default: text)", valueName: "format"))
  var format: Format?

  @Flag(name: .customLong("json"), help: "Write the output as JSON.")
  var isJSON = false

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The file to write for --format html. (default: standard output)", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var output: String?

  @Flag(name: [.short, .long], help: "Replace an existing file.")
  var force = false

  @Option(help: ArgumentHelp("When to use colours in text.", valueName: "when"))
  var color: ColorChoice = .auto

  func validate() throws {
    try refuse([("--format", format != nil)], when: isJSON, "with --json")
    try refuse([("--color", color == .always)], when: isJSON || isPage, "except to text")
    try refuse([("--output", output != nil)], when: !isPage, "without --format html")
    try refuse([("--force", force)], when: file == nil, "to standard output")
  }

  var isPage: Bool { format == .html }
  var style: TerminalStyle { TerminalStyle(color) }

  /// The file to write; nil for standard output.
  var file: String? { output == "-" ? nil : output }
}
