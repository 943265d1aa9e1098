import RecordCoding
import RecordModel
import RecordPlatform

/// One damaged file: what is known of it after the first walk, and which of its frames are saved.
///
/// A whole index tells which frames belong to the file. Frames that it does not list are not saved:
/// they may come from another bundle, or from an older copy of this one. Where no frame is as the
/// index lists it, or others hold the same lines, the file was compressed again by another program,
/// and all frames count.
final class RecoverySource {
  let file: RandomAccessFile
  /// The header; nil where it is lost.
  private(set) var header: BundleHeader?
  /// The index; nil where it is lost.
  private(set) var index: BundleIndex?
  /// SHA-256 of the index's frame, which the next file's header repeats; nil where it is lost.
  private(set) var indexDigest: SHA256Digest?
  /// The intact frames that are saved.
  private(set) var frames: [RecoveryFrame] = []
  /// The intact frames that a whole index does not list.
  private(set) var unlistedFrames: [RecoveryFrame] = []
  /// Whether another program compressed the file again.
  private(set) var isCompressedAgain = false
  /// Whether the lines of all intact frames are those that the index was written for.
  private(set) var hasAllLines = false
  /// What the walk found.
  let scan: RecoveryScan
  private let lines: RecoveryLines

  /// The most frames that are looked at for an index; a file has one.
  private static let maxIndexFrames = 64

  /// Walks through a file.
  ///
  /// - Parameter progress: gets the place of each intact frame.
  /// - Throws: ``BundleError`` for a file that holds two bundles, or whose format version is not
  ///   known yet.
  init(
    _ file: RandomAccessFile, upgrade: FormatUpgrade,
    progress: (UInt64) throws -> Void = { _ in }
  ) throws {
    self.file = file
    lines = RecoveryLines(name: file.name, upgrade: upgrade)
    scan = try RecoveryScan(file, lines, progress: progress)
    let decoder = try FrameDecoder(limits: .standard)
    let indexFrame = try chooseIndex(with: decoder)
    chooseFrames(indexFrame)
    try chooseHeader(with: decoder)
  }

  var name: String { file.name }

  /// Which of the files of a split bundle this is; nil for a whole one, and where nothing tells.
  var number: Int? {
    let number = header == nil ? ShardNames.number(in: name) : header?.shard?.number
    return number.flatMap { $0 <= ShardOutput.mostShards ? $0 : nil }
  }

  /// Whether the file is known to be one of several.
  var isShard: Bool { header?.shard != nil || index?.isLastShard != nil }

  /// Whether the file is known to be a bundle by itself.
  var isWhole: Bool { !isShard && (header != nil || index != nil) }

  /// Calls `body` with what each line of an intact frame holds, but for header and index.
  func forEachItem(
    in frame: RecoveryFrame, with decoder: FrameDecoder, _ body: (RecoveryLines.Item) throws -> Void
  ) throws {
    for line in try content(of: frame, with: decoder).lines {
      if let item = try lines.item(line) { try body(item) }
    }
  }

  /// The content of an intact frame, valid until the decoder's next one.
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
  /// Takes the index that lists most of the frames that were found, or the later of two.
  ///
  /// - Returns: its frame.
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
    hasAllLines = scan.tally.matches(index, isFirst: isFirst)
    // A line that fills a frame may be compressed to the same bytes.
    let isListed = !frames.isEmpty && (frames.count == listed.count || !hasAllLines)
    if !isListed, scan.tally.lines > 0 {
      isCompressedAgain = true
      (frames, unlistedFrames) = (scan.frames, [])
    } else {
      indexDigest = indexFrame?.digest
    }
  }

  /// Takes the header of the frame that the index lists first; without an index, the only one.
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
    if let header { lines.version = header.formatVersion }
  }

  private func joinedError() -> BundleError {
    BundleError(
      .shards, in: name,
      "the file holds two bundles, one after the other. Cut it apart, and recover each")
  }
}
