import RecordBundle

/// A text in a file, written as bundles are: it appears under its name when it is complete.
enum TextFile {
  /// - Parameters:
  ///   - path: A file; a pipe or device is written to as it is.
  ///   - mustNotExist: Whether a file that is there is refused.
  /// - Throws: `FrameError`, which names the file.
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
