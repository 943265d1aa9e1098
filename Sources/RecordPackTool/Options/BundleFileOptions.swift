import ArgumentParser
import RecordBundle

/// Options for writing a bundle.
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
