import CZstd

/// What a reader accepts at most, so that no file can make it allocate without bound; a writer
/// keeps to the same limits, so that what it writes can be read.
struct FrameLimits: Sendable, Hashable {
  /// Bytes of one frame's content.
  var maxFrameContent = 64 << 20
  /// Bytes of one line, without its newline.
  var maxLine = 32 << 20
  /// Frames in one file: 8 TiB at the default frame size.
  var maxFrames = 1 << 22
  /// The window a frame may ask for; more is what the `zstd` command refuses by default, too.
  var maxWindow: UInt64 = 128 << 20

  /// What a reader uses when told nothing else.
  static let standard = FrameLimits()

  /// The largest compressed frame that can hold an acceptable content.
  var maxCompressedFrame: Int { ZSTD_compressBound(maxFrameContent) }

  /// Blocks that one frame may have. The smallest window is 1 KiB and a block fills it but for
  /// the last, so that an honest frame stays below this.
  var maxBlocks: Int { maxFrameContent / 1024 + 1 }
}
