import RecordModel

/// The parts of a canonical record dictionary that is not decoded: ranges of memory that another
/// object owns.
struct RecordParts {
  unowned(unsafe) let envelope: RecordEnvelope
  unowned(unsafe) let shape: RecordShape
  let layout: CanonicalScanner.RecordLayout
  /// The dictionary after its first brace; all offsets are relative to it.
  let body: UnsafeRawBufferPointer
  /// The start (high half) and end (low half) of each field's value, including the members that
  /// follow it.
  let values: UnsafeBufferPointer<UInt64>
  /// The fields of the shape.
  let entries: UnsafeBufferPointer<RecordShape.Entry>

  init(
    envelope: RecordEnvelope, shape: RecordShape, layout: CanonicalScanner.RecordLayout,
    body: UnsafeRawBufferPointer, values: UnsafeBufferPointer<UInt64>
  ) {
    self.envelope = envelope
    self.shape = shape
    self.layout = layout
    self.body = body
    self.values = values
    entries = shape.entries
  }

  /// The place of a field's value, including the members that follow it.
  func place(ofValue index: Int) -> Range<Int> {
    let place = values[index]
    return Int(place &>> 32)..<Int(place & 0xFFFF_FFFF)
  }

  /// Decodes the value of a field.
  func value(at index: Int) -> RecordValue {
    let bytes = UnsafeRawBufferPointer(rebasing: body[place(ofValue: index)])
    var decoder = CanonicalDecoder(bytes, zoneID: envelope.zoneID)
    return decoder.value(entries[index].type, named: entries[index].typeName)
  }
}
