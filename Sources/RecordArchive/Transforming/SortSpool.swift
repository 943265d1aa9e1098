import Foundation
import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform

/// Sorts lines by a rank and a name, in bounded memory: what exceeds it is sorted in runs, which
/// lie compressed in temporary files and are merged.
///
/// While a run is sorted and written on a thread of its own, the next one is collected.
final class SortSpool {
  private let limit: Int
  private let levels: SpoolLevels
  private let background: BackgroundWork?
  private var run = SortRun()
  private var otherRun = SortRun()
  private var isSpilled = false

  /// - Parameters:
  ///   - limit: The number of bytes of lines to keep in memory.
  ///   - maxRuns: The number of runs in a file before they are merged into one.
  ///   - threads: 1 to write runs on the caller's thread.
  ///   - makePath: Returns the path of a temporary file, which is created when it is needed; by
  ///     default, one in a folder that is removed with the spool.
  init(
    limit: Int = 64 << 20, maxRuns: Int = 64, threads: Int,
    makePath: @escaping @Sendable () throws -> String = SpoolFolder().nextFile
  ) {
    self.limit = limit
    levels = SpoolLevels(maxRuns: maxRuns, makePath)
    background = threads > 1 ? BackgroundWork(name: "recordpack.sort") : nil
  }

  deinit { try? background?.wait() }

  /// Adds lines.
  ///
  /// - Parameter release: Called, on any thread, when they are not needed any more.
  func add(_ lines: UnsortedLines, release: @escaping @Sendable () -> Void) throws {
    // One run is collected while another is written.
    if run.size + lines.buffer.count > limit / 2, !run.isEmpty { try spill() }
    run.add(lines, release: release)
  }

  /// Writes the lines in memory to a file, as one run.
  private func spill() throws {
    isSpilled = true
    try background?.wait()
    let full = run
    let write = { @Sendable [levels] in try levels.write(full) }
    if let background { try background.start(write) } else { try write() }
    swap(&run, &otherRun)
  }

  /// Calls `body` with all lines in order, and removes them.
  func drain(
    _ body: (UInt32, _ name: UnsafeRawBufferPointer, _ line: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    defer {
      run.removeAll()
      otherRun.removeAll()
    }
    guard isSpilled else { return try run.removeAll(while: { true }, body) }
    // The last run, and what is not yet written of the one before, need no file.
    levels.stop()
    run.sort()
    try background?.wait()
    try levels.drain(with: [otherRun, run], body)
  }
}

/// A temporary folder that is created when it is needed.
private final class SpoolFolder: @unchecked Sendable {
  // Unchecked: one thread at a time uses it.
  private var folder: TemporaryFolder?
  private var count = 0

  @Sendable func nextFile() throws -> String {
    let folder = try self.folder ?? TemporaryFolder()
    self.folder = folder
    count += 1
    return folder.file("sorted-\(count)")
  }
}

/// Lines in memory, which are sorted together.
final class SortRun: @unchecked Sendable {
  // Unchecked: one thread at a time uses it.
  private struct Entry {
    var name: UnsafeRawBufferPointer
    var line: UnsafeRawBufferPointer
  }

  @exclusivity(unchecked) private var entries: [Entry] = []
  /// The order of the entries, once they are sorted.
  @exclusivity(unchecked) private var keys: [SortKey] = []
  private var spareKeys: [SortKey] = []
  /// The number of lines, in order, that were removed.
  @exclusivity(unchecked) private(set) var start = 0
  private var parts: [(lines: UnsortedLines, release: @Sendable () -> Void)] = []
  /// The size of the buffers in bytes.
  private(set) var size = 0

  var isEmpty: Bool { parts.isEmpty }

  /// Adds lines.
  ///
  /// - Parameter release: called when they are not needed any more.
  func add(_ lines: UnsortedLines, release: @escaping @Sendable () -> Void) {
    parts.append((lines, release))
    size += lines.buffer.count
  }

  /// Calls `body` with lines in order, and removes them, as long as a condition holds.
  ///
  /// Those that remain are sorted.
  func removeAll(
    while condition: () -> Bool,
    _ body: (UInt32, _ name: UnsafeRawBufferPointer, _ line: UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    sort()
    while start < keys.count {
      guard condition() else { return }
      let line = self[start]
      try body(line.rank, line.name, line.line)
      start += 1
    }
    removeAll()
  }

  /// The number of lines that were sorted, with those that were removed.
  var count: Int { keys.count }

  /// A sorted line, valid until ``removeAll()``.
  subscript(
    index: Int
  ) -> (rank: UInt32, name: UnsafeRawBufferPointer, line: UnsafeRawBufferPointer) {
    let key = keys[index]
    let entry = entries[Int(key.index)]
    return (key.rank, entry.name, entry.line)
  }

  /// Sorts the lines that were added.
  func sort() {
    let count = parts.reduce(0) { $0 + $1.lines.lines.count }
    entries.removeAll(keepingCapacity: true)
    entries.reserveCapacity(count)
    keys.removeAll(keepingCapacity: true)
    keys.reserveCapacity(count)
    for part in parts {
      let bytes = part.lines.buffer.bytes
      for line in part.lines.lines {
        keys.append(
          SortKey(prefix: line.prefix.bytes, rank: line.rank, index: UInt32(entries.count)))
        entries.append(
          Entry(
            name: UnsafeRawBufferPointer(rebasing: bytes[line.name]),
            line: UnsafeRawBufferPointer(rebasing: bytes[line.content])))
      }
    }
    if let first = keys.first, spareKeys.count < count {
      spareKeys = Array(repeating: first, count: count)
    }
    spareKeys.removeLast(spareKeys.count - count)
    SortKey.sort(&keys, &spareKeys)
    sortNames()
  }

  /// Sorts the lines of a rank whose names have the same prefix.
  private func sortNames() {
    var start = 0
    while start < keys.count {
      let first = keys[start]
      var end = start + 1
      while end < keys.count, keys[end].prefix == first.prefix, keys[end].rank == first.rank {
        end += 1
      }
      if end - start > 1 {
        keys[start..<end].sort { [entries] a, b in
          compareBytes(entries[Int(a.index)].name, entries[Int(b.index)].name) < 0
        }
      }
      start = end
    }
  }

  func removeAll() {
    entries.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    start = 0
    for part in parts { part.release() }
    parts.removeAll(keepingCapacity: true)
    size = 0
  }
}

/// What lines are sorted by: a rank, and the first bytes of a name.
struct SortKey {
  var prefix: UInt64
  var rank: UInt32
  /// The place of the line before it is sorted.
  var index: UInt32

  /// The bytes that decide the order, the last one first.
  private static let digitCount = 12

  @inline(__always)
  private func digit(_ place: Int) -> Int {
    Int(
      place < 8
        ? prefix &>> UInt64(place &* 8) & 0xFF
        : UInt64(rank &>> UInt32((place &- 8) &* 8) & 0xFF))
  }

  /// Sorts keys, digit by digit; those that are equal stay in their order.
  ///
  /// - Parameter spare: Memory for as many keys, with any content.
  static func sort(_ keys: inout [SortKey], _ spare: inout [SortKey]) {
    var counts = [Int](repeating: 0, count: digitCount * 256)
    for key in keys {
      for place in 0..<digitCount { counts[place &* 256 &+ key.digit(place)] &+= 1 }
    }
    for place in 0..<digitCount {
      // Where the next key with each digit goes.
      var ends = [Int](repeating: 0, count: 256)
      var sum = 0
      for digit in 0..<256 {
        ends[digit] = sum
        sum += counts[place * 256 + digit]
      }
      // Most digits of ranks are the same everywhere.
      guard let first = keys.first, counts[place * 256 + first.digit(place)] < keys.count else {
        continue
      }
      for key in keys {
        let digit = key.digit(place)
        spare[ends[digit]] = key
        ends[digit] &+= 1
      }
      swap(&keys, &spare)
    }
  }
}

/// The first eight bytes of a name as a big-endian number, and zeros behind a shorter one.
///
/// Of two names with different prefixes, the one with the smaller prefix comes first.
struct NamePrefix {
  let bytes: UInt64

  init(_ name: UnsafeRawBufferPointer) {
    if name.count >= 8 {
      bytes = UInt64(bigEndian: name.loadUnaligned(as: UInt64.self))
    } else {
      bytes = (0..<8).reduce(0) { $0 << 8 | ($1 < name.count ? UInt64(name[$1]) : 0) }
    }
  }
}

/// Lines that are to be sorted by a rank and a name.
final class UnsortedLines: @unchecked Sendable {
  // Unchecked: one thread at a time uses it.
  struct Line {
    var rank: UInt32
    var prefix: NamePrefix
    /// The place of the name in the buffer.
    var name: Range<Int>
    /// The place of the line in the buffer.
    var content: Range<Int>
  }

  /// The bytes of names and lines.
  let buffer = ByteBuffer()
  @exclusivity(unchecked) private(set) var lines: [Line] = []

  /// The capacity to keep; memory beyond it is freed.
  private static let keptCapacity = 8 << 20

  /// Adds a line of the buffer.
  func append(_ rank: UInt32, name: Range<Int>, content: Range<Int>) {
    let prefix = NamePrefix(UnsafeRawBufferPointer(rebasing: buffer.bytes[name]))
    lines.append(Line(rank: rank, prefix: prefix, name: name, content: content))
  }

  func removeAll() {
    buffer.reset(keeping: Self.keptCapacity)
    lines.removeAll(keepingCapacity: true)
  }
}
