import RecordModel

extension EditableRecord {
  package var isUnchanged: Bool {
    guard case .unchanged = edits.parent, case .unchanged = edits.share else { return false }
    return !edits.didChangePrefix && !edits.didChangeFields
  }

  /// Appends the record as a canonical dictionary.
  ///
  /// - Throws: `RecordCodingError` for a number that is not finite, or an asset that is not yet
  ///   stored. The buffer is then unchanged.
  package func write(to buffer: ByteBuffer) throws {
    guard let source else { return try writer.write(resultRecord, to: buffer) }
    let start = buffer.count
    buffer.append(UInt8(ascii: "{"))
    guard !isUnchanged else { return source.copy(0..<source.size, to: buffer) }
    do {
      try write(source, to: buffer)
    } catch {
      buffer.count = start
      throw error
    }
  }

  /// The place of the record's name in the dictionary that ``write(to:)`` appends; nil if it is not
  /// known, or the name has escapes.
  package var nameInDictionary: Range<Int>? {
    guard !edits.didChangePrefix, let (source, name) = unchangedName, source.isUnescaped(name)
    else { return nil }
    // The place in the source does not count the first brace.
    return (name.lowerBound + 1)..<(name.upperBound + 1)
  }

  /// Whether the record may refer to assets, in a field or in a member that the model has no
  /// property for.
  package var mayContainAssets: Bool {
    guard let source, !source.layout.hasOtherMembers, edits.newFields.isEmpty else { return true }
    if case .changed = edits.parent { return true }
    if case .changed = edits.share { return true }
    guard source.shape.mayContainAssets else { return false }
    return edits.slots.indices.contains { index in
      let type = valueType(at: index)
      return type == .asset || type == .assetList || type == nil
    }
  }

  private func write(_ source: RecordSource, to buffer: ByteBuffer) throws {
    let layout = source.layout
    var start = 0
    if edits.didChangePrefix {
      writeOpening(to: buffer)
      start = layout.systemFields.lowerBound
    }
    source.copy(start..<layout.parent.lowerBound, to: buffer)
    try write(edits.parent, ",\"parent\":", layout.parent, source, to: buffer)
    try write(edits.share, ",\"share\":", layout.share, source, to: buffer)
    guard edits.didChangeFields else {
      return source.copy(layout.share.upperBound..<source.size, to: buffer)
    }
    buffer.append(",\"fields\":{")
    try writeFields(source, to: buffer)
    buffer.append(UInt8(ascii: "}"))
    source.copy(layout.otherMembers, to: buffer)
    buffer.append(UInt8(ascii: "}"))
  }

  private func writeOpening(to buffer: ByteBuffer) {
    let known: RecordPrefix
    if let targetPrefix, targetPrefix.recordType.sameScalars(as: recordType),
      targetPrefix.zoneID.isIdentical(to: zoneID)
    {
      known = targetPrefix
    } else {
      known = RecordPrefix(zoneID: zoneID, recordType: recordType)
      targetPrefix = known
    }
    buffer.append(known.opening)
    if let (source, name) = unchangedName {
      source.copy(name, to: buffer)
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
    _ source: RecordSource, to buffer: ByteBuffer
  ) throws {
    switch edit {
    case .unchanged: source.copy(member, to: buffer)
    case .field(let index):
      buffer.append(opening)
      source.copy(source.value(index), to: buffer)
    case .changed(let reference?):
      buffer.append(opening)
      try ValueWriter(buffer: buffer, zoneID: zoneID).write(reference)
    case .changed(nil): break
    }
  }

  private func writeFields(_ source: RecordSource, to buffer: ByteBuffer) throws {
    /// Adjacent fields that are unchanged and adjacent in the source; they are copied at once.
    var run = 0..<0
    func flush() {
      if !run.isEmpty { source.copy(run, to: buffer) }
      run = 0..<0
    }
    for index in edits.slots.indices {
      let slot = edits.slots[index]
      if slot.isUnchanged, let field = slot.source {
        let value = source.value(field)
        let start = value.lowerBound &- source.entries[field].openingLength
        let end = value.upperBound &+ 1
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
      if let place = slot.newField {
        try edits.newFields.withUnsafeBufferPointer { fields in
          guard let first = fields.baseAddress else { return }
          try ValueWriter(buffer: buffer, zoneID: zoneID).write(first + place)
        }
      } else {
        write(slot, source, to: buffer)
      }
    }
    flush()
  }

  /// Writes a field that is renamed, encrypted or decrypted, or a copy.
  private func write(_ slot: EditedField, _ source: RecordSource, to buffer: ByteBuffer) {
    let elements = slot.list.map { edits.lists[$0] } ?? []
    guard let field = slot.source ?? elements.first else { return }
    if let place = slot.newName {
      buffer.append(edits.newNames[place].opening)
    } else {
      buffer.append(source.entries[field].name.opening)
    }
    // The opening includes the opening quote of the type.
    buffer.append(text: source.entries[field].typeName)
    if slot.list != nil { buffer.append("_LIST") }
    buffer.append(slot.isEncrypted ? "\",\"isEncrypted\":true,\"value\":" : "\",\"value\":")
    if slot.list != nil {
      for (index, element) in elements.enumerated() {
        buffer.append(index == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
        source.copy(source.value(element), to: buffer)
      }
      buffer.append("]}")
    } else {
      source.copy(source.value(field), to: buffer)
      buffer.append(UInt8(ascii: "}"))
    }
  }
}
