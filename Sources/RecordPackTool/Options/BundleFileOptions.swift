import ArgumentParser
import RecordBundle

/// How a bundle is written.
struct BundleFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("zstd's level, -7 (fast) to 22 (small).", valueName: "level"))
  var level = BundleWriter.Options().level

  @Option(
    help: ArgumentHelp(
      "Lines in one zstd frame, which is read as a whole: 2MiB, 500kB.", valueName: "size"))
  var frameSize: ByteSize = ByteSize(bytes: BundleWriter.Options().frameSize)

  @Option(
    help: ArgumentHelp(
      "Split the bundle into files of at most this size: 100MB, 2GiB.", valueName: "size"))
  var splitSize: ByteSize?

  @OptionGroup var threads: ThreadOptions

  func validate() throws {
    guard (-7...22).contains(level) else {
      throw ValidationError("--level is \(level); possible are -7 to 22")
    }
  }

  var options: BundleWriter.Options {
    var options = BundleWriter.Options()
    options.level = level
    options.frameSize = frameSize.bytes
    options.splitSize = splitSize?.bytes
    if let threads = threads.threads { options.threads = threads }
    return options
  }
}

/// A number of bytes with a unit: `1500`, `100MB` (powers of 1000), `64MiB` or `64M` (of 1024), as
/// `split` takes them.
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

  /// How help texts show the default.
  var defaultValueDescription: String {
    bytes % (1 << 20) == 0 ? "\(bytes >> 20)MiB" : "\(bytes)"
  }
}
