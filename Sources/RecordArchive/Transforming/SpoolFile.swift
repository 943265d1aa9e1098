import Foundation
import RecordCoding
import RecordCompression
import RecordModel
import RecordPlatform

/// A temporary file of sorted runs, in compressed blocks. Each line follows the number of its
/// section, the lengths of its name and of itself, and the place of its name. The name follows the
/// line unless it is a part of it. Only its owner can read the file.
final class SpoolFile: @unchecked Sendable {
  // Unchecked: one thread at a time uses it.
  fileprivate static let lineHeadSize = 24
  /// The sizes of a compressed block and of its content.
  private static let blockHeadSize = 16
  fileprivate static let blockSize = 256 << 10
  /// On lines of replaced records 2.4 times as fast as level 1, for three quarters more bytes.
  private static let level = -10

  private let path: String
  private let descriptor: Int32
  private let block = ByteBuffer()
  private let compressed = ByteBuffer()
  private let compressor: ZstdCompressor
  private let decompressor: ZstdDecompressor
  /// Where the next block begins.
  private var end: UInt64 = 0
  private var ranges: [Range<UInt64>] = []

  init(path: String) throws {
    guard let compressor = ZstdCompressor(), let decompressor = ZstdDecompressor() else {
      throw ArchiveError.temporaryFile("\(path): out of memory for compression")
    }
    try? compressor.set(.level, to: Self.level)
    (self.compressor, self.decompressor) = (compressor, decompressor)
    self.path = path
    descriptor = SystemCall.createExclusively(path)
    if descriptor < 0 { throw failure(errno, "create a temporary file") }
  }

  deinit { close(descriptor) }

  private func failure(_ number: Int32, _ action: String) -> ArchiveError {
    .temporaryFile("\(path): \(SystemError(number, action))")
  }

  /// The runs, in the order in which they were written.
  var runs: [(file: SpoolFile, range: Range<UInt64>)] { ranges.map { (self, $0) } }

  /// Writes a sorted run.
  func write(_ run: SortRun) throws {
    let start = end
    for line in run.lines {
      let content = line.content
      let isInside =
        line.name.lowerBound >= content.lowerBound && line.name.upperBound <= content.upperBound
      let place = isInside ? line.name.lowerBound - content.lowerBound : content.count
      withUnsafeBytes(
        of: (UInt32(line.section), UInt32(line.name.count), UInt64(content.count), UInt64(place))
      ) { block.append($0) }
      block.append(run.bytes(content))
      if !isInside { block.append(run.bytes(line.name)) }
      if block.count >= Self.blockSize { try finishBlock() }
    }
    try finishBlock()
    ranges.append(start..<end)
  }

  private func finishBlock() throws {
    guard block.count > 0 else { return }
    let bound = ZstdCompressor.bound(of: block.count)
    compressed.reset(keeping: bound)
    compressed.reserve(Self.blockHeadSize + bound)
    guard
      let size = try? compressor.compress(
        block.bytes, into: compressed.base + Self.blockHeadSize)
    else { throw failure(ENOMEM, "compress a temporary file") }
    withUnsafeBytes(of: (UInt64(size), UInt64(block.count))) { compressed.append($0) }
    compressed.setCount(Self.blockHeadSize + size)
    let number = SystemCall.writeAll(compressed.bytes, to: descriptor)
    guard number == 0 else { throw failure(number, TemporaryFolder.writingAction) }
    end += UInt64(compressed.count)
    block.reset(keeping: 4 * Self.blockSize)
  }

  /// Replaces the content of a buffer with a block.
  ///
  /// - Returns: Where the next block begins.
  fileprivate func readBlock(at offset: UInt64, into buffer: ByteBuffer) throws -> UInt64 {
    var sizes: (UInt64, UInt64) = (0, 0)
    try withUnsafeMutableBytes(of: &sizes) { try read(at: offset, into: $0) }
    let (size, count) = (Int(sizes.0), Int(sizes.1))
    compressed.reset()
    compressed.reserve(size)
    let place = offset + UInt64(Self.blockHeadSize)
    try read(
      at: place, into: UnsafeMutableRawBufferPointer(start: compressed.base, count: size))
    buffer.reset(keeping: max(count, 4 * Self.blockSize))
    buffer.reserve(count)
    let found = try? decompressor.decompress(
      UnsafeRawBufferPointer(start: compressed.base, count: size),
      into: UnsafeMutableRawBufferPointer(start: buffer.base, count: count))
    guard found == count else { throw failure(EIO, "read a temporary file") }
    buffer.setCount(count)
    return place + UInt64(size)
  }

  private func read(at offset: UInt64, into bytes: UnsafeMutableRawBufferPointer) throws {
    let count = SystemCall.readAll(descriptor, at: offset, into: bytes)
    guard count == bytes.count else {
      throw failure(count < 0 ? errno : EIO, "read a temporary file")
    }
  }
}

/// Reads the lines of one run.
final class SortedRun {
  /// The lines after the current one.
  enum Rest {
    case blocks(SpoolFile, Range<UInt64>)
    case lines(SortRun, from: Int)
  }

  private var rest: Rest
  private let block = ByteBuffer()
  private var position = 0
  private(set) var section = 0
  private var prefix: UInt64 = 0
  private(set) var name = UnsafeRawBufferPointer(start: nil, count: 0)
  private(set) var line = UnsafeRawBufferPointer(start: nil, count: 0)
  private(set) var isAtEnd = false

  init(_ rest: Rest) throws {
    self.rest = rest
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
      guard index < run.lines.count else {
        isAtEnd = true
        return
      }
      let next = run.lines[index]
      (section, prefix) = (next.section, next.prefix)
      (name, line) = (run.bytes(next.name), run.bytes(next.content))
      rest = .lines(run, from: index + 1)
    }
  }

  private func readLine() {
    let head = block.base + position
    section = Int(head.loadUnaligned(as: UInt32.self))
    let nameCount = Int(head.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    let lineCount = Int(head.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    let place = Int(head.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
    let start = head + SpoolFile.lineHeadSize
    line = UnsafeRawBufferPointer(start: start, count: lineCount)
    name = UnsafeRawBufferPointer(start: start + place, count: nameCount)
    prefix = SortRun.prefix(of: name)
    position += SpoolFile.lineHeadSize + lineCount + (place == lineCount ? nameCount : 0)
  }

  /// Whether its line comes before that of another run.
  func precedes(_ other: SortedRun, _ ranks: [Int]) -> Bool {
    if section != other.section { return ranks[section] < ranks[other.section] }
    if prefix != other.prefix { return prefix < other.prefix }
    return compareBytes(name, other.name) < 0
  }
}
