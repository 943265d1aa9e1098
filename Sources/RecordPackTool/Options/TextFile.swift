import Foundation
import RecordBundle

enum TextFile {
  /// Reads a text file.
  ///
  /// - Parameters:
  ///   - path: A file or pipe; `-` is standard input.
  ///   - limit: The maximum size in bytes.
  ///   - noun: What the file should be, such as `a recipe`.
  /// - Returns: The text, and the name of the file in messages.
  static func read(
    _ path: String, atMost limit: Int, _ noun: String
  ) throws -> (text: String, name: String) {
    let name = path == "-" ? "standard input" : path
    try Inputs.refuseDirectory(path, noun)
    let input = try path == "-" ? .standardInput : Inputs.open(path)
    defer { if path != "-" { try? input.close() } }
    let bytes = try SchemaInput.read(input, "'\(name)'", atMost: limit)
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let content = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    guard let text = String(validating: content, as: UTF8.self) else {
      throw CommandError("'\(name)' is not \(noun): it is not UTF-8 text")
    }
    return (text, name)
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

  /// Throws if a file exists and is not to be replaced, so that no work is done in vain.
  static func refuseExisting(_ path: String, overwrite: Bool) throws {
    guard !overwrite, FileManager.default.fileExists(atPath: path), !Inputs.isPipe(path) else {
      return
    }
    throw CommandError("'\(path)' already exists; use --force to replace it")
  }
}
