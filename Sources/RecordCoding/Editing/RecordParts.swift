import RecordModel

/// A canonical record dictionary, taken apart but not decoded: where its parts lie in memory that
/// somebody else keeps, as long as that somebody says.
struct RecordParts {
  unowned(unsafe) let envelope: RecordEnvelope
  unowned(unsafe) let shape: RecordShape
  let layout: CanonicalScanner.RecordLayout
  /// The dictionary without its first brace; all offsets count from here.
  let body: UnsafeRawBufferPointer
  /// Where each field's value begins (high half) and ends (low half). Members that follow the value
  /// are part of it.
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
}
