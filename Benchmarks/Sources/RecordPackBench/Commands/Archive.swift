import ArgumentParser
import MockCloud
import RecordArchive
import RecordBundle

/// Exports a container file, as `recordpack export` does.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Measure the export of a container.")

  @Option(help: "Threads that compress.")
  var threads = 2

  @Argument(help: "The container file.")
  var container: String

  @Argument(help: "The bundle.")
  var output: String

  func run() throws {
    let watch = Stopwatch()
    var archiver = Archiver()
    archiver.threads = threads
    let summary = try archiver.export(
      MockContainer.open(path: container, mode: .readOnly), to: output)
    try watch.measurement(
      "export", records: summary.records, bytes: summary.contentSize, fileBytes: summary.size
    ).report()
  }
}

/// Imports a bundle into a new container file, as `recordpack import` does.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure the import of a bundle into a new container.")

  @OptionGroup var options: ReadOptions

  @Argument(help: "The container file, which must not be there.")
  var container: String

  func run() throws {
    let watch = Stopwatch()
    let bundle = try BundleReader(path: options.input)
    var archiver = Archiver()
    archiver.threads = options.threads
    let report = try archiver.importBundle(bundle, creating: container)
    try watch.measurement(
      "import", records: report.records, bytes: bundle.contentSize,
      fileBytes: fileSize(container)
    ).report()
  }
}
