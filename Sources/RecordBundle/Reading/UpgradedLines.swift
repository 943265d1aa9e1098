import RecordCoding

/// The lines of a frame of an older format version, as the current version has them.
struct UpgradedLines {
  /// Where each line lies in ``buffer``, or what is wrong with it.
  private var lines: [Result<Range<Int>, BundleError>] = []
  private let buffer: ByteBuffer

  /// - Parameter firstLine: the number of the frame's first line in the file.
  init(
    _ content: FrameContent, of file: BundleFile, firstLine: Int, with reader: RecordJSONReader
  ) {
    buffer = ByteBuffer(capacity: content.bytes.count)
    for line in content.lines {
      let place = LinePlace(source: file.name, line: firstLine + lines.count)
      let start = buffer.count
      do {
        try file.upgrade.append(
          line, from: file.header.formatVersion, at: place, with: reader, to: buffer)
        lines.append(.success(start..<buffer.count))
        buffer.append(UInt8(ascii: "\n"))
      } catch {
        buffer.truncate(to: start)
        lines.append(
          .failure(error as? BundleError ?? place.error(.malformed, "\(error)")))
      }
    }
    buffer.padWithZeros()
  }

  /// The line at a place, or what is wrong with it.
  subscript(index: Int) -> Result<UnsafeRawBufferPointer, BundleError> {
    lines[index].map { UnsafeRawBufferPointer(rebasing: buffer.bytes[$0]) }
  }

  var indices: Range<Int> { lines.indices }
}
