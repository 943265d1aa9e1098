import RecordCoding

/// The lines of a frame of an older format version, upgraded to the current version.
struct UpgradedLines {
  /// The range of each line in ``buffer``, or its error.
  private var lines: [Result<Range<Int>, BundleError>] = []
  private let buffer: ByteBuffer

  /// Upgrades all lines of a frame.
  /// - Parameter firstLine: the number of the frame's first line in the file.
  init(
    _ content: FrameContent, of file: BundleFile, firstLine: Int, with reader: RecordJSONReader
  ) {
    buffer = ByteBuffer(capacity: content.bytes.count)
    for line in content.lines {
      let place = LineLocation(source: file.name, line: firstLine + lines.count)
      let start = buffer.count
      do {
        try file.upgrade.append(
          line, from: file.header.formatVersion, at: place, with: reader, to: buffer)
        lines.append(.success(start..<buffer.count))
        buffer.append(UInt8(ascii: "\n"))
      } catch {
        buffer.setCount(start)
        lines.append(
          .failure(error as? BundleError ?? place.error(.malformed, "\(error)")))
      }
    }
    buffer.padWithZeros()
  }

  subscript(index: Int) -> Result<UnsafeRawBufferPointer, BundleError> {
    lines[index].map { UnsafeRawBufferPointer(rebasing: buffer.bytes[$0]) }
  }

  var indices: Range<Int> { lines.indices }
}
