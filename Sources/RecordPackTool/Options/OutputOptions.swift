import ArgumentParser
import Foundation
import RecordBundle
import RecordCoding
import RecordPlatform

/// The options `--output` and `--force` of a command that writes a text: by default to standard
/// output.
struct OutputOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The file to write; - is standard output. (default: standard output)", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: [.short, .long], help: "Replace an existing file.")
  var force = false

  func validate() throws {
    try refuse([("--force", force)], when: file == nil, "to standard output")
  }

  /// The file to write; nil for standard output.
  var file: String? { output == "-" ? nil : output }

  /// The options and whether each was given.
  var given: [(name: String, isGiven: Bool)] { [("--output", output != nil), ("--force", force)] }

  /// Throws if the file exists or is an input, so that no work is done in vain.
  func check(inputs: [String?]) throws {
    if let file { try OutputFile.refuseExisting(file, overwrite: force) }
    try Inputs.refuseOverwriting(inputs.compactMap(\.self), by: [.init(path: file ?? "-")])
  }

  /// Writes a text to the file, where it appears when it is complete, or to standard output.
  ///
  /// - Parameter shown: The text for standard output; nil for the same.
  func write(_ text: String, shown: String? = nil) throws {
    guard let file else { return try StandardOutput.write(shown ?? text) }
    try OutputFile.write(text, to: file, overwrite: force)
  }

  /// Writes a text like ``write(_:shown:)``. With `--json`, standard output has the report in place of the
  /// text.
  func write(_ text: String, _ report: ReportOptions, _ document: () -> JSONValue) throws {
    if file != nil || !report.isJSON { try write(text, shown: StandardOutput.shown(text)) }
    if report.isJSON { try ReportOptions.tellDone([document().visibleText]) }
  }
}

enum OutputFile {
  /// Throws if a file exists and is not to be replaced.
  static func refuseExisting(_ path: String, overwrite: Bool) throws {
    guard !overwrite, FileManager.default.fileExists(atPath: path), !Inputs.isPipe(path) else {
      return
    }
    guard !Inputs.isDirectory(path) else {
      throw CommandError("'\(path)' is a directory; name a file")
    }
    throw CommandError("'\(path)' already exists; use --force to replace it")
  }

  /// Throws if a file exists, except an empty file or one that the same option has written.
  ///
  /// - Parameters:
  ///   - noun: The content that may be there, such as `a request log`.
  ///   - isOwn: Whether the beginning of the file is such content.
  static func refuseForeign(
    _ path: String, _ option: String, _ noun: String, isOwn: ([UInt8]) -> Bool
  ) throws {
    guard path != "-" else { throw CommandError("\(option) requires a file") }
    guard FileManager.default.fileExists(atPath: path), !Inputs.isPipe(path) else { return }
    guard !Inputs.isDirectory(path) else {
      throw CommandError("cannot write '\(path)': Is a directory")
    }
    let head = try Inputs.bytes(of: path, noun, atMost: 64 << 10)
    guard head.isEmpty || isOwn(head) else {
      throw CommandError("'\(path)' already exists and is not \(noun); name another file")
    }
  }

  /// Writes a text file, which appears when it is complete.
  ///
  /// - Parameters:
  ///   - path: A file, pipe or device.
  ///   - overwrite: Whether to replace an existing file; if not, one is an error.
  /// - Throws: `BundleError` with the name of the file.
  static func write(_ text: String, to path: String, overwrite: Bool) throws {
    try Interruption.whileWriting {
      try FrameOutput.write(to: path, overwrite: overwrite) { sink in
        try Array(text.utf8).withUnsafeBytes(sink.write)
      }
    }
  }
}

/// The options `--output` and `--force` of a command that writes a bundle.
struct BundleOutputOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: [.short, .long], help: "Replace an existing file.")
  var force = false

  var path: String { output ?? "-" }

  /// Whether standard output carries the bundle, so that reports use standard error.
  var isPiped: Bool { path == "-" }

  /// The name of the output in reports.
  var name: String { isPiped ? "standard output" : path }

  /// The options and whether each was given.
  var given: [(name: String, isGiven: Bool)] { [("--output", output != nil), ("--force", force)] }

  /// Throws without `--output`, or for options that do not apply to standard output.
  func require(_ file: BundleFileOptions? = nil) throws {
    guard output != nil else { throw ValidationError("name the file to write with --output") }
    try check(file)
  }

  /// Throws for options that do not apply to standard output.
  func check(_ file: BundleFileOptions? = nil) throws {
    try refuseForStandardOutput(path, force: force, file)
  }

  /// Throws if the bundle would overwrite an input, or go to a terminal.
  func check(inputs: [String?], _ file: BundleFileOptions? = nil) throws {
    try Inputs.refuseOverwriting(
      inputs.compactMap(\.self), by: [.init(path: path, isSplit: file?.splitSize != nil)])
    try Inputs.refuseTerminal(path)
  }
}

/// Throws for options that do not apply to a bundle on standard output.
func refuseForStandardOutput(_ path: String, force: Bool, _ file: BundleFileOptions?) throws {
  try refuse(
    [("--force", force), ("--split-size", file?.splitSize != nil)], when: path == "-",
    "to standard output")
}

/// Options for the form of a bundle.
struct BundleFileOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The zstd level, -7 (fastest) to 22 (smallest). (default: \(BundleWriter.Options().level))",
      valueName: "level"))
  var level: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The size of the lines in a zstd frame, the unit of reading: 2MiB, 500kB. (default: "
        + "\(BundleWriter.Options().frameSize >> 20)MiB)", valueName: "size"))
  var frameSize: ByteSize?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Split the bundle into files of at most this size: 100MB, 2GiB.", valueName: "size"))
  var splitSize: ByteSize?

  init() {}

  func validate() throws {
    if let level, !(-7...22).contains(level) {
      throw ValidationError("--level must be from -7 to 22, not \(level)")
    }
  }

  /// The options and whether each was given; they do not apply if no bundle is written.
  var given: [(name: String, isGiven: Bool)] {
    [
      ("--level", level != nil), ("--frame-size", frameSize != nil),
      ("--split-size", splitSize != nil),
    ]
  }

  func options(_ threads: ThreadOptions) -> BundleWriter.Options {
    var options = BundleWriter.Options()
    if let level { options.level = level }
    if let frameSize { options.frameSize = frameSize.bytes }
    options.splitSize = splitSize?.bytes
    if let threads = threads.threads { options.threads = threads }
    return options
  }
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

  /// The option and whether it was given.
  var given: [(name: String, isGiven: Bool)] { [("--threads", threads != nil)] }
}

/// A size in bytes with an optional unit, as in `split`: `1500`, `100MB` (powers of 1000), `64MiB`
/// or `64M` (powers of 1024).
struct ByteSize: ExpressibleByArgument {
  let bytes: Int

  init(bytes: Int) { self.bytes = bytes }

  init?(argument: String) {
    let digits = argument.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), number > 0,
      let unit = Self.units[argument.dropFirst(digits.count).lowercased()]
    else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: unit)
    guard !overflow else { return nil }
    self.bytes = bytes
  }

  private static let units: [String: Int] = [
    "": 1, "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000, "tb": 1_000_000_000_000,
    "k": 1 << 10, "kib": 1 << 10, "m": 1 << 20, "mib": 1 << 20, "g": 1 << 30, "gib": 1 << 30,
    "t": 1 << 40, "tib": 1 << 40,
  ]
}
