/// The result of a finished ``FrameWriter``.
struct FrameSummary: Sendable, Hashable {
  /// All frames in order, including the last one.
  var frames: [FrameInfo]
  /// The size of the file in bytes, including the seek table.
  var fileSize: UInt64

  var contentSize: UInt64 { frames.reduce(0) { $0 + UInt64($1.size) } }
  var lineCount: UInt64 { frames.reduce(0) { $0 + UInt64($1.lineCount) } }
}
