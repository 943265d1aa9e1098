/// What a finished writer has written.
struct FrameSummary: Sendable, Hashable {
  /// Every frame in order, the last one included.
  var frames: [FrameInfo]
  /// Bytes in the file, with the seek table.
  var fileSize: UInt64

  /// Bytes of all contents.
  var contentSize: UInt64 { frames.reduce(0) { $0 + UInt64($1.size) } }
  /// Lines in all frames.
  var lineCount: UInt64 { frames.reduce(0) { $0 + UInt64($1.lineCount) } }
}
