import Foundation
import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform

/// Sorts lines by a number and a name, in bounded memory: what exceeds it is sorted in runs, which
/// lie in a temporary file and are merged.
final class SortSpool {
  private struct Entry {
    var rank: UInt32
    var nameCount: UInt32
    /// The first eight bytes of the name as a big-endian number.
    var prefix: UInt64
    /// Where the name begins in the buffer; the line follows it.
    var offset: Int
    var lineCount: Int

    func name(in buffer: ByteBuffer) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: buffer.base + offset, count: Int(nameCount))
    }

    func line(in buffer: ByteBuffer) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: buffer.base + offset + Int(nameCount), count: lineCount)
    }
  }

  private let limit: Int
  private let makePath: () throws -> String
  private let buffer = ByteBuffer()
  private var entries: [Entry] = []
  private var file: SpoolFile?
  private var runs: [Range<UInt64>] = []

  /// - Parameters:
  ///   - limit: The number of bytes of lines to keep in memory.
  ///   - makePath: Returns the path of a temporary file, which is created when it is needed.
  init(limit: Int = 64 << 20, makePath: @escaping () throws -> String) {
    self.limit = limit
    self.makePath = makePath
  }

  /// Adds a line.
  func add(
    rank: UInt32, name: UnsafeRawBufferPointer, line: UnsafeRawBufferPointer
  ) throws {
    if buffer.count + name.count + line.count > limit, !entries.isEmpty { try spill() }
    entries.append(
      Entry(
        rank: rank, nameCount: UInt32(name.count), prefix: Self.prefix(of: name),
        offset: buffer.count, lineCount: line.count))
    buffer.append(name)
    buffer.append(line)
  }

  private static func prefix(of name: UnsafeRawBufferPointer) -> UInt64 {
    if name.count >= 8 { return UInt64(bigEndian: name.loadUnaligned(as: UInt64.self)) }
    var prefix: UInt64 = 0
    for index in 0..<8 { prefix = prefix << 8 | (index < name.count ? UInt64(name[index]) : 0) }
    return prefix
  }

  private func sort() {
    entries.sort { a, b in
      if a.rank != b.rank { return a.rank < b.rank }
      if a.prefix != b.prefix { return a.prefix < b.prefix }
      return compareBytes(a.name(in: buffer), b.name(in: buffer)) < 0
    }
  }

  /// Writes the lines in memory to the file, as one run.
  private func spill() throws {
    sort()
    let file = try self.file ?? SpoolFile(path: makePath())
    self.file = file
    let start = file.end
    for entry in entries {
      try file.append(entry.rank, entry.name(in: buffer), entry.line(in: buffer))
    }
    try file.flush()
    runs.append(start..<file.end)
    entries.removeAll(keepingCapacity: true)
    buffer.reset()
  }

  /// Calls `body` with all lines in order, and removes them.
  func drain(
    _ body: (UInt32, _ name: UnsafeRawBufferPointer, _ line: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    defer {
      entries = []
      buffer.reset(keeping: 0)
      runs = []
    }
    guard let file else {
      sort()
      for entry in entries {
        try body(entry.rank, entry.name(in: buffer), entry.line(in: buffer))
      }
      return
    }
    if !entries.isEmpty { try spill() }
    var heap = RunHeap(try runs.map { try SpoolRun(file, $0) })
    while let run = heap.first {
      try body(run.rank, run.name, run.line)
      try heap.advance()
    }
  }
}

/// The runs by their next lines, the least one first.
private struct RunHeap {
  private var runs: [SpoolRun]

  init(_ runs: [SpoolRun]) {
    self.runs = runs.filter { !$0.isAtEnd }
    for index in stride(from: self.runs.count / 2 - 1, through: 0, by: -1) { sink(index) }
  }

  var first: SpoolRun? { runs.first }

  mutating func advance() throws {
    try runs[0].advance()
    if runs[0].isAtEnd {
      runs.swapAt(0, runs.count - 1)
      runs.removeLast()
    }
    sink(0)
  }

  private mutating func sink(_ start: Int) {
    var parent = start
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < runs.count && runs[child].precedes(runs[least]) {
        least = child
      }
      if least == parent { return }
      runs.swapAt(parent, least)
      parent = least
    }
  }
}
