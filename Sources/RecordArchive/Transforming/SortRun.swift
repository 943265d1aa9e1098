import RecordBundle
import RecordCoding
import RecordModel

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
