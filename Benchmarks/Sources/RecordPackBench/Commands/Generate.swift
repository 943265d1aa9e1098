import ArgumentParser
import RecordPack

/// Writes the data set as a bundle, in the memory of a few frames.
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the data set as a bundle, record by record.")

  @OptionGroup var options: DataOptions
  @OptionGroup var bundle: BundleOptions

  func run() throws {
    let watch = Stopwatch()
    let data = options.data
    let writer = try bundle.writer(for: data)
    try data.forEachRecord { try writer.write($0, database: $1) }
    let summary = try writer.finish()
    try watch.measurement(
      "generate", records: summary.records, bytes: summary.contentSize, fileBytes: summary.size
    ).report()
  }
}

/// How a bundle is written.
struct BundleOptions: ParsableArguments {
  @Option(help: "The zstd level.")
  var level = BundleWriter.Options().level

  @Option(help: "Threads that compress.")
  var threads = 2

  @Option(help: "Bytes of lines in a frame.")
  var frameSize = BundleWriter.Options().frameSize

  @Argument(help: "The bundle.")
  var output: String

  func writer(for data: ChatData) throws -> BundleWriter {
    var options = BundleWriter.Options()
    options.level = level
    options.threads = threads
    options.frameSize = frameSize
    let writer = try BundleWriter(
      path: output, container: ContainerInfo(identifier: "iCloud.com.example.tact"),
      options: options)
    for zone in data.plan.zones {
      try writer.write(RecordZone(zoneID: zone.zoneID), database: zone.database)
    }
    return writer
  }
}
