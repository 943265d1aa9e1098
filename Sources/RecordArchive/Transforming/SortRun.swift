import RecordBundle
import RecordCoding
import RecordModel

/// Lines in memory, which are sorted together.
final class SortRun: @unchecked Sendable {
  // Unchecked: one thread at a time uses it.
  private struct Entry {
    var rank: UInt32
    var nameCount: UInt32
    /// The first eight bytes of the name as a big-endian number.
    var prefix: UInt64
    var name: UnsafeRawPointer
    var line: UnsafeRawBufferPointer

    var nameBytes: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: name, count: Int(nameCount))
    }
  }

  private var entries: [Entry] = []
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

  /// Calls `body` with all lines in order.
  func forEach(
    _ body: (UInt32, _ name: UnsafeRawBufferPointer, _ line: UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    sort()
    for entry in entries { try body(entry.rank, entry.nameBytes, entry.line) }
  }

  /// The number of lines that were sorted.
  var count: Int { entries.count }

  /// A sorted line, valid until ``removeAll()``.
  subscript(
    index: Int
  ) -> (rank: UInt32, name: UnsafeRawBufferPointer, line: UnsafeRawBufferPointer) {
    (entries[index].rank, entries[index].nameBytes, entries[index].line)
  }

  /// Sorts the lines that were added.
  func sort() {
    entries.removeAll(keepingCapacity: true)
    entries.reserveCapacity(parts.reduce(0) { $0 + $1.lines.lines.count })
    for part in parts {
      let bytes = part.lines.buffer.bytes
      for line in part.lines.lines {
        let name = UnsafeRawBufferPointer(rebasing: bytes[line.name])
        entries.append(
          Entry(
            rank: line.rank, nameCount: UInt32(name.count), prefix: Self.prefix(of: name),
            name: UnsafeRawPointer(part.lines.buffer.base) + line.name.lowerBound,
            line: UnsafeRawBufferPointer(rebasing: bytes[line.content])))
      }
    }
    entries.sort { a, b in
      if a.rank != b.rank { return a.rank < b.rank }
      if a.prefix != b.prefix { return a.prefix < b.prefix }
      return compareBytes(a.nameBytes, b.nameBytes) < 0
    }
  }

  private static func prefix(of name: UnsafeRawBufferPointer) -> UInt64 {
    if name.count >= 8 { return UInt64(bigEndian: name.loadUnaligned(as: UInt64.self)) }
    var prefix: UInt64 = 0
    for index in 0..<8 { prefix = prefix << 8 | (index < name.count ? UInt64(name[index]) : 0) }
    return prefix
  }

  func removeAll() {
    entries.removeAll(keepingCapacity: true)
    for part in parts { part.release() }
    parts.removeAll(keepingCapacity: true)
    size = 0
  }
}
