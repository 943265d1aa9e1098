import ArgumentParser
import RecordArchive
import RecordCoding
import RecordText
import Synchronization

/// Tells on standard error what a command opens, how it reads it, and when, with `--verbose`. It
/// never tells values.
enum Verbose {
  private static let isOn = Atomic(false)
  private static let start = ContinuousClock.now

  /// Starts the clock. Called once, at the start of the process.
  static func startClock() { _ = start }

  static func turnOn() { isOn.store(true, ordering: .relaxed) }

  /// Writes a line with the time since the start of the process.
  static func tell(_ message: @autoclosure () -> String) {
    guard isOn.load(ordering: .relaxed) else { return }
    let time = start.duration(to: .now) / .milliseconds(1)
    let message = message().visible
    ProgressBar.clearLine()
    guard ErrorReport.isJSON else {
      return StandardError.write("recordpack: \(Numbers.fixed(time, 1)) ms: \(message)\n")
    }
    let json = ReportOptions.document(
      "trace",
      [
        .init("milliseconds", .number(text: "\((time * 10).rounded() / 10)")),
        .init("message", .string(message)),
      ])
    StandardError.write(json.visibleText + "\n")
  }

  /// Tells of an opened source.
  static func tell(opened source: ArchiveSource) {
    switch source {
    case .bundle(let bundle):
      let frames = bundle.indexes.reduce(0) { $0 + $1.frames.count }
      tell(
        "opened '\(source.name)': a bundle of format \(bundle.header.formatVersion), "
          + "\(Numbers.count(bundle.fileNames.count, "file")), "
          + "\(Numbers.count(frames, "frame")); reads the frames that its index names")
    case .container:
      tell("opened '\(source.name)': a container; reads rows by its indexes, and changes nothing")
    case .responses: tell("opened '\(source.name)': responses; reads all of them")
    }
  }
}

/// The option that tells what a command does.
///
/// Groups of options do not contain this one, but a flag of their own: in a debug build,
/// ArgumentParser reads a group within a group a hundred times.
struct VerboseOption: ParsableArguments {
  static let help: ArgumentHelp =
    "Say on standard error what is opened, how it is read, and when."

  @Flag(help: Self.help) var verbose = false

  init() {}

  func validate() throws {
    if verbose { Verbose.turnOn() }
  }
}
