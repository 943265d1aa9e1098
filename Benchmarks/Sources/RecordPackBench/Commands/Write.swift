import ArgumentParser
import Foundation
import RecordPack

/// Writes records that lie decoded in memory as a bundle; only the writing is timed.
struct Write: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure writing records in memory as a bundle.")

  @OptionGroup var options: DataOptions
  @OptionGroup var bundle: BundleOptions

  @Flag(
    help: ArgumentHelp(
      "Write again for each line of standard input: the level and the number of threads.",
      discussion: "Making the records takes longer than writing them; so they are made once."))
  var onRequest = false

  func run() throws {
    let data = options.data
    var records: [(ResultRecord, DatabaseScope)] = []
    records.reserveCapacity(options.records)
    data.forEachRecord { records.append(($0, $1)) }
    guard onRequest else { return try write(records, data, bundle).report() }
    print("ready")
    fflush(nil)
    while let line = readLine() {
      let numbers = line.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 2 else { throw ValidationError("not a level and threads: '\(line)'") }
      var bundle = bundle
      bundle.level = numbers[0]
      bundle.threads = numbers[1]
      try write(records, data, bundle).report()
    }
  }

  private func write(
    _ records: [(ResultRecord, DatabaseScope)], _ data: ChatData, _ bundle: BundleOptions
  ) throws -> Measurement {
    // While other lanes ran, the system may have taken the records' pages back; what is measured is
    // writing records that lie in memory.
    var sum = ValueSum()
    for (record, _) in records { sum.add(record) }
    let watch = Stopwatch()
    let writer = try bundle.writer(for: data)
    for (record, database) in records { try writer.write(record, database: database) }
    let summary = try writer.finish()
    return watch.measurement(
      "write", records: summary.records, bytes: summary.contentSize, fileBytes: summary.size)
  }
}
