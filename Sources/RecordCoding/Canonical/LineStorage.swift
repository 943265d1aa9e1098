import RecordModel

/// A record as canonical JSON in one block of memory, with an index of its fields. Accessing a
/// field decodes it.
///
/// ``CanonicalReader`` has checked all bytes, so reading a value cannot fail.
///
/// `Sendable` is unchecked: storage is immutable.
final class LineStorage: RecordStorage, @unchecked Sendable {
  private let prefix: RecordPrefix
  private let shape: RecordShape
  private let layout: CanonicalReader.RecordLayout
  /// The index, with the start (high half) and end (low half) of each field's value, followed by
  /// the bytes of the record dictionary. Offsets are relative to the byte after the first brace.
  private let memory: UnsafeRawPointer
  private let byteCount: Int

  /// Copies a record from checked bytes.
  init(_ parts: RecordParts) {
    prefix = parts.prefix
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

  /// The ranges of the record's parts; valid during the lifetime of this object.
  var parts: RecordParts {
    RecordParts(
      prefix: prefix, shape: shape, layout: layout,
      body: UnsafeRawBufferPointer(rebasing: bytes.dropFirst()),
      values: UnsafeBufferPointer(
        start: memory.assumingMemoryBound(to: UInt64.self), count: shape.entries.count))
  }

  /// Returns a range of the bytes after the first brace.
  @inline(__always)
  private func body(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[(range.lowerBound + 1)..<(range.upperBound + 1)])
  }

  func withCanonicalBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R? {
    try withExtendedLifetime(self) { try body(bytes) }
  }

  var recordID: RecordID {
    withExtendedLifetime(self) {
      let name = CanonicalReader.compactName(body(layout.recordName))
      return RecordID(packedName: name, zoneID: prefix.zoneID)
    }
  }

  func hasName(_ name: UnsafeRawBufferPointer) -> Bool {
    defer { withExtendedLifetime(self) {} }
    let written = body(layout.recordName)
    guard written.hasByte(0x5C) else { return compareBytes(written, name) == 0 }
    return recordID.withUTF8RecordName { compareBytes($0, name) == 0 }
  }

  var values: ValueStorage? { nil }
  var zoneID: ZoneID { prefix.zoneID }
  var recordType: String { prefix.recordType }
  var fieldCount: Int { shape.entries.count }
  func name(at index: Int) -> FieldName { shape.entries[index].name }
  func isEncrypted(at index: Int) -> Bool { shape.entries[index].isEncrypted }
  func valueType(at index: Int) -> ValueType? { shape.entries[index].type }
  func index(of name: String) -> Int? { shape.index(of: name) }

  func field(at index: Int) -> Field {
    // Not `withExtendedLifetime` around a closure: this way, the result is created in place.
    defer { withExtendedLifetime(self) {} }
    let range = memory.load(fromByteOffset: index * 8, as: UInt64.self)
    var reader = CanonicalReader(body(Int(range &>> 32)..<Int(range & 0xFFFF_FFFF)))
    let value = reader.value(
      shape.entries[index].type, named: shape.entries[index].typeName, in: prefix)
    assert(value != nil, "the bytes were checked before")
    return Field(
      interned: shape.entries[index].name, value: value ?? .emptyList,
      isEncrypted: shape.entries[index].isEncrypted,
      // Usually, only the brace that ends the field follows the value.
      otherMembers: reader.isAtEnd ? [] : reader.members())
  }

  var systemFields: SystemFields {
    defer { withExtendedLifetime(self) {} }
    var reader = CanonicalReader(body(layout.systemFields))
    return reader.systemFieldValues(of: recordID, in: prefix, otherMembers: otherMembers)
  }

  var recordChangeTag: String? {
    guard layout.hasChangeTag else { return nil }
    return withExtendedLifetime(self) { CanonicalReader.string(body(layout.changeTag)) }
  }

  var created: RecordStamp? {
    defer { withExtendedLifetime(self) {} }
    var reader = CanonicalReader(body(layout.systemFields))
    return reader.createdValue()
  }

  var modified: RecordStamp? {
    defer { withExtendedLifetime(self) {} }
    var reader = CanonicalReader(body(layout.systemFields))
    return reader.modifiedValue()
  }

  var parent: Reference? { reference(layout.parent, after: ",\"parent\":") }
  var share: Reference? { reference(layout.share, after: ",\"share\":") }

  private func reference(_ member: Range<Int>, after name: StaticString) -> Reference? {
    guard !member.isEmpty else { return nil }
    defer { withExtendedLifetime(self) {} }
    let start = member.lowerBound + name.utf8CodeUnitCount
    var reader = CanonicalReader(body(start..<member.upperBound))
    return reader.referenceValue(in: prefix)
  }

  var otherMembers: OtherMembers {
    guard !layout.otherMembers.isEmpty else { return [] }
    defer { withExtendedLifetime(self) {} }
    var reader = CanonicalReader(body(layout.otherMembers))
    return reader.members()
  }
}

/// The parts of a canonical record dictionary that is not decoded: ranges of memory that another
/// object owns.
struct RecordParts {
  unowned(unsafe) let prefix: RecordPrefix
  unowned(unsafe) let shape: RecordShape
  let layout: CanonicalReader.RecordLayout
  /// The dictionary after its first brace; all offsets are relative to it.
  let body: UnsafeRawBufferPointer
  /// The start (high half) and end (low half) of each field's value, including the members that
  /// follow it.
  let values: UnsafeBufferPointer<UInt64>
  /// The fields of the shape.
  let entries: UnsafeBufferPointer<RecordShape.Entry>

  init(
    prefix: RecordPrefix, shape: RecordShape, layout: CanonicalReader.RecordLayout,
    body: UnsafeRawBufferPointer, values: UnsafeBufferPointer<UInt64>
  ) {
    self.prefix = prefix
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
    var reader = CanonicalReader(
      UnsafeRawBufferPointer(rebasing: body[place(ofValue: index)]))
    return reader.value(entries[index].type, named: entries[index].typeName, in: prefix)
      ?? .emptyList
  }
}
