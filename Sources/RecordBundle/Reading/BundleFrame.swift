import RecordCoding
import RecordModel

/// The lines of one frame of a bundle. Valid only in the closure that gets it.
package struct BundleFrame {
  let file: BundleFile
  let content: FrameContent
  /// Reads the frame's records; nobody else uses it meanwhile.
  package let reader: RecordJSONReader

  /// What errors call the file.
  package var source: String { file.name }

  /// Bytes of the lines.
  package var size: Int { content.bytes.count }

  /// Calls `body` with each line and its number in the file.
  @inline(__always)
  package func forEachLine(_ body: (UnsafeRawBufferPointer, Int) throws -> Void) throws {
    var number = file.place(frame: content.index, line: 0).line
    for line in content.lines {
      try body(line, number)
      number += 1
    }
  }

  /// Reads a line; nil for the header and the index.
  package func item(_ line: UnsafeRawBufferPointer, number: Int) throws -> BundleItem? {
    let place = LinePlace(source: file.name, line: number)
    let version = file.header.formatVersion
    guard version < BundleHeader.currentFormatVersion else {
      return try BundleItem(line: line, at: place, with: reader)
    }
    let old = try place.naming { try JSONParser.parse(line) }
    let buffer = ByteBuffer()
    try FormatUpgrade.upgraded(old, from: version).write(to: buffer)
    return try BundleItem(line: buffer.bytes, at: place, with: reader)
  }
}
