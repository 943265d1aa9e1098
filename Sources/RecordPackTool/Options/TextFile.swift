import RecordBundle

enum TextFile {
  /// Writes a text file, which appears when it is complete.
  ///
  /// - Parameters:
  ///   - path: A file, pipe or device.
  ///   - overwrite: Whether to replace an existing file; if not, one is an error.
  /// - Throws: `FrameError` with the name of the file.
  static func write(_ text: String, to path: String, overwrite: Bool) throws {
    try Interruption.whileWriting {
      try FrameOutput.write(to: path, overwrite: overwrite) { sink in
        try Array(text.utf8).withUnsafeBytes(sink.write)
      }
    }
  }
}
