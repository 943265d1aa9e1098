import RecordCoding

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
