import RecordModel

/// The canonical bytes that an editable record was loaded from.
///
/// The prefix and the entries are the same for all records with the same
/// ``EditableRecord/EditKey``. All other bytes differ between records. They are private: code copies
/// them unseen, or reads them with ``read(_:by:)``, which notes that on the record. What is asked of
/// them otherwise either has no effect on edits, or is noted in them: ``isPlainReference(at:)``.
struct RecordSource {
  private let parts: RecordParts

  init(_ parts: RecordParts) { self.parts = parts }

  var prefix: RecordPrefix { parts.prefix }
  var shape: RecordShape { parts.shape }
  var entries: UnsafeBufferPointer<RecordShape.Entry> { parts.entries }
  /// The places of the parts in the bytes.
  var layout: CanonicalReader.RecordLayout { parts.layout }
  /// The number of bytes after the first brace.
  var size: Int { parts.body.count }

  /// The place of a field's value, including the members that follow it.
  func value(_ index: Int) -> Range<Int> { parts.place(ofValue: index) }

  /// Returns bytes to read, and notes on `record` that its edits may depend on them.
  func read(_ range: Range<Int>, by record: EditableRecord) -> UnsafeRawBufferPointer {
    record.dependsOnValues = true
    return bytes(range)
  }

  /// Appends bytes as they are.
  func copy(_ range: Range<Int>, to buffer: ByteBuffer) { buffer.append(bytes(range)) }

  /// Appends a name of a JSON string as it reads.
  ///
  /// - Returns: false, without appending anything, if it contains escapes.
  func copyUnescaped(_ range: Range<Int>, to buffer: ByteBuffer) -> Bool {
    guard isUnescaped(range) else { return false }
    buffer.append(bytes(range))
    return true
  }

  /// Whether a JSON string reads as it is written. Edits do not depend on the answer.
  func isUnescaped(_ range: Range<Int>) -> Bool { !bytes(range).hasByte(UInt8(ascii: "\\")) }

  /// Whether the value of a field, a reference, has the form of a parent: to the record's own zone,
  /// without an action. Edits that depend on it note the field in
  /// ``RecordEdits/plainReferences``.
  func isPlainReference(at index: Int) -> Bool {
    var scanner = CanonicalReader(bytes(value(index)))
    return scanner.take("{\"recordName\":") && scanner.string() != nil
      && scanner.take(",\"action\":\"NONE\"}") && scanner.position == scanner.end
  }

  /// Whether a value that is a reference, or a list of them, may have a target whose name satisfies
  /// `test`. False is certain. Edits do not depend on the answer.
  ///
  /// - Parameter test: receives a name in UTF-8.
  func mayRefer(_ range: Range<Int>, where test: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    var scanner = CanonicalReader(bytes(range))
    let isList = scanner.take(0x5B)
    if isList, scanner.take(0x5D) { return false }
    repeat {
      guard scanner.take("{\"recordName\":"), let place = scanner.string() else { return true }
      let name = scanner.bytes(place)
      // A name with escapes does not read as it is written.
      if name.hasByte(UInt8(ascii: "\\")) || test(name) { return true }
      guard isList else { return false }
      if scanner.take(",\"zoneID\":"), scanner.zoneID() == nil { return true }
      guard scanner.take(",\"action\":"), scanner.string() != nil, scanner.take(0x7D) else {
        return true
      }
    } while scanner.take(0x2C)
    return false
  }

  private func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: parts.body[range])
  }
}
