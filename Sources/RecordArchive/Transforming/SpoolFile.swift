import CZstd
import Foundation
import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform
import Synchronization

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
    if descriptor < 0 { throw BundleError.system(errno, in: path, "create a temporary file") }
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
      throw BundleError.system(ENOMEM, in: path, "compress a temporary file")
    }
    withUnsafeBytes(of: (UInt64(size), UInt64(block.count))) { compressed.append($0) }
    compressed.setCount(Self.blockHeadSize + size)
    let failure = SystemCall.writeAll(compressed.bytes, to: descriptor)
    guard failure == 0 else {
      throw BundleError.system(
        failure, in: path,
        "write temporary files (set TMPDIR to a directory with more space)")
    }
    end += UInt64(compressed.count)
    block.reset(keeping: 4 * Self.blockSize)
  }

  /// Removes all runs.
  func removeAll() throws {
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw BundleError.system(errno, in: path, "write temporary files")
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
      throw BundleError.system(EIO, in: path, at: offset, "read \(size) bytes")
    }
    buffer.setCount(count)
    return place + UInt64(size)
  }

  private func read(at offset: UInt64, into bytes: UnsafeMutableRawBufferPointer) throws {
    let count = SystemCall.readAll(descriptor, at: offset, into: bytes)
    guard count == bytes.count else {
      throw BundleError.system(
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

/// Sorted runs in temporary files.
///
/// The runs of a file are merged into one run of the next file when there are too many, because
/// each needs memory while they are merged.
final class SpoolLevels: @unchecked Sendable {
  // Unchecked: one thread at a time uses it.
  private struct Level {
    let file: SpoolFile
    var runs: [Range<UInt64>] = []
  }

  private let maxRuns: Int
  private let makePath: @Sendable () throws -> String
  private var levels: [Level] = []
  /// Whether lines that are not written stay in memory.
  private let isStopped = Atomic(false)

  init(maxRuns: Int, _ makePath: @escaping @Sendable () throws -> String) {
    self.maxRuns = maxRuns
    self.makePath = makePath
  }

  /// Lets ``write(_:)``, on another thread, end soon.
  func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Writes lines as one run, and removes those that are written.
  func write(_ run: SortRun) throws {
    do {
      try write(to: 0) { file in
        try run.removeAll(while: { !isStopped.load(ordering: .relaxed) }, file.append)
      }
    } catch {
      run.removeAll()
      throw error
    }
    var index = 0
    while levels[index].runs.count >= maxRuns, !isStopped.load(ordering: .relaxed) {
      let level = levels[index]
      try write(to: index + 1) { file in try merge(level, file.append) }
      try level.file.removeAll()
      levels[index].runs = []
      index += 1
    }
  }

  private func write(to index: Int, _ body: (SpoolFile) throws -> Void) throws {
    if index == levels.count { levels.append(Level(file: try SpoolFile(path: makePath()))) }
    let file = levels[index].file
    let start = file.end
    try body(file)
    try file.finishBlock()
    levels[index].runs.append(start..<file.end)
  }

  /// Calls `body` with all lines in order, also those of sorted runs in memory, and removes those
  /// in files.
  func drain(
    with sorted: [SortRun],
    _ body: (UInt32, _ name: UnsafeRawBufferPointer, _ line: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    defer { levels = [] }
    var heap = RunHeap(try levels.flatMap(runs) + sorted.map(SpoolRun.init))
    try heap.forEach(body)
  }

  private func merge(
    _ level: Level,
    _ body: (UInt32, _ name: UnsafeRawBufferPointer, _ line: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var heap = RunHeap(try runs(of: level))
    try heap.forEach(body)
  }

  private func runs(of level: Level) throws -> [SpoolRun] {
    try level.runs.map { try SpoolRun(level.file, $0) }
  }
}

/// Runs by their next lines, the least one first.
private struct RunHeap {
  private var runs: [SpoolRun]

  init(_ runs: [SpoolRun]) {
    self.runs = runs.filter { !$0.isAtEnd }
    for index in stride(from: self.runs.count / 2 - 1, through: 0, by: -1) { sink(index) }
  }

  mutating func forEach(
    _ body: (UInt32, _ name: UnsafeRawBufferPointer, _ line: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    while let run = runs.first {
      try body(run.rank, run.name, run.line)
      try run.advance()
      if run.isAtEnd {
        runs.swapAt(0, runs.count - 1)
        runs.removeLast()
      }
      sink(0)
    }
  }

  private mutating func sink(_ start: Int) {
    var parent = start
    while true {
      let child = 2 * parent + 1
      guard child < runs.count else { return }
      let hasOther = child + 1 < runs.count
      let least = hasOther && runs[child + 1].precedes(runs[child]) ? child + 1 : child
      guard runs[least].precedes(runs[parent]) else { return }
      runs.swapAt(parent, least)
      parent = least
    }
  }
}
