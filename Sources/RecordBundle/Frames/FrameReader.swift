import RecordCompression
import RecordPlatform

/// Reads the frames of a file in the zstd seekable format, in any order, on any thread.
///
/// Everything is verified before use: the seek table against the file, and each frame against the
/// table and the limits. Each content is verified by the digest of the frame in the index, or by
/// its checksum where that is not known.
final class FrameReader: Sendable {
  let file: RandomAccessFile
  /// The locations of the frames.
  let table: SeekTable
  let limits: FrameLimits
  private let decoders: ResourcePool<FrameDecoder>

  /// The number of frames; at least one.
  var frameCount: Int { table.count }

  /// Reads and checks the seek table of a file.
  /// - Throws: ``BundleError``, which says what a file that is not a bundle appears to be.
  convenience init(file: RandomAccessFile, limits: FrameLimits = .standard) throws {
    guard let table = try SeekTable.read(from: file, limits: limits) else {
      throw try FileDiagnosis(file).errorWithoutSeekTable()
    }
    try FileDiagnosis(file).checkBeginning()
    self.init(file: file, table: table, limits: limits)
  }

  /// Creates a reader of frames at known locations.
  init(file: RandomAccessFile, table: SeekTable, limits: FrameLimits) {
    self.file = file
    self.table = table
    self.limits = limits
    decoders = ResourcePool(keeping: WorkerThread.recommendedCount) {
      try FrameDecoder(limits: limits)
    }
  }

  /// Decodes a frame on the caller's thread.
  /// - Parameters:
  ///   - index: the number of the frame, from 0.
  ///   - isEnough: whether a line, without its newline, is the last that is needed: then the content
  ///     ends with it. It is asked for some of the lines. nil for the whole frame.
  ///   - check: what verifies the content of a whole frame.
  ///   - body: receives the content, which is valid only during the call.
  func withFrame<R>(
    _ index: Int, until isEnough: FrameDecoder.Condition? = nil,
    verifiedBy check: FrameVerification = .digestOrChecksum,
    _ body: (FrameContent) throws -> R
  ) throws -> R {
    guard table.sizes.indices.contains(index) else {
      throw BundleError(
        .misuse, in: file.name, "frame \(index) was requested; there are \(frameCount)")
    }
    return try decoders.with {
      try body($0.decode(table[index], of: file, until: isEnough, verifiedBy: check))
    }
  }
}

/// The limits that a reader accepts, so that no file can make it allocate without bound. A writer
/// keeps to the same limits.
struct FrameLimits: Sendable, Hashable {
  /// The size of a frame's content in bytes.
  var maxFrameContent = 64 << 20
  /// The length of a line in bytes, without its newline.
  var maxLine = 32 << 20
  /// The number of frames with lines in a file: 4 TiB of content at the default frame size.
  var maxFrames = 1 << 22
  /// The window size of a frame in bytes; the `zstd` command has the same default limit.
  var maxWindow: UInt64 = 128 << 20

  /// The default limits.
  static let standard = FrameLimits()

  /// The size in bytes of the largest compressed frame with an acceptable content.
  var maxCompressedFrame: Int { ZstdCompressor.bound(of: maxFrameContent) }

  /// The number of blocks in a frame. The smallest window is 1 KiB, and encoders fill every block
  /// but the last to that, so their frames stay within this limit.
  var maxBlocks: Int { maxFrameContent / 1024 + 1 }
}
