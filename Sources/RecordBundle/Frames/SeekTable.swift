import RecordPlatform

/// The table of the zstd seekable format, in a skippable frame at the end of the file: the
/// locations of its frames.
struct SeekTable: Sendable {
  /// The offset of each frame, then that of the end of the last one.
  private(set) var offsets: [UInt64] = [0]
  /// The size of each frame's content in bytes.
  private(set) var sizes: [UInt32] = []
  /// The low 32 bits of each content's XXH64.
  private(set) var checksums: [UInt32] = []

  /// SHA-256 of each compressed frame, if known.
  private var digests: [SHA256Digest?] = []

  var count: Int { sizes.count }
  /// The offset at which the last frame ends and the seal begins.
  var framesEnd: UInt64 { offsets.last ?? 0 }

  subscript(index: Int) -> FrameLocation {
    FrameLocation(
      index: index, offset: offsets[index],
      compressedSize: Int(clamping: offsets[index + 1] - offsets[index]), size: Int(sizes[index]),
      checksum: checksums[index], isLast: index == count - 1, digest: digests[index])
  }

  /// Returns the table with the digests of all frames but the last, whose digest is in the seal.
  func adding(digests known: some Collection<SHA256Digest>) -> SeekTable {
    var table = self
    for (index, digest) in zip(0..<max(0, count - 1), known) { table.digests[index] = digest }
    return table
  }

  /// Whether the file, from the seal to its end, is exactly what a writer writes for these frames.
  func isCanonical(in file: RandomAccessFile) throws -> Bool {
    let entries = (0..<count).map { index in
      [UInt32(clamping: self[index].compressedSize), sizes[index], checksums[index]]
    }
    let expected = (digests.last ?? nil).map { FrameSeal.encode($0) + Self.encode(entries) } ?? []
    return try file.bytes(at: framesEnd, count: Int(clamping: file.size - framesEnd)) == expected
  }

  /// Returns the skippable frame for `frames`, with checksums.
  static func encode(_ frames: [FrameInfo]) -> [UInt8] {
    encode(frames.map { [$0.compressedSize, $0.size, $0.checksum] })
  }

  /// - Parameter entries: the compressed size, content size and checksum of each frame.
  private static func encode(_ entries: [[UInt32]]) -> [UInt8] {
    var bytes: [UInt8] = []
    let contentSize = entries.count * Footer.entrySize + ZstdFormat.seekTableFooterSize
    bytes.reserveCapacity(contentSize + ZstdFormat.skippableHeaderSize)
    bytes.append(littleEndian: ZstdFormat.seekTableMagic)
    bytes.append(littleEndian: UInt32(clamping: contentSize))
    for number in entries.joined() { bytes.append(littleEndian: number) }
    bytes.append(littleEndian: UInt32(clamping: entries.count))
    bytes.append(ZstdFormat.checksumDescriptor)
    bytes.append(littleEndian: ZstdFormat.seekableMagic)
    return bytes
  }
}

extension SeekTable {
  /// Reads and checks the table at the end of a file.
  /// - Returns: `nil` if the file does not end with a seek table.
  /// - Throws: ``FrameError`` if it does, but the table is invalid.
  static func read(from file: RandomAccessFile, limits: FrameLimits) throws -> SeekTable? {
    guard let footer = try Footer(file) else { return nil }
    try footer.check(file, limits)
    var table = SeekTable()
    table.offsets.reserveCapacity(footer.frameCount + 1)
    table.sizes.reserveCapacity(footer.frameCount)
    try table.readEntries(footer, file, limits)
    let end = footer.tableOffset(file)
    guard table.framesEnd != end else {
      throw FrameError(
        .damaged, in: file.name, at: end,
        "the seal before the seek table is missing: the file was created or compressed again by "
          + "another program; `recordpack recover` writes a bundle of its lines")
    }
    guard table.framesEnd + UInt64(FrameSeal.size) == end else {
      throw FrameError(
        .damaged, in: file.name, at: end,
        "the seek table accounts for \(table.framesEnd) bytes of frames and \(FrameSeal.size) "
          + "of the seal, but \(end) bytes are before it: the file is damaged, or several files "
          + "were joined; `recordpack recover` saves what is intact")
    }
    try table.readSeal(file)
    return table
  }

  private mutating func readSeal(_ file: RandomAccessFile) throws {
    let bytes = try file.bytes(at: framesEnd, count: FrameSeal.size)
    guard let digest = FrameSeal.digest(in: bytes) else {
      throw Self.damaged(file, at: framesEnd, "the seal before the seek table is damaged")
    }
    digests = Array(repeating: nil, count: count)
    digests[count - 1] = digest
  }

  private mutating func readEntries(
    _ footer: Footer, _ file: RandomAccessFile, _ limits: FrameLimits
  ) throws {
    var position = footer.tableOffset(file) + UInt64(ZstdFormat.skippableHeaderSize)
    let entrySize = Footer.entrySize
    while count < footer.frameCount {
      // In batches, because a table may have millions of entries.
      let entries = min(footer.frameCount - count, 4096)
      let bytes = try file.bytes(at: position, count: entries * entrySize)
      try bytes.withUnsafeBytes { raw in
        for start in stride(from: 0, to: entries * entrySize, by: entrySize) {
          guard let compressed = raw.littleEndianUInt32(at: start),
            let size = raw.littleEndianUInt32(at: start + 4),
            let checksum = raw.littleEndianUInt32(at: start + 8)
          else { throw Self.damaged(file, "the seek table is truncated") }
          try Self.check(count, compressed, size, file, limits)
          offsets.append(framesEnd + UInt64(compressed))
          sizes.append(size)
          checksums.append(checksum)
        }
      }
      position += UInt64(bytes.count)
    }
  }

  private static func check(
    _ index: Int, _ compressed: UInt32, _ size: UInt32, _ file: RandomAccessFile,
    _ limits: FrameLimits
  ) throws {
    guard size > 0, size <= limits.maxFrameContent else {
      throw FrameError(
        size == 0 ? .damaged : .limitExceeded, in: file.name, frame: index,
        "the seek table lists a content of \(size) bytes; 1 to \(limits.maxFrameContent) are valid")
    }
    guard compressed >= ZstdFormat.minFrameSize, compressed <= limits.maxCompressedFrame else {
      throw FrameError(
        .damaged, in: file.name, frame: index,
        "the seek table lists \(compressed) compressed bytes; "
          + "\(ZstdFormat.minFrameSize) to \(limits.maxCompressedFrame) are valid")
    }
  }

  private static func damaged(
    _ file: RandomAccessFile, at offset: UInt64? = nil, _ message: String
  ) -> FrameError {
    FrameError(
      .damaged, in: file.name, at: offset,
      message + "; the frames before it may be intact: see `recordpack recover`")
  }

  /// The last nine bytes of a file with a seek table.
  private struct Footer {
    let frameCount: Int
    let descriptor: UInt8

    /// Returns nil if the file does not end with a seek table.
    init?(_ file: RandomAccessFile) throws {
      let size = ZstdFormat.seekTableFooterSize
      guard file.size >= size else { return nil }
      let bytes = try file.bytes(at: file.size - UInt64(size), count: size)
      let (count, magic) = bytes.withUnsafeBytes {
        ($0.littleEndianUInt32(at: 0), $0.littleEndianUInt32(at: 5))
      }
      guard let count, magic == ZstdFormat.seekableMagic else { return nil }
      frameCount = Int(count)
      descriptor = bytes[4]
    }

    /// Compressed size, content size and checksum, four bytes each.
    static let entrySize = 12
    var contentSize: UInt64 {
      UInt64(frameCount) * UInt64(Self.entrySize) + UInt64(ZstdFormat.seekTableFooterSize)
    }
    var totalSize: UInt64 { contentSize + UInt64(ZstdFormat.skippableHeaderSize) }

    /// Valid only after ``check(_:_:)`` has passed.
    func tableOffset(_ file: RandomAccessFile) -> UInt64 { file.size - totalSize }

    func check(_ file: RandomAccessFile, _ limits: FrameLimits) throws {
      guard descriptor == ZstdFormat.checksumDescriptor else {
        throw damaged(
          file,
          "the seek table has the descriptor \(descriptor); "
            + "\(ZstdFormat.checksumDescriptor), entries with checksums, was expected")
      }
      guard frameCount > 0 else { throw damaged(file, "the seek table lists no frames") }
      guard totalSize < file.size else {
        throw damaged(
          file,
          "the seek table claims \(frameCount) frames and would take \(totalSize) bytes, "
            + "but the file has only \(file.size)")
      }
      guard frameCount <= limits.maxFrames else {
        throw FrameError(
          .limitExceeded, in: file.name,
          "the seek table lists \(frameCount) frames; at most \(limits.maxFrames) are accepted")
      }
      let start = try file.bytes(
        at: tableOffset(file), count: ZstdFormat.skippableHeaderSize)
      let isTable = start.withUnsafeBytes {
        $0.littleEndianUInt32(at: 0) == ZstdFormat.seekTableMagic
          && $0.littleEndianUInt32(at: 4).map(UInt64.init) == contentSize
      }
      guard isTable else {
        throw damaged(
          file,
          "the seek table for \(frameCount) frames does not begin where its size says "
            + "(byte \(tableOffset(file)))")
      }
    }
  }
}
