import RecordModel

extension EditableRecord {
  /// Whether the record is what it came as.
  package var isAsItCame: Bool {
    !hasNewOpening && !hasNewFields && !hasNewParent && !hasNewShare
  }

  /// Appends the record as its canonical dictionary.
  ///
  /// - Throws: `RecordCodingError` for a number that is not finite; the buffer is then as it was.
  package func write(to buffer: ByteBuffer) throws {
    guard let parts else { return try writer.write(resultRecord, to: buffer) }
    let start = buffer.count
    buffer.append(UInt8(ascii: "{"))
    guard !isAsItCame else { return buffer.append(parts.body) }
    do {
      try writeParts(parts, to: buffer)
    } catch {
      buffer.count = start
      throw error
    }
  }

  private func writeParts(_ parts: RecordParts, to buffer: ByteBuffer) throws {
    let layout = parts.layout
    if hasNewOpening {
      writeOpening(to: buffer)
      buffer.append(bytes(layout.systemFields.lowerBound..<layout.parent.lowerBound))
    } else {
      buffer.append(bytes(0..<layout.parent.lowerBound))
    }
    let values = ValueWriter(buffer: buffer, zoneID: zoneID)
    if hasNewParent {
      if let parent { values.write(member: ",\"parent\":", parent) }
    } else {
      buffer.append(bytes(layout.parent))
    }
    if hasNewShare {
      if let share { values.write(member: ",\"share\":", share) }
    } else {
      buffer.append(bytes(layout.share))
    }
    if hasNewFields {
      buffer.append(",\"fields\":{")
      try writeFields(parts, values, to: buffer)
      buffer.append(UInt8(ascii: "}"))
      buffer.append(bytes(layout.otherMembers))
      buffer.append(UInt8(ascii: "}"))
    } else {
      buffer.append(bytes(layout.share.upperBound..<parts.body.count))
    }
  }

  private func writeOpening(to buffer: ByteBuffer) {
    let known: RecordEnvelope
    if let targetEnvelope, targetEnvelope.recordType == recordType,
      targetEnvelope.zoneID.isIdentical(to: zoneID)
    {
      known = targetEnvelope
    } else {
      known = RecordEnvelope(zoneID: zoneID, recordType: recordType)
      targetEnvelope = known
    }
    // The opening ends in the quote that the name brings too.
    buffer.append(known.opening)
    buffer.count &-= 1
    buffer.appendJSONName(packedName)
  }

  private func writeFields(
    _ parts: RecordParts, _ values: ValueWriter, to buffer: ByteBuffer
  ) throws {
    /// Fields that follow each other as they did in the source, and are copied in one go.
    var run = 0..<0
    for index in slots.indices {
      let slot = slots[index]
      if slot.isAsItCame, let source = slot.source {
        let range = parts.values[source]
        let start = Int(range &>> 32) &- parts.entries[source].openingLength
        let end = Int(range & 0xFFFF_FFFF) &+ 1
        if !run.isEmpty, run.upperBound == start &- 1 {
          run = run.lowerBound..<end
        } else {
          flush(&run, to: buffer)
          if index != 0 { buffer.append(UInt8(ascii: ",")) }
          run = start..<end
        }
        continue
      }
      flush(&run, to: buffer)
      if index != 0 { buffer.append(UInt8(ascii: ",")) }
      if let place = slot.made {
        try made.withUnsafeBufferPointer { fields in
          guard let first = fields.baseAddress else { return }
          try values.write(first + place)
        }
      } else {
        write(slot, parts, to: buffer)
      }
    }
    flush(&run, to: buffer)
  }

  private func flush(_ run: inout Range<Int>, to buffer: ByteBuffer) {
    guard !run.isEmpty else { return }
    buffer.append(bytes(run))
    run = 0..<0
  }

  /// Writes a field that has another name or secrecy than in the source, and its value.
  private func write(_ slot: FieldSlot, _ parts: RecordParts, to buffer: ByteBuffer) {
    guard let source = slot.source else { return }
    if let place = slot.newName {
      buffer.append(newNames[place].opening)
    } else {
      buffer.append(parts.entries[source].name.opening)
    }
    // The opening ends in the quote of the type.
    buffer.append(parts.entries[source].typeName)
    buffer.append(slot.isEncrypted ? "\",\"isEncrypted\":true,\"value\":" : "\",\"value\":")
    buffer.append(bytes(parts.values[source]))
    buffer.append(UInt8(ascii: "}"))
  }
}
