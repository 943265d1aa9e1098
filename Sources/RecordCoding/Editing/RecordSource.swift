import RecordModel

/// The canonical bytes that an editable record was loaded from.
///
/// The envelope and the entries are the same for all records with the same
/// ``EditableRecord/Outline``. All other bytes differ between records. They are private: code copies
/// them unseen, or reads them with ``read(_:by:)``, which notes that on the record.
struct RecordSource {
  private let parts: RecordParts

  init(_ parts: RecordParts) { self.parts = parts }

  var envelope: RecordEnvelope { parts.envelope }
  var shape: RecordShape { parts.shape }
  var entries: UnsafeBufferPointer<RecordShape.Entry> { parts.entries }
  /// The places of the parts in the bytes.
  var layout: CanonicalScanner.RecordLayout { parts.layout }
  /// The number of bytes after the first brace.
  var size: Int { parts.body.count }

  /// The place of a field's value, including the members that follow it.
  func value(_ index: Int) -> Range<Int> {
    let place = parts.values[index]
    return Int(place &>> 32)..<Int(place & 0xFFFF_FFFF)
  }

  /// Returns bytes to read, and notes on `record` that its edits may depend on them.
  func read(_ range: Range<Int>, by record: EditableRecord) -> UnsafeRawBufferPointer {
    record.didReadValues = true
    return bytes(range)
  }

  /// Appends bytes as they are.
  func copy(_ range: Range<Int>, to buffer: ByteBuffer) { buffer.append(bytes(range)) }

  /// Appends a name of a JSON string as it reads.
  ///
  /// - Returns: false, without appending anything, if it contains escapes.
  func copyUnescaped(_ range: Range<Int>, to buffer: ByteBuffer) -> Bool {
    let text = bytes(range)
    guard !text.contains(UInt8(ascii: "\\")) else { return false }
    buffer.append(text)
    return true
  }

  /// Whether a reference has the form of a parent: to the record's own zone, without an action.
  func isPlainReference(_ range: Range<Int>) -> Bool {
    var scanner = CanonicalScanner(bytes(range))
    return scanner.take("{\"recordName\":") && scanner.string() != nil
      && scanner.take(",\"action\":\"NONE\"}") && scanner.position == scanner.end
  }

  private func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: parts.body[range])
  }
}
