import RecordCoding

/// The verified content of a frame: whole lines, of which the last ends with a newline, too.
///
/// The bytes are valid only in the closure that receives them.
struct FrameContent {
  let location: FrameLocation
  /// The lines with their newlines, followed by ``ByteBuffer/slack`` readable zero bytes.
  let bytes: UnsafeRawBufferPointer

  var index: Int { location.index }
  /// The lines, without their newlines.
  var lines: FrameLines { FrameLines(bytes) }
}
