import RecordCoding
import RecordModel

/// The lines of one frame of a bundle. Valid only in the closure that gets it.
package struct BundleFrame {
  let file: BundleFile
  let content: FrameContent
  /// Reads the frame's records; nobody else uses it meanwhile.
  package let reader: RecordJSONReader

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
    try BundleItem(line: line, at: LinePlace(source: file.name, line: number), with: reader)
  }

  /// The error for what is wrong with a line.
  package func error(_ kind: BundleError.Kind, line: Int, _ message: String) -> BundleError {
    BundleError(kind, in: file.name, line: line, message)
  }
}
