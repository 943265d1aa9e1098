import ArgumentParser
import Foundation
import RecordPack

/// How a bundle is read.
struct ReadOptions: ParsableArguments {
  @Option(help: "Threads that decompress and read.")
  var threads = 2

  @Argument(help: "The bundle.")
  var input: String
}

/// Reads a bundle and decodes every field of every record.
struct Decode: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure reading a bundle with every value of every record.")

  @OptionGroup var options: ReadOptions

  func run() throws {
    let watch = Stopwatch()
    let bundle = try BundleReader(path: options.input)
    let sum = SharedSum()
    try bundle.concurrentlyForEachRecord(threads: options.threads) { record in
      var own = ValueSum()
      own.add(record)
      sum.add(own.value)
    }
    try watch.measurement(
      "decode", records: sum.records, bytes: bundle.contentSize, fileBytes: Int(bundle.size),
      checksum: sum.value
    ).report()
  }
}

/// Reads the names of all records of a bundle.
struct Names: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure reading the names of all records of a bundle.")

  @OptionGroup var options: ReadOptions

  func run() throws {
    let watch = Stopwatch()
    let bundle = try BundleReader(path: options.input)
    let sum = SharedSum()
    try bundle.mapFrames(
      threads: options.threads,
      transform: { frame in
        try frame.forEachRecordID(.all) { recordID, _, _ in
          sum.add(UInt64(truncatingIfNeeded: recordID.recordName.utf8.count))
        }
      }, consume: { _ in })
    try watch.measurement(
      "names", records: sum.records, bytes: bundle.contentSize, fileBytes: Int(bundle.size),
      checksum: sum.value
    ).report()
  }
}

extension BundleReader {
  /// Bytes of all lines.
  var contentSize: Int { indexes.reduce(0) { $0 + $1.bytes } }

  /// Calls `body` with each record in no order, on several threads at a time.
  func concurrentlyForEachRecord(
    threads: Int, _ body: @escaping @Sendable (ResultRecord) throws -> Void
  ) throws {
    try mapFrames(
      threads: threads,
      transform: { frame in try frame.forEachRecord(.all) { record, _ in try body(record) } },
      consume: { _ in })
  }
}
