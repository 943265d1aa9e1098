import Foundation
import RecordPlatform

/// Finds every intact frame of a file that may be damaged, truncated, or joined from several files.
///
/// The file is scanned from its beginning, without the seek table. After a damaged frame the scan
/// continues at the next magic number of zstd, but only a frame whose content matches its checksum
/// counts: a false one has to match 64 bits by accident. Memory does not grow with the file.
struct FrameRecovery {
  private var report = RecoveryReport()
  private let file: RandomAccessFile
  private let limits = FrameLimits.standard
  private let decoder: FrameDecoder
  private let search: MagicSearch
  private var position: UInt64 = 0
  private var damage: (start: UInt64, reason: String)?
  /// The cost of frames that turned out to be damaged, in decoded bytes.
  private var wasted: UInt64 = 0

  private init(_ file: RandomAccessFile) throws {
    self.file = file
    decoder = try FrameDecoder(limits: limits)
    search = MagicSearch(file)
  }

  /// Calls `body` with each intact frame in order.
  /// - Parameters:
  ///   - broken: receives the offset of each frame that begins but is not intact.
  ///   - body: receives each content, valid only during the call, whose index counts the intact
  ///     frames, and SHA-256 of the frame. May throw ``StopReading`` to end early.
  /// - Returns: the numbers of frames, and the damage.
  /// - Throws: the errors of the closures, and errors of reading the file; damage is not an error.
  static func scan(
    _ file: RandomAccessFile, broken: (_ offset: UInt64) throws -> Void = { _ in },
    _ body: (FrameContent, SHA256Digest) throws -> Void
  ) throws -> RecoveryReport {
    var recovery = try FrameRecovery(file)
    try StopReading.ends { try recovery.run(broken, body) }
    return recovery.report
  }

  private mutating func run(
    _ broken: (UInt64) throws -> Void, _ body: (FrameContent, SHA256Digest) throws -> Void
  ) throws {
    while position < file.size {
      do {
        if let size = try probeSkippable() {
          endDamage()
          position += size
          continue
        }
        let content = try decodeFrame()
        endDamage()
        report.frames += 1
        position += UInt64(content.location.compressedSize)
        try body(content, decoder.compressedDigest)
      } catch let problem as FrameExtent.Problem {
        if damage == nil { damage = (position, problem.reason) }
        try broken(position)
        position = try isHopeless() ? file.size : search.next(from: position + 1) ?? file.size
      }
    }
    endDamage()
  }

  private mutating func endDamage() {
    if let damage { report.addDamage(damage.start..<position, of: file.name, damage.reason) }
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

  private mutating func decodeFrame() throws -> FrameContent {
    var blocks = 0
    // Reading a block header is a system call, which costs about as much as decoding 4 KiB.
    defer { wasted += UInt64(blocks) * 4096 }
    let extent = try FrameExtent(file, at: position, limits: limits, blocks: &blocks)
    guard extent.compressedSize <= limits.maxCompressedFrame else {
      throw FrameExtent.Problem(reason: "the frame is larger than the limit")
    }
    let location = FrameLocation(
      index: report.frames, offset: position, compressedSize: Int(extent.compressedSize))
    do {
      return try decoder.decode(location, of: file)
    } catch let error as BundleError where error.code != .inputOutput {
      wasted += extent.header.contentSize.map { min($0, UInt64(limits.maxFrameContent)) } ?? 0
      throw FrameExtent.Problem(reason: error.message.replacing(FrameFailure.advice, with: ""))
    }
  }

  /// Skips a skippable frame only if it is a seek table, the file ends after it, or a known magic
  /// number follows. So a damaged size cannot hide the frames after it.
  /// - Returns: the size of the frame; nil if none begins here.
  private func probeSkippable() throws -> UInt64? {
    let start = try file.bytes(at: position, count: ZstdFormat.skippableHeaderSize)
    guard let magic = start.withUnsafeBytes({ $0.littleEndianUInt32(at: 0) }),
      ZstdFormat.isSkippable(magic)
    else { return nil }
    guard let size = start.withUnsafeBytes({ $0.littleEndianUInt32(at: 4) }) else {
      throw FrameExtent.Problem(reason: "the file ends inside a skippable frame")
    }
    let total = UInt64(size) + UInt64(ZstdFormat.skippableHeaderSize)
    let end = position + total
    let isSeekTable =
      try magic == ZstdFormat.seekTableMagic && end <= file.size
      && isSeekTable(size, endingAt: end)
    guard try isSeekTable || end == file.size || end < file.size && isKnownBeginning(at: end)
    else {
      throw FrameExtent.Problem(
        reason: "a skippable frame, perhaps the seek table, is damaged or truncated")
    }
    return total
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

/// Searches a file for magic numbers of zstd frames and seek tables, with a buffer of fixed size.
final class MagicSearch {
  private let file: RandomAccessFile
  private let window = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
  /// The offset of the buffer in the file.
  private var start: UInt64 = 0
  private var count = 0

  init(_ file: RandomAccessFile) { self.file = file }

  deinit { window.deallocate() }

  /// Returns the offset of the first magic number at or after `offset`; `nil` if there is none.
  func next(from offset: UInt64) throws -> UInt64? {
    var position = offset
    while position < file.size {
      try load(position)
      let skipped = Int(position - start)
      let bytes = UnsafeRawBufferPointer(rebasing: window[skipped..<count])
      guard bytes.count >= 4 else { return nil }
      if let found = Self.find(in: bytes) { return position + UInt64(found) }
      // The last three bytes may be the beginning of a number that crosses the end of the buffer.
      position += UInt64(bytes.count - 3)
    }
    return nil
  }

  /// Loads at least four bytes at `position` into the buffer, if the file has that many.
  private func load(_ position: UInt64) throws {
    let isInside = position >= start && position + 4 <= start + UInt64(count)
    guard !isInside else { return }
    start = position
    count = try file.readUpTo(at: position, into: window)
  }

  private static func find(in bytes: UnsafeRawBufferPointer) -> Int? {
    let frame = ZstdFormat.frameMagic.littleEndian
    let table = ZstdFormat.seekTableMagic.littleEndian
    for place in 0...bytes.count - 4 {
      let number = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
      if number == frame || number == table { return place }
    }
    return nil
  }
}
