import RecordModel

/// A record as its canonical JSON, in one block of memory with an index of its fields: a field is
/// decoded when it is asked for.
///
/// All bytes were checked by ``CanonicalScanner`` before, so decoding cannot fail.
///
/// Sendable because nothing changes once it is made.
final class LineStorage: RecordStorage, @unchecked Sendable {
  private let envelope: RecordEnvelope
  private let shape: RecordShape
  private let layout: CanonicalScanner.RecordLayout
  /// For each field, where its value begins (high half) and ends (low half), counted from behind
  /// the first brace; and then the bytes of the record dictionary.
  private let memory: UnsafeRawPointer
  private let byteCount: Int

  /// Copies a record out of checked bytes.
  init(_ parts: RecordParts) {
    envelope = parts.envelope
    shape = parts.shape
    layout = parts.layout
    let (body, values) = (parts.body, parts.values)
    byteCount = body.count + 1
    let indexSize = values.count * 8
    let memory = UnsafeMutableRawPointer.allocate(byteCount: indexSize + byteCount, alignment: 8)
    if let source = values.baseAddress { memory.copyMemory(from: source, byteCount: indexSize) }
    memory.storeBytes(of: UInt8(ascii: "{"), toByteOffset: indexSize, as: UInt8.self)
    if let source = body.baseAddress {
      (memory + indexSize + 1).copyMemory(from: source, byteCount: body.count)
    }
    self.memory = UnsafeRawPointer(memory)
  }

  deinit { memory.deallocate() }

  /// The bytes of the record dictionary.
  private var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: memory + shape.entries.count * 8, count: byteCount)
  }

  /// Where the parts of the record lie; valid as long as this object.
  var parts: RecordParts {
    RecordParts(
      envelope: envelope, shape: shape, layout: layout,
      body: UnsafeRawBufferPointer(rebasing: bytes.dropFirst()),
      values: UnsafeBufferPointer(
        start: memory.assumingMemoryBound(to: UInt64.self), count: shape.entries.count))
  }

  /// Some of the bytes behind the first brace, which all offsets count from.
  @inline(__always)
  private func body(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[(range.lowerBound + 1)..<(range.upperBound + 1)])
  }

  func withCanonicalBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R? {
    try withExtendedLifetime(self) { try body(bytes) }
  }

  var recordID: RecordID {
    withExtendedLifetime(self) {
      let text = body(layout.recordName)
      let name = PackedName(uuid: text) ?? PackedName(CanonicalDecoder.string(text))
      return RecordID(packedName: name, zoneID: envelope.zoneID)
    }
  }

  var values: ValueStorage? { nil }
  var recordType: String { envelope.recordType }
  var fieldCount: Int { shape.entries.count }
  func name(at index: Int) -> FieldName { shape.entries[index].name }
  func isEncrypted(at index: Int) -> Bool { shape.entries[index].isEncrypted }
  func valueType(at index: Int) -> ValueType? { shape.entries[index].type }
  func index(of name: String) -> Int? { shape.index(of: name) }

  func field(at index: Int) -> Field {
    // The bytes are this object's; without a closure, the result is made where it is wanted.
    defer { withExtendedLifetime(self) {} }
    let range = memory.load(fromByteOffset: index * 8, as: UInt64.self)
    var decoder = CanonicalDecoder(
      body(Int(range &>> 32)..<Int(range & 0xFFFF_FFFF)), zoneID: envelope.zoneID)
    let value = decoder.value(shape.entries[index].type, named: shape.entries[index].typeName)
    return Field(
      interned: shape.entries[index].name, value: value,
      isEncrypted: shape.entries[index].isEncrypted,
      // Nearly always nothing follows the value but the brace that ends the field.
      otherMembers: decoder.isAtEnd ? [] : decoder.members())
  }

  var systemFields: SystemFields {
    defer { withExtendedLifetime(self) {} }
    var decoder = CanonicalDecoder(body(layout.systemFields), zoneID: envelope.zoneID)
    return decoder.systemFields(
      recordID: recordID, recordType: envelope.recordType,
      otherMembers: layout.otherMembers.isEmpty ? [] : otherMembers)
  }

  private var otherMembers: OtherMembers {
    var decoder = CanonicalDecoder(body(layout.otherMembers), zoneID: envelope.zoneID)
    return decoder.members()
  }
}
