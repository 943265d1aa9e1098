import RecordPlatform

/// Finds every intact frame of a file that may be damaged, truncated, or joined from several files.
///
/// The file is scanned from its beginning, without the seek table. After a damaged frame the scan
/// continues at the next magic number of zstd, but only a frame whose content matches its checksum
/// counts: a false one has to match 64 bits by accident. Memory does not grow with the file.
struct FrameRecovery {
  private var summary = RecoverySummary()
  private let file: RandomAccessFile
  private let limits: FrameLimits
  private let decoder: FrameDecoder
  private let search: MagicSearch
  private var position: UInt64 = 0
  private var damage: (start: UInt64, reason: String)?
  /// The cost of frames that turned out to be damaged, in decoded bytes.
  private var wasted: UInt64 = 0

  private init(_ file: RandomAccessFile, _ limits: FrameLimits) throws {
    self.file = file
    self.limits = limits
    decoder = try FrameDecoder(limits: limits)
    search = MagicSearch(file)
  }

  /// Calls `body` with each intact frame in order.
  /// - Parameters:
  ///   - broken: receives the offset of each frame that begins but is not intact.
  ///   - body: receives each content, valid only during the call, whose index counts the intact
  ///     frames, and SHA-256 of the frame. May throw ``StopReading`` to end early.
  /// - Returns: a summary of the scan.
  /// - Throws: the errors of the closures, and errors of reading the file; damage is not an error.
  static func scan(
    _ file: RandomAccessFile, limits: FrameLimits = .standard,
    broken: (_ offset: UInt64) throws -> Void = { _ in },
    _ body: (FrameContent, SHA256Digest) throws -> Void
  ) throws -> RecoverySummary {
    var recovery = try FrameRecovery(file, limits)
    do {
      try recovery.run(broken, body)
    } catch is StopReading {}
    return recovery.summary
  }

  private mutating func run(
    _ broken: (UInt64) throws -> Void, _ body: (FrameContent, SHA256Digest) throws -> Void
  ) throws {
    while position < file.size {
      switch try probe() {
      case .frame(let content):
        endDamage()
        summary.frameCount += 1
        position += UInt64(content.location.compressedSize)
        try body(content, decoder.compressedDigest)
      case .skippable(let size):
        endDamage()
        position += size
      case .broken(let reason):
        if damage == nil { damage = (position, reason) }
        try broken(position)
        position = try isHopeless() ? file.size : search.next(from: position + 1) ?? file.size
      }
    }
    endDamage()
  }

  private enum Probe {
    case frame(FrameContent)
    case skippable(UInt64)
    case broken(String)
  }

  private mutating func endDamage() {
    if let damage { summary.add(damage: damage.start..<position, reason: damage.reason) }
    damage = nil
  }

  /// Whether too much work was wasted to continue. Every false beginning costs time, and in a
  /// malicious file each byte can be one. A file by an honest writer wastes one frame per damaged
  /// part; the scan gives up after 4 GiB plus 64 times the bytes scanned.
  private mutating func isHopeless() -> Bool {
    guard wasted / 64 > 1 << 26 + position else { return false }
    damage?.reason += "; the rest has too many false frame headers to search"
    return true
  }

  private mutating func probe() throws -> Probe {
    if let skippable = try probeSkippable() { return skippable }
    var blocks = 0
    let outcome = try FrameExtent.follow(file, at: position, limits: limits, blocks: &blocks)
    // Reading a block header is a system call, which costs about as much as decoding 4 KiB.
    wasted += UInt64(blocks) * 4096
    switch outcome {
    case .broken(let reason): return .broken(reason)
    case .frame(let extent):
      guard extent.compressedSize <= limits.maxCompressedFrame else {
        return .broken("the frame is larger than the limit")
      }
      return try decode(extent)
    }
  }

  private mutating func decode(_ extent: FrameExtent) throws -> Probe {
    let location = FrameLocation(
      index: summary.frameCount, offset: position,
      compressedSize: Int(extent.compressedSize), size: nil, checksum: nil)
    do {
      return .frame(try decoder.decode(location, of: file))
    } catch let error as FrameError where error.kind != .inputOutput {
      wasted += extent.header.contentSize.map { min($0, UInt64(limits.maxFrameContent)) } ?? 0
      return .broken(error.message.replacing(FrameFailure.advice, with: ""))
    }
  }

  /// Skips a skippable frame only if it is a seek table, the file ends after it, or a known magic
  /// number follows, so that a damaged size cannot hide the frames after it.
  private func probeSkippable() throws -> Probe? {
    let start = try file.bytes(at: position, count: ZstdFormat.skippableHeaderSize)
    guard let magic = start.withUnsafeBytes({ $0.littleEndianUInt32(at: 0) }),
      ZstdFormat.isSkippable(magic)
    else { return nil }
    guard let size = start.withUnsafeBytes({ $0.littleEndianUInt32(at: 4) }) else {
      return .broken("the file ends inside a skippable frame")
    }
    let total = UInt64(size) + UInt64(ZstdFormat.skippableHeaderSize)
    let end = position + total
    let isSeekTable =
      try magic == ZstdFormat.seekTableMagic && end <= file.size
      && isSeekTable(size, endingAt: end)
    guard try isSeekTable || end == file.size || end < file.size && isKnownBeginning(at: end)
    else {
      return .broken("a skippable frame, perhaps the seek table, is damaged or cut off")
    }
    return .skippable(total)
  }

  private func isSeekTable(_ size: UInt32, endingAt end: UInt64) throws -> Bool {
    let length = ZstdFormat.seekTableFooterSize
    guard size >= length else { return false }
    let footer = try file.bytes(at: end - UInt64(length), count: length)
    return footer.withUnsafeBytes { bytes in
      guard let count = bytes.littleEndianUInt32(at: 0),
        let magic = bytes.littleEndianUInt32(at: 5)
      else { return false }
      let entries = UInt64(count) * (bytes[4] & 0x80 == 0 ? 8 : 12)
      return magic == ZstdFormat.seekableMagic && entries + UInt64(length) == size
    }
  }

  private func isKnownBeginning(at offset: UInt64) throws -> Bool {
    let bytes = try file.bytes(at: offset, count: 4)
    guard let magic = bytes.withUnsafeBytes({ $0.littleEndianUInt32(at: 0) }) else {
      return false
    }
    return magic == ZstdFormat.frameMagic || ZstdFormat.isSkippable(magic)
  }
}

/// An error that ends a scan early.
struct StopReading: Error {}
