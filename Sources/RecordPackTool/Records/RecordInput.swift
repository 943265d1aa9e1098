import Foundation
import RecordCoding
import RecordText

/// Reads records from JSON: a record dictionary, an array of them, or one after another, as in JSON
/// Lines.
enum RecordInput {
  /// The limit of the text in bytes; it is read into memory.
  static let maxSize = 1 << 30

  /// Reads a file; `-` is standard input.
  static func data(at path: String) throws -> Data {
    let file: FileHandle
    if path == "-" {
      guard isatty(STDIN_FILENO) == 0 else {
        throw CommandError(
          "standard input is a terminal; name a file, or give --type or --name and fields")
      }
      file = .standardInput
    } else {
      try Inputs.refuseDirectory(path, "a file with records in JSON")
      file = try Inputs.open(path)
    }
    let bytes = try SchemaInput.read(file, "'\(path)'", atMost: maxSize)
    guard bytes.count <= maxSize else {
      throw CommandError("'\(path)' is larger than \(Numbers.size(maxSize)); split it")
    }
    return Data(bytes)
  }

  /// Calls `body` with each record, in order.
  ///
  /// - Parameter name: The name of the text in errors, which also have the line.
  static func forEachRecord(
    in data: Data, named name: String, _ body: (InputRecord) throws -> Void
  ) throws {
    try data.withUnsafeBytes { bytes in
      var parser = JSONParser(bytes)
      guard !parser.isAtEnd() else {
        throw CommandError("'\(name)' is empty; expected records in JSON")
      }
      var lines = LineCounter(bytes)
      do {
        repeat {
          try parser.forEachObject("a record") { parser in
            let line = lines.line(at: parser.position)
            try body(InputRecord(json: parser.separateValue(), in: name, line: line))
          }
        } while !parser.isAtEnd()
      } catch let error as RecordCodingError {
        let line = lines.line(at: error.offset ?? parser.position)
        throw CommandError(
          "'\(name)', line \(line): \(error)",
          at: [.init("file", .string(name)), .init("line", .integer(line))])
      }
    }
  }
}

/// Counts lines of a text, for increasing offsets.
private struct LineCounter {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private var line = 1

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The number of the line with the byte at an offset, from 1.
  mutating func line(at end: Int) -> Int {
    while offset < min(end, bytes.count) {
      if bytes[offset] == UInt8(ascii: "\n") { line += 1 }
      offset += 1
    }
    return line
  }
}
