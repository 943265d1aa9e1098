import CZstd
import Foundation
import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform

/// A temporary file of lines, in compressed blocks: each line behind its rank, the lengths of its
/// name and of itself, and the place of its name, which follows it unless it is a part of it. Only
/// its owner can read it.
final class SpoolFile {
  fileprivate static let lineHeadSize = 24
  /// The sizes of a compressed block and of its content.
  fileprivate static let blockHeadSize = 16
  private static let blockSize = 256 << 10
  /// On lines of replaced records twice as fast as level 1, for a third more bytes.
  private static let level: Int32 = -5

  private let path: String
  private let descriptor: Int32
  private let block = ByteBuffer()
  private let compressed = ByteBuffer()
  private let compressing = ZSTD_createCCtx()
  private let decompressing = ZSTD_createDCtx()
  /// Where the next block begins.
  private(set) var end: UInt64 = 0

  init(path: String) throws {
    self.path = path
    descriptor = SystemCall.createExclusively(path)
    if descriptor < 0 { throw FrameError.system(errno, in: path, "create a temporary file") }
  }

  deinit {
    ZSTD_freeCCtx(compressing)
    ZSTD_freeDCtx(decompressing)
    close(descriptor)
  }

  /// Writes a line, some time before the end of `finishBlock()`.
  func append(
    _ rank: UInt32, _ name: UnsafeRawBufferPointer, _ line: UnsafeRawBufferPointer
  ) throws {
    let place = Self.place(of: name, in: line)
    withUnsafeBytes(
      of: (rank, UInt32(name.count), UInt64(line.count), UInt64(place ?? line.count))
    ) { block.append($0) }
    block.append(line)
    if place == nil { block.append(name) }
    if block.count >= Self.blockSize { try finishBlock() }
  }

  /// Where a line contains the memory of its name; nil if it does not.
  private static func place(
    of name: UnsafeRawBufferPointer, in line: UnsafeRawBufferPointer
  ) -> Int? {
    guard let start = line.baseAddress, let nameStart = name.baseAddress, start <= nameStart,
      nameStart + name.count <= start + line.count
    else { return nil }
    return nameStart - start
  }

  /// Ends a run.
  func finishBlock() throws {
    guard block.count > 0 else { return }
    let bound = ZSTD_compressBound(block.count)
    compressed.reset(keeping: bound)
    compressed.reserve(Self.blockHeadSize + bound)
    let size = ZSTD_compressCCtx(
      compressing, compressed.base + Self.blockHeadSize, bound, block.base, block.count,
      Self.level)
    guard ZSTD_isError(size) == 0 else {
      throw FrameError.system(ENOMEM, in: path, "compress a temporary file")
    }
    withUnsafeBytes(of: (UInt64(size), UInt64(block.count))) { compressed.append($0) }
    compressed.setCount(Self.blockHeadSize + size)
    let failure = SystemCall.writeAll(compressed.bytes, to: descriptor)
    guard failure == 0 else {
      throw FrameError.system(
        failure, in: path,
        "write temporary files (set TMPDIR to a directory with more space)")
    }
    end += UInt64(compressed.count)
    block.reset(keeping: 4 * Self.blockSize)
  }

  /// Removes all runs.
  func removeAll() throws {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw FrameError.system(errno, in: path, "write temporary files")
    }
    end = 0
  }

  /// Replaces the content of a buffer with a block.
  ///
  /// - Returns: Where the next block begins.
  fileprivate func readBlock(at offset: UInt64, into buffer: ByteBuffer) throws -> UInt64 {
    var sizes: (UInt64, UInt64) = (0, 0)
    try withUnsafeMutableBytes(of: &sizes) { try read(at: offset, into: $0) }
    let size = Int(sizes.0)
    let count = Int(sizes.1)
    compressed.reset()
    compressed.reserve(size)
    let place = offset + UInt64(Self.blockHeadSize)
    try read(
      at: place, into: UnsafeMutableRawBufferPointer(start: compressed.base, count: size))
    buffer.reset(keeping: max(count, 4 * Self.blockSize))
    buffer.reserve(count)
    let found = ZSTD_decompressDCtx(decompressing, buffer.base, count, compressed.base, size)
    guard ZSTD_isError(found) == 0, found == count else {
      throw FrameError.system(EIO, in: path, at: offset, "read \(size) bytes")
    }
    buffer.setCount(count)
    return place + UInt64(size)
  }

  private func read(at offset: UInt64, into bytes: UnsafeMutableRawBufferPointer) throws {
    let count = SystemCall.readAll(descriptor, at: offset, into: bytes)
    guard count == bytes.count else {
      throw FrameError.system(
        count < 0 ? errno : EIO, in: path, at: offset, "read \(bytes.count) bytes")
    }
  }
}

/// Reads the lines of one run.
final class SpoolRun {
  /// What follows the current line.
  private enum Rest {
    case blocks(SpoolFile, Range<UInt64>)
    case lines(SortRun, from: Int)
  }

  private var rest: Rest
  private let block = ByteBuffer()
  private var position = 0
  private(set) var rank: UInt32 = 0
  private var prefix: UInt64 = 0
  private(set) var name = UnsafeRawBufferPointer(start: nil, count: 0)
  private(set) var line = UnsafeRawBufferPointer(start: nil, count: 0)
  private(set) var isAtEnd = false

  init(_ file: SpoolFile, _ range: Range<UInt64>) throws {
    rest = .blocks(file, range)
    try advance()
  }

  /// Creates a reader of a sorted run in memory.
  init(_ run: SortRun) throws {
    rest = .lines(run, from: run.start)
    try advance()
  }

  /// Reads the next line.
  func advance() throws {
    if position < block.count { return readLine() }
    switch rest {
    case .blocks(let file, let range):
      guard !range.isEmpty else {
        isAtEnd = true
        return
      }
      rest = .blocks(
        file, try file.readBlock(at: range.lowerBound, into: block)..<range.upperBound)
      position = 0
      readLine()
    case .lines(let run, let index):
      guard index < run.count else {
        isAtEnd = true
        return
      }
      (rank, name, line) = run[index]
      prefix = NamePrefix(name).bytes
      rest = .lines(run, from: index + 1)
    }
  }

  private func readLine() {
    let head = block.base + position
    rank = head.loadUnaligned(as: UInt32.self)
    let nameCount = Int(head.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    let lineCount = Int(head.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    let place = Int(head.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
    let start = head + SpoolFile.lineHeadSize
    line = UnsafeRawBufferPointer(start: start, count: lineCount)
    name = UnsafeRawBufferPointer(start: start + place, count: nameCount)
    prefix = NamePrefix(name).bytes
    position += SpoolFile.lineHeadSize + lineCount + (place == lineCount ? nameCount : 0)
  }

  /// Whether its line comes before that of another run.
  func precedes(_ other: SpoolRun) -> Bool {
    if rank != other.rank { return rank < other.rank }
    if prefix != other.prefix { return prefix < other.prefix }
    return compareBytes(name, other.name) < 0
  }
}
