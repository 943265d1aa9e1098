import RecordCoding

/// A frame's content, checked: whole lines, the last byte a newline.
///
/// The bytes are only valid in the closure that gets them.
struct FrameContent {
  /// Where the frame lies.
  let location: FrameLocation
  /// The lines with their newlines. After them, ``ByteBuffer/slack`` zero bytes may be read.
  let bytes: UnsafeRawBufferPointer

  /// The frame's number, from 0.
  var index: Int { location.index }
  /// The lines, without their newlines.
  var lines: FrameLines { FrameLines(bytes) }
}
