import RecordCoding

/// The verified content of a frame: whole lines, of which the last ends with a newline, too.
///
/// The bytes are valid only in the closure that receives them.
struct FrameContent {
  /// The location of the frame.
  let location: FrameLocation
  /// The lines with their newlines, followed by ``ByteBuffer/slack`` readable zero bytes.
  let bytes: UnsafeRawBufferPointer

  /// The frame's number, from 0.
  var index: Int { location.index }
  /// The lines, without their newlines.
  var lines: FrameLines { FrameLines(bytes) }
}
