import RecordCoding
import RecordModel
import RecordPlatform

/// A damaged file after the first pass, with the choice of the frames to save.
///
/// An intact index tells which frames belong to the file. Frames that it does not list are not
/// saved: they may belong to another bundle, or to an older copy of this one. If no frame matches
/// the index, or unlisted frames complete its lines, another program compressed the file again, and
/// all count.
final class RecoverySource {
  let file: RandomAccessFile
  /// The header; nil if it is lost.
  private(set) var header: BundleHeader?
  /// The index; nil if it is lost.
  private(set) var index: BundleIndex?
  /// SHA-256 of the index frame, which the next file's header repeats; nil if it is lost.
  private(set) var indexDigest: SHA256Digest?
  /// The intact frames to save.
  private(set) var frames: [RecoveryFrame] = []
  /// The intact frames that the index does not list.
  private(set) var unlistedFrames: [RecoveryFrame] = []
  /// Whether another program compressed the file again.
  private(set) var isCompressedAgain = false
  /// Whether the lines of all intact frames are those that the index describes.
  private(set) var hasAllLines = false
  /// The result of the first pass.
  let scan: RecoveryScan
  let lines: RecoveryLines

  /// The maximum number of frames that are searched for an index; a file has one.
  private static let maxIndexFrames = 64

  /// Scans a file.
  ///
  /// - Parameter progress: receives the offset of each intact frame.
  /// - Throws: ``BundleError`` for a file with two bundles or an unknown format version.
  init(_ file: RandomAccessFile, progress: (UInt64) throws -> Void = { _ in }) throws {
    self.file = file
    lines = RecoveryLines(name: file.name)
    scan = try RecoveryScan(file, lines, progress: progress)
    let decoder = try FrameDecoder(limits: .standard)
    let indexFrame = try chooseIndex(with: decoder)
    chooseFrames(indexFrame)
    try chooseHeader(with: decoder)
  }

  var name: String { file.name }

  /// The number of the file in its split bundle; nil for a whole bundle, or if it is unknown.
  var number: Int? {
    let number = header == nil ? ShardNames.number(in: name) : header?.shard?.number
    return number.flatMap { $0 <= ShardOutput.maxShards ? $0 : nil }
  }

  /// Whether the file is known to belong to a split bundle.
  var isShard: Bool { header?.shard != nil || index?.isLastShard != nil }

  /// Whether the file is known to be a whole bundle.
  var isWhole: Bool { !isShard && (header != nil || index != nil) }

  /// Returns the content of an intact frame, valid until the decoder's next one.
  func content(of frame: RecoveryFrame, with decoder: FrameDecoder) throws -> FrameContent {
    do {
      return try decoder.decode(frame.location(index: 0), of: file)
    } catch let error as FrameError where error.kind == .damaged {
      throw FrameError(
        .inputOutput, in: name, at: frame.offset, "the file was changed while it was read")
    }
  }
}

extension RecoverySource {
  /// Chooses the index that lists the most frames that were found; of equal ones the last.
  ///
  /// - Returns: the frame of the index.
  private func chooseIndex(with decoder: FrameDecoder) throws -> RecoveryFrame? {
    let found = Set(scan.frames.map(\.digest))
    var best: (frame: RecoveryFrame, listed: Int)?
    var whole = 0
    for frame in scan.frames.filter(\.hasIndex).suffix(Self.maxIndexFrames) {
      for line in try content(of: frame, with: decoder).lines
      where LineKind.anyKind(of: line) == .index {
        guard let read = lines.index(line) else { continue }
        let listed = read.frames.count { found.contains($0.digest) }
        if listed == read.frames.count, listed > 1 { whole += 1 }
        guard listed >= best?.listed ?? 0 else { continue }
        best = (frame, listed)
        index = read
      }
    }
    guard whole < 2 else { throw joinedError() }
    return best?.frame
  }

  private func chooseFrames(_ indexFrame: RecoveryFrame?) {
    guard let index else {
      frames = scan.frames
      return
    }
    let listed = Set(index.frames.map(\.digest))
    frames = scan.frames.filter { listed.contains($0.digest) }
    unlistedFrames = scan.frames.filter {
      !listed.contains($0.digest) && $0.digest != indexFrame?.digest
    }
    let isFirst = scan.header?.shard.map { $0.number == 1 } ?? true
    hasAllLines = scan.counts.matches(index, isFirst: isFirst)
    // A line that fills a frame, and a short header, may be compressed to the same bytes.
    let hasOnlyFirst = frames.allSatisfy { $0.digest == index.frames.first?.digest }
    let isListed =
      frames.count == listed.count
      || !frames.isEmpty && !hasAllLines && (!hasOnlyFirst || unlistedFrames.isEmpty)
    if !isListed, scan.counts.lines > 0 {
      isCompressedAgain = true
      (frames, unlistedFrames) = (scan.frames, [])
    } else {
      indexDigest = indexFrame?.digest
    }
  }

  /// Chooses the header in the frame that the index lists first; without an index, the only header.
  private func chooseHeader(with decoder: FrameDecoder) throws {
    guard let index, !isCompressedAgain else {
      guard !scan.hasOtherHeader else { throw joinedError() }
      header = scan.header
      return
    }
    guard let first = frames.first(where: { $0.digest == index.frames.first?.digest }) else {
      return
    }
    for line in try content(of: first, with: decoder).lines where header == nil {
      header = try lines.header(line)
    }
  }

  private func joinedError() -> BundleError {
    BundleError(
      .shards, in: name,
      "the file contains two bundles, one after the other. Split it, and recover each")
  }
}
