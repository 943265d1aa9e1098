import RecordCoding
import RecordPlatform

/// The first pass through a damaged file, which finds intact frames, header and indexes.
struct RecoveryScan {
  /// The intact frames, without duplicates, in the order of the file.
  private(set) var frames: [RecoveryFrame] = []
  /// The first header.
  private(set) var header: BundleHeader?
  /// Whether a header differs from the first.
  private(set) var hasOtherHeader = false
  /// The offsets of frames that are not intact, at most 65,536.
  private(set) var brokenFrames: [UInt64] = []
  private static let maxBrokenFrames = 1 << 16
  /// The lines of the intact frames, without indexes.
  private(set) var counts = LineCounts()
  /// The numbers of frames, and the damage.
  private(set) var report = RecoveryReport()
  /// Whether the file has more frames than the format allows, and was not read to its end.
  private(set) var isCutShort = false

  private var lines: RecoveryLines
  private var digests: Set<SHA256Digest> = []
  private var keyBytes = 0
  /// Usual keys take 100 bytes each; beyond this size, frames get the previous frame's key.
  private static let maxKeyBytes = 256 << 20

  /// Scans a file.
  ///
  /// - Parameter progress: receives the offset of each intact frame.
  /// - Throws: ``BundleError`` for an unknown format version; errors of the file, and of
  ///   `progress`.
  init(
    _ file: RandomAccessFile, _ lines: RecoveryLines, progress: (UInt64) throws -> Void
  ) throws {
    self.lines = lines
    var scan = self
    let report = try FrameRecovery.scan(file) { offset in
      if scan.brokenFrames.count < Self.maxBrokenFrames { scan.brokenFrames.append(offset) }
    } _: { content, digest in
      try progress(content.location.offset)
      guard scan.frames.count < FrameLimits.standard.maxFrames else {
        scan.isCutShort = true
        throw StopReading()
      }
      if scan.digests.insert(digest).inserted { try scan.add(content, digest) }
    }
    self = scan
    self.report = report
    digests = []
  }

  private mutating func add(_ content: FrameContent, _ digest: SHA256Digest) throws {
    var (lineCount, hasIndex) = (0, false)
    var key: [UInt8]?
    for line in content.lines {
      let kind = LineKind.anyKind(of: line)
      lineCount += 1
      switch kind {
      case .index:
        hasIndex = true
        continue
      case .header: try add(header: line)
      case .zone: break
      default: key = key ?? (try? lines.item(line))?.sortKey
      }
      counts.add(line, kind)
    }
    keyBytes += key?.count ?? 0
    if keyBytes > Self.maxKeyBytes { key = nil }
    frames.append(
      RecoveryFrame(
        offset: content.location.offset, compressedSize: content.location.compressedSize,
        digest: digest, lines: lineCount, hasIndex: hasIndex,
        sortKey: key ?? frames.last?.sortKey ?? []))
  }

  private mutating func add(header line: UnsafeRawBufferPointer) throws {
    guard let found = try lines.header(line) else { return }
    guard let header else {
      header = found
      return
    }
    if header.container != found.container || header.shard != found.shard { hasOtherHeader = true }
  }

}
