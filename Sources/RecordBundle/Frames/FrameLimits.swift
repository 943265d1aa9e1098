import CZstd

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
  var maxCompressedFrame: Int { ZSTD_compressBound(maxFrameContent) }

  /// The number of blocks in a frame. The smallest window is 1 KiB, and encoders fill every block
  /// but the last to that, so their frames stay within this limit.
  var maxBlocks: Int { maxFrameContent / 1024 + 1 }
}
