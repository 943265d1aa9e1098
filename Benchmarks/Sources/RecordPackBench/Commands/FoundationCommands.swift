import ArgumentParser
import Foundation

/// Writes the data set with Foundation's `JSONEncoder` and libzstd.
struct FoundationEncode: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure Foundation's JSONEncoder with libzstd at level 3.")

  @OptionGroup var options: DataOptions

  @Argument(help: "The file of compressed lines.")
  var output: String

  func run() throws {
    var records: [ChatLine] = []
    records.reserveCapacity(options.records)
    options.data.forEachRecord { records.append(ChatLine($0, $1)) }
    let watch = Stopwatch()
    let file = try ZstdFileWriter(path: output)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    var buffer: [UInt8] = []
    var bytes = 0
    for record in records {
      buffer.append(contentsOf: try encoder.encode(record))
      buffer.append(UInt8(ascii: "\n"))
      if buffer.count >= 1 << 20 {
        bytes += buffer.count
        try file.write(buffer)
        buffer.removeAll(keepingCapacity: true)
      }
    }
    bytes += buffer.count
    try file.write(buffer, isLast: true)
    try watch.measurement(
      "foundation-encode", records: records.count, bytes: bytes, fileBytes: fileSize(output)
    ).report()
  }
}

/// Reads compressed lines with libzstd and Foundation's `JSONDecoder`.
struct FoundationDecode: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure libzstd with Foundation's JSONDecoder.")

  @Argument(help: "The file of compressed lines, which may be a bundle.")
  var input: String

  func run() throws {
    let watch = Stopwatch()
    let decoder = JSONDecoder()
    let marker = Array(#"{"kind":"record""#.utf8)
    var sum = ValueSum()
    var records = 0
    let bytes = try ZstdFileReader(path: input).forEachLine { line in
      guard line.starts(with: marker) else { return }
      sum.add(try decoder.decode(ChatLine.self, from: Data(line)))
      records += 1
    }
    try watch.measurement(
      "foundation-decode", records: records, bytes: bytes, fileBytes: fileSize(input),
      checksum: sum.value
    ).report()
  }
}
