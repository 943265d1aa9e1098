import CZstd
import RecordPlatform

extension FrameWriter {
  /// The settings of frames.
  struct Options: Sendable, Hashable {
    /// zstd's level, -7 (fastest) to 22 (smallest); 1 is tuned for records (``FrameCompressor``).
    var level = 1
    /// The size in bytes of the lines in the frames of a large file, 1 to
    /// ``FrameLimits/maxFrameContent``; the first frames are smaller (``FrameWriter``).
    var frameSize = 1 << 20
    /// The number of threads that compress, the caller's among them. Does not change the bytes.
    var threads = WorkerThread.recommendedCount
    /// The limits on lines and frames.
    var limits = FrameLimits.standard

    /// The maximum size of a compressed frame of ``frameSize``, in bytes.
    var frameBound: Int { Self.bound(of: frameSize) }

    /// Returns the maximum size of a frame with `size` bytes of content.
    static func bound(of size: Int) -> Int { ZSTD_compressBound(size) }

    /// Checks the ranges of the options.
    /// - Throws: ``FrameError`` with the option and its range.
    func check(for name: String) throws {
      try Self.check("compression level", level, -7...max(1, Int(ZSTD_maxCLevel())), name)
      try Self.check("frame size", frameSize, 1...limits.maxFrameContent, name)
      try Self.check("number of threads", threads, 1...WorkerThread.maxCount, name)
    }

    private static func check(
      _ what: String, _ value: Int, _ range: ClosedRange<Int>, _ name: String
    ) throws {
      guard range.contains(value) else {
        throw FrameError(
          .misuse, in: name,
          "the \(what) is \(value); it must be \(range.lowerBound) to \(range.upperBound)")
      }
    }
  }
}
