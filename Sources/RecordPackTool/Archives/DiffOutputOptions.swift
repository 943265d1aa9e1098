import ArgumentParser
import RecordText

/// Options for the output of `diff`, which can also be a page.
struct DiffOutputOptions: ParsableArguments {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json, html
  }

  @Option(
    help: ArgumentHelp(
      "The output format: text, json, or html for a page. (default: text)", valueName: "format"))
  var format: Format?

  @Flag(help: "The same as --format json.")
  var json = false

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The file to write for --format html. (default: standard output)", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var output: String?

  @Flag(name: [.short, .long], help: "Replace an existing file.")
  var force = false

  @Option(help: ArgumentHelp("When to use colours in text.", valueName: "when"))
  var color: Style.Choice = .auto

  @Flag(help: VerboseOption.help) var verbose = false

  func validate() throws {
    if verbose { Verbose.turnOn() }
    try refuseOtherFormat(format, json: json)
    if color == .always, isJSON || isPage {
      throw ValidationError("--color always requires --format text")
    }
    try refuse([("--output", output != nil)], when: !isPage, "without --format html")
    try refuse([("--force", force)], when: file == nil, "to standard output")
  }

  var isJSON: Bool { json || format == .json }
  var isPage: Bool { format == .html }
  var style: Style { Style(color) }

  /// The file to write; nil for standard output.
  var file: String? { output == "-" ? nil : output }
}
