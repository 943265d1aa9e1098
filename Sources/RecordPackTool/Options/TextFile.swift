import RecordBundle

enum TextFile {
  /// Writes a text file, which appears when it is complete.
  ///
  /// - Parameters:
  ///   - path: A file, pipe or device.
  ///   - mustNotExist: Whether to throw if the file exists.
  /// - Throws: `FrameError` with the name of the file.
  static func write(_ text: String, to path: String, mustNotExist: Bool) throws {
    try Interruption.whileWriting {
      let sink = try FrameOutput.open(path: path, mustNotExist: mustNotExist)
      do {
        try Array(text.utf8).withUnsafeBytes(sink.write)
        try sink.commit()
      } catch {
        sink.discard()
        throw error
      }
    }
  }
}
