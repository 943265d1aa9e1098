import RecordPlatform

/// The table of the zstd seekable format, in a skippable frame at the end of the file: the
/// locations of its frames. The file has an entry for each frame, including the seal before the
/// table; this value has those of the frames with lines.
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
      Entry(
        compressedSize: UInt32(clamping: self[index].compressedSize), size: sizes[index],
        checksum: checksums[index])
    }
    let expected = (digests.last ?? nil).map { FrameSeal.encode($0) + Self.encode(entries) } ?? []
    return try file.bytes(at: framesEnd, count: Int(clamping: file.size - framesEnd)) == expected
  }

  /// Returns the skippable frame of the table for `frames` and the seal after them.
  static func encode(_ frames: [FrameInfo]) -> [UInt8] {
    encode(
      frames.map { Entry(compressedSize: $0.compressedSize, size: $0.size, checksum: $0.checksum) })
  }

  /// - Parameter entries: those of the frames, to which that of the seal is added.
  private static func encode(_ entries: [Entry]) -> [UInt8] {
    var bytes: [UInt8] = []
    let count = entries.count + 1
    let contentSize = count * Entry.byteCount + ZstdFormat.seekTableFooterSize
    bytes.reserveCapacity(contentSize + ZstdFormat.skippableHeaderSize)
    bytes.append(littleEndian: ZstdFormat.seekTableMagic)
    bytes.append(littleEndian: UInt32(clamping: contentSize))
    for entry in entries + [FrameSeal.entry] {
      bytes.append(littleEndian: entry.compressedSize)
      bytes.append(littleEndian: entry.size)
      bytes.append(littleEndian: entry.checksum)
    }
    bytes.append(littleEndian: UInt32(clamping: count))
    bytes.append(ZstdFormat.checksumDescriptor)
    bytes.append(littleEndian: ZstdFormat.seekableMagic)
    return bytes
  }
}

extension SeekTable {
  /// An entry of the table: the sizes of a frame in bytes, and the low 32 bits of its content's XXH64.
  struct Entry: Equatable {
    let compressedSize: UInt32
    let size: UInt32
    let checksum: UInt32

    static let byteCount = 12
  }

  /// Reads and checks the table at the end of a file.
  /// - Returns: `nil` if the file does not end with a seek table.
  /// - Throws: ``BundleError`` if it does, but the table is invalid.
  static func read(from file: RandomAccessFile, limits: FrameLimits) throws -> SeekTable? {
    guard let footer = try Footer(file) else { return nil }
    try footer.check(file, limits)
    var table = SeekTable()
    table.offsets.reserveCapacity(footer.entryCount)
    table.sizes.reserveCapacity(footer.entryCount - 1)
    var total: UInt64 = 0
    var last: Entry?
    try forEachEntry(footer, file) { entry in
      if let last { try table.add(last, file, limits) }
      last = entry
      total += UInt64(entry.compressedSize)
    }
    let end = footer.tableOffset(file)
    guard total == end else {
      throw BundleError(
        .damaged, in: file.name, at: end,
        "the seek table accounts for \(total) bytes, but \(end) are before it: the file is damaged, "
          + "or several files were joined; `recordpack recover` saves what is intact")
    }
    guard last == FrameSeal.entry, table.count > 0 else {
      throw BundleError(
        .damaged, in: file.name, at: end,
        "the seal before the seek table is missing: the file was created or compressed again by "
          + "another program; `recordpack recover` writes a bundle of its lines")
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

  private static func forEachEntry(
    _ footer: Footer, _ file: RandomAccessFile, _ body: (Entry) throws -> Void
  ) throws {
    var position = footer.tableOffset(file) + UInt64(ZstdFormat.skippableHeaderSize)
    var left = footer.entryCount
    while left > 0 {
      // In batches, because a table may have millions of entries.
      let batch = min(left, 4096)
      let bytes = try file.bytes(at: position, count: batch * Entry.byteCount)
      try bytes.withUnsafeBytes { raw in
        for start in stride(from: 0, to: batch * Entry.byteCount, by: Entry.byteCount) {
          guard let compressed = raw.littleEndianUInt32(at: start),
            let size = raw.littleEndianUInt32(at: start + 4),
            let checksum = raw.littleEndianUInt32(at: start + 8)
          else { throw damaged(file, "the seek table is truncated") }
          try body(Entry(compressedSize: compressed, size: size, checksum: checksum))
        }
      }
      position += UInt64(bytes.count)
      left -= batch
    }
  }

  /// Adds the entry of a frame of lines.
  private mutating func add(
    _ entry: Entry, _ file: RandomAccessFile, _ limits: FrameLimits
  ) throws {
    guard entry.size > 0, entry.size <= limits.maxFrameContent else {
      throw BundleError(
        entry.size == 0 ? .damaged : .limitExceeded, in: file.name, frame: count,
        "the seek table lists a content of \(entry.size) bytes; 1 to \(limits.maxFrameContent) are "
          + "valid")
    }
    guard entry.compressedSize >= ZstdFormat.minFrameSize,
      entry.compressedSize <= limits.maxCompressedFrame
    else {
      throw BundleError(
        .damaged, in: file.name, frame: count,
        "the seek table lists \(entry.compressedSize) compressed bytes; "
          + "\(ZstdFormat.minFrameSize) to \(limits.maxCompressedFrame) are valid")
    }
    offsets.append(framesEnd + UInt64(entry.compressedSize))
    sizes.append(entry.size)
    checksums.append(entry.checksum)
  }

  private static func damaged(
    _ file: RandomAccessFile, at offset: UInt64? = nil, _ message: String
  ) -> BundleError {
    BundleError(
      .damaged, in: file.name, at: offset,
      message + "; the frames before it may be intact: see `recordpack recover`")
  }

  /// The last nine bytes of a file with a seek table.
  private struct Footer {
    /// The number of frames of the file, including the seal.
    let entryCount: Int
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
      entryCount = Int(count)
      descriptor = bytes[4]
    }

    var contentSize: UInt64 {
      UInt64(entryCount) * UInt64(Entry.byteCount) + UInt64(ZstdFormat.seekTableFooterSize)
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
      guard entryCount > 0 else { throw damaged(file, "the seek table lists no frames") }
      guard totalSize < file.size else {
        throw damaged(
          file,
          "the seek table claims \(entryCount) frames and would take \(totalSize) bytes, "
            + "but the file has only \(file.size)")
      }
      guard entryCount <= limits.maxFrames + 1 else {
        throw BundleError(
          .limitExceeded, in: file.name,
          "the seek table lists \(entryCount - 1) frames; at most \(limits.maxFrames) are accepted")
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
          "the seek table for \(entryCount) frames does not begin where its size says "
            + "(byte \(tableOffset(file)))")
      }
    }
  }
}

/// The skippable frame before the table. It has the SHA-256 of the last frame of lines, so that a
/// change of any bit of the file is detected.
enum FrameSeal {
  /// The size of the whole skippable frame in bytes.
  static let size = ZstdFormat.skippableHeaderSize + tag.count + SHA256Digest.byteCount
  /// Its entry in the table, which a skippable frame has like any other: without content.
  static let entry = SeekTable.Entry(
    compressedSize: UInt32(size), size: 0, checksum: ZstdFormat.emptyChecksum)
  /// The beginning of the content.
  private static let tag = Array("RPK1".utf8)

  /// Returns the bytes of the seal for the digest of the last frame.
  static func encode(_ digest: SHA256Digest) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: ZstdFormat.sealMagic)
    bytes.append(littleEndian: UInt32(tag.count + SHA256Digest.byteCount))
    bytes += tag
    digest.withBytes { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Returns the digest in a seal; `nil` if the bytes are not a seal.
  static func digest(in bytes: [UInt8]) -> SHA256Digest? {
    guard bytes.count == size,
      let digest = bytes.withUnsafeBytes({ all in
        SHA256Digest(
          bytes: UnsafeRawBufferPointer(rebasing: all.suffix(SHA256Digest.byteCount)))
      }), encode(digest) == bytes
    else { return nil }
    return digest
  }
}
