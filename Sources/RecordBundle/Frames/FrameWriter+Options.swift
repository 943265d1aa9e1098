import CZstd
import RecordPlatform

extension FrameWriter {
  /// How frames are made.
  struct Options: Sendable, Hashable {
    /// zstd's level, from -7 (fast) to 22 (small); 1 is tuned for records (``FrameCompressor``).
    var level = 1
    /// Bytes of lines that the frames of a large file hold, 1 to ``FrameLimits/maxFrameContent``;
    /// the first frames are smaller (``FrameWriter``).
    var frameSize = 2 << 20
    /// 1 compresses in the caller's thread; n uses n threads beside it. Does not change the bytes.
    var threads = WorkerThread.recommendedCount
    /// The longest line and the like.
    var limits = FrameLimits.standard

    /// The largest a frame of ``frameSize`` can become, in bytes.
    var frameBound: Int { Self.bound(of: frameSize) }

    /// The most bytes that some bytes can take in a frame.
    static func bound(of size: Int) -> Int { ZSTD_compressBound(size) }

    /// - Throws: ``FrameError`` that names the option and its range.
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
          "the \(what) is \(value); possible are \(range.lowerBound) to \(range.upperBound)")
      }
    }
  }
}
