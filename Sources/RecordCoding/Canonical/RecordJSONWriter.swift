import RecordModel

/// Writes records as canonical JSON.
///
/// A record that came from canonical bytes is copied; any other is encoded from its values. The
/// writer remembers what the records of a zone and type have in common, so one writer for many
/// records is faster than many. It belongs to one thread.
package final class RecordJSONWriter {
  private var envelope = RecordEnvelope(zoneID: .default, recordType: "")

  package init() {}

  /// Appends the record dictionary.
  ///
  /// - Throws: `RecordCodingError` for a number that is not finite, which JSON cannot hold; the
  ///   buffer is then as it was.
  package func write(_ record: ResultRecord, to buffer: ByteBuffer) throws {
    try write(record, opening: "{", to: buffer)
  }

  /// Appends the record line of a bundle, without the line feed.
  package func writeLine(
    _ record: ResultRecord, database: DatabaseScope, to buffer: ByteBuffer
  ) throws {
    let start = buffer.count
    buffer.append(RecordLine.opening(for: database))
    do {
      try write(record, opening: "", to: buffer)
    } catch {
      buffer.count = start
      throw error
    }
  }

  private func write(
    _ record: ResultRecord, opening: StaticString, to buffer: ByteBuffer
  ) throws {
    let start = buffer.count
    buffer.append(opening)
    let isCopied: Void? = record.storage.withCanonicalBytes {
      buffer.append(UnsafeRawBufferPointer(rebasing: $0.dropFirst()))
    }
    if isCopied != nil { return }
    guard let storage = record.storage as? ValueStorage else { return }
    do {
      try encode(storage, to: buffer)
    } catch {
      buffer.count = start
      throw error
    }
  }

  private func encode(_ storage: ValueStorage, to buffer: ByteBuffer) throws {
    let system = storage.systemFields
    let zoneID = system.recordID.zoneID
    if !envelope.zoneID.isIdentical(to: zoneID) || envelope.recordType != system.recordType {
      envelope = RecordEnvelope(zoneID: zoneID, recordType: system.recordType)
    }
    // The opening ends in the quote that the name brings too.
    buffer.append(envelope.opening)
    buffer.count &-= 1
    buffer.appendJSONName(system.recordID.packedName)
    if let tag = system.recordChangeTag {
      buffer.append(",\"recordChangeTag\":")
      buffer.appendJSONString(tag)
    }
    let values = ValueWriter(buffer: buffer, zoneID: zoneID)
    if let created = system.created {
      buffer.append(",\"created\":")
      try values.write(created)
    }
    if let modified = system.modified {
      buffer.append(",\"modified\":")
      try values.write(modified)
    }
    if let parent = system.parent {
      buffer.append(",\"parent\":")
      values.write(parent)
    }
    if let share = system.share {
      buffer.append(",\"share\":")
      values.write(share)
    }
    buffer.append(",\"fields\":{")
    for index in storage.fields.indices {
      if index != 0 { buffer.append(UInt8(ascii: ",")) }
      try values.write(storage.fields[index])
    }
    buffer.append("}")
    values.write(system.otherMembers)
    buffer.append("}")
  }
}

extension ByteBuffer {
  /// Appends a record's name as a JSON string.
  @inline(__always)
  func appendJSONName(_ name: PackedName) {
    switch name {
    case .upperUUID(let high, let low): appendUUID(high, low, letters: 0x37)
    case .lowerUUID(let high, let low): appendUUID(high, low, letters: 0x57)
    case .text(let text): appendJSONString(text)
    }
  }

  @inline(__always)
  private func appendUUID(_ high: UInt64, _ low: UInt64, letters: UInt8) {
    reserve(38)
    let target = base + count
    target.storeBytes(of: 0x22, as: UInt8.self)
    PackedName.write(high, low, letters: letters, to: target + 1)
    target.storeBytes(of: 0x22, toByteOffset: 37, as: UInt8.self)
    count &+= 38
  }
}
