import RecordModel

extension EditableRecord {
  /// Whether the record is unchanged.
  package var isAsItCame: Bool {
    guard case .asItCame = edits.parent, case .asItCame = edits.share else { return false }
    return !edits.hasNewOpening && !edits.hasNewFields
  }

  /// Appends the record as a canonical dictionary.
  ///
  /// - Throws: `RecordCodingError` for a number that is not finite, or an asset that is not yet
  ///   stored. The buffer is then unchanged.
  package func write(to buffer: ByteBuffer) throws {
    guard let parts else { return try writer.write(resultRecord, to: buffer) }
    let start = buffer.count
    buffer.append(UInt8(ascii: "{"))
    guard !isAsItCame else { return buffer.append(parts.body) }
    do {
      try write(parts, to: buffer)
    } catch {
      buffer.count = start
      throw error
    }
  }

  private func write(_ parts: RecordParts, to buffer: ByteBuffer) throws {
    let layout = parts.layout
    var start = 0
    if edits.hasNewOpening {
      writeOpening(to: buffer)
      start = layout.systemFields.lowerBound
    }
    buffer.append(bytes(start..<layout.parent.lowerBound))
    write(edits.parent, ",\"parent\":", layout.parent, parts, to: buffer)
    write(edits.share, ",\"share\":", layout.share, parts, to: buffer)
    guard edits.hasNewFields else {
      return buffer.append(bytes(layout.share.upperBound..<parts.body.count))
    }
    buffer.append(",\"fields\":{")
    try writeFields(parts, to: buffer)
    buffer.append(UInt8(ascii: "}"))
    buffer.append(bytes(layout.otherMembers))
    buffer.append(UInt8(ascii: "}"))
  }

  private func writeOpening(to buffer: ByteBuffer) {
    let known: RecordEnvelope
    if let targetEnvelope, targetEnvelope.recordType.sameScalars(as: recordType),
      targetEnvelope.zoneID.isIdentical(to: zoneID)
    {
      known = targetEnvelope
    } else {
      known = RecordEnvelope(zoneID: zoneID, recordType: recordType)
      targetEnvelope = known
    }
    buffer.append(known.opening)
    if let unchangedName {
      buffer.append(unchangedName)
      buffer.append(UInt8(ascii: "\""))
    } else {
      // The opening includes the opening quote of the name.
      buffer.count &-= 1
      buffer.appendJSONName(packedName)
    }
  }

  /// Writes a reference of the system fields.
  private func write(
    _ edit: RecordEdits.ReferenceEdit, _ opening: StaticString, _ member: Range<Int>,
    _ parts: RecordParts, to buffer: ByteBuffer
  ) {
    switch edit {
    case .asItCame: buffer.append(bytes(member))
    case .field(let source):
      buffer.append(opening)
      buffer.append(bytes(parts.values[source]))
    case .changed(let reference?):
      buffer.append(opening)
      ValueWriter(buffer: buffer, zoneID: zoneID).write(reference)
    case .changed(nil): break
    }
  }

  private func writeFields(_ parts: RecordParts, to buffer: ByteBuffer) throws {
    /// Adjacent fields that are unchanged and adjacent in the source; they are copied at once.
    var run = 0..<0
    func flush() {
      if !run.isEmpty { buffer.append(bytes(run)) }
      run = 0..<0
    }
    for index in edits.slots.indices {
      let slot = edits.slots[index]
      if slot.isAsItCame, let source = slot.source {
        let place = parts.values[source]
        let start = Int(place &>> 32) &- parts.entries[source].openingLength
        let end = Int(place & 0xFFFF_FFFF) &+ 1
        if !run.isEmpty, run.upperBound == start &- 1 {
          run = run.lowerBound..<end
        } else {
          flush()
          if index != 0 { buffer.append(UInt8(ascii: ",")) }
          run = start..<end
        }
        continue
      }
      flush()
      if index != 0 { buffer.append(UInt8(ascii: ",")) }
      if let place = slot.made {
        try edits.made.withUnsafeBufferPointer { fields in
          guard let first = fields.baseAddress else { return }
          try ValueWriter(buffer: buffer, zoneID: zoneID).write(first + place)
        }
      } else {
        write(slot, parts, to: buffer)
      }
    }
    flush()
  }

  /// Writes a field that is renamed, encrypted or decrypted, or a copy.
  private func write(_ slot: FieldSlot, _ parts: RecordParts, to buffer: ByteBuffer) {
    let elements = slot.list.map { edits.lists[$0] } ?? []
    guard let source = slot.source ?? elements.first else { return }
    if let place = slot.newName {
      buffer.append(edits.newNames[place].opening)
    } else {
      buffer.append(parts.entries[source].name.opening)
    }
    // The opening includes the opening quote of the type.
    buffer.append(parts.entries[source].typeName)
    if slot.list != nil { buffer.append("_LIST") }
    buffer.append(slot.isEncrypted ? "\",\"isEncrypted\":true,\"value\":" : "\",\"value\":")
    if slot.list != nil {
      for (index, element) in elements.enumerated() {
        buffer.append(index == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
        buffer.append(bytes(parts.values[element]))
      }
      buffer.append("]}")
    } else {
      buffer.append(bytes(parts.values[source]))
      buffer.append(UInt8(ascii: "}"))
    }
  }
}
