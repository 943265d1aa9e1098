import RecordModel

extension EditableRecord {
  /// The number of fields, including encrypted ones.
  package var fieldCount: Int { edits.slots.count }

  private func fieldName(at index: Int) -> FieldName {
    let slot = edits.slots[index]
    if let place = slot.newField { return edits.newFields[place].interned }
    if let place = slot.newName { return edits.newNames[place] }
    // Any other slot refers to the source.
    guard let source, let index = slot.source else { return FieldName.unshared("") }
    return source.entries[index].name
  }

  /// Returns the name of a field; fields are sorted by the UTF-8 bytes of their names.
  package func name(at index: Int) -> String {
    let slot = edits.slots[index]
    if slot.newField == nil, slot.newName == nil, let source, let index = slot.source {
      return source.entries[index].text
    }
    return fieldName(at: index).string
  }

  /// Returns the type of a field; nil for an unknown type.
  package func valueType(at index: Int) -> ValueType? {
    let slot = edits.slots[index]
    if let place = slot.newField { return edits.newFields[place].value.type }
    guard let source else { return nil }
    if let list = slot.list {
      return edits.lists[list].first.flatMap { source.entries[$0].type?.listType }
    }
    return slot.source.flatMap { source.entries[$0].type }
  }

  /// Returns the name of a field's type in Web Services.
  package func typeName(at index: Int) -> String {
    if let type = valueType(at: index) { return type.rawValue }
    let slot = edits.slots[index]
    if let place = slot.newField { return edits.newFields[place].value.typeName }
    guard let source, let index = slot.source else { return "" }
    return source.entries[index].typeName
  }

  package func isEncrypted(at index: Int) -> Bool {
    let slot = edits.slots[index]
    return slot.newField.map { edits.newFields[$0].isEncrypted } ?? slot.isEncrypted
  }

  /// Whether a field has a value that is not from the source.
  package func hasNewValue(at index: Int) -> Bool { edits.slots[index].newField != nil }

  /// Returns a field, decoded.
  package func field(at index: Int) -> Field {
    let slot = edits.slots[index]
    if let place = slot.newField { return edits.newFields[place] }
    guard let source else { return Field(name: "", value: .emptyList) }
    if let list = slot.list {
      let elements = edits.lists[list].map { self.value($0, of: source).value }
      let type = elements.first?.type
      let value = type.flatMap { RecordValue(list: elements, of: $0) } ?? .emptyList
      return Field(interned: fieldName(at: index), value: value, isEncrypted: slot.isEncrypted)
    }
    let (value, others) = self.value(slot.source ?? 0, of: source)
    return Field(
      interned: fieldName(at: index), value: value, isEncrypted: slot.isEncrypted,
      otherMembers: others)
  }

  /// Decodes a value of the source.
  private func value(
    _ index: Int, of source: RecordSource
  ) -> (value: RecordValue, otherMembers: OtherMembers) {
    var reader = self.reader(of: source.value(index), in: source)
    let value = reader.value(
      source.entries[index].type, named: source.entries[index].typeName, in: source.prefix)
    return (value ?? .emptyList, reader.isAtEnd ? [] : reader.members())
  }

  package func index(ofField name: String) -> Int? {
    edits.slots.indices.first { self.name(at: $0).sameScalars(as: name) }
  }

  package func hasField(_ name: String) -> Bool { index(ofField: name) != nil }

  /// Returns the field with this name, decoded.
  package func field(named name: String) -> Field? {
    index(ofField: name).map(field(at:))
  }
}

// MARK: - Changes

extension EditableRecord {
  /// Adds a field, or replaces the one with the same name.
  package func set(_ field: Field) {
    if let known = index(ofField: field.name) { return replaceField(at: known, with: field) }
    edits.newFields.append(field)
    edits.newBytes += field.value.approximateSize
    insert(EditedField(newField: edits.newFields.count - 1), named: field.name)
  }

  /// Adds a field, or replaces the one with the same name.
  package func set(_ name: String, to value: RecordValue, isEncrypted: Bool = false) {
    set(Field(interned: interned(name), value: value, isEncrypted: isEncrypted))
  }

  /// Adds a new field with the value of another field, or a list of the values of others, without
  /// decoding them.
  ///
  /// - Returns: false, without changing anything, if this requires decoding the values, or exceeds
  ///   ``RecordEdits/maxCopies``: the bytes of copies are not counted.
  package func add(_ name: String, copying fields: [Int], asList: Bool, isEncrypted: Bool) -> Bool {
    guard edits.copies + fields.count <= RecordEdits.maxCopies else { return false }
    var places: [Int] = []
    for index in fields {
      let slot = edits.slots[index]
      guard slot.newField == nil, let place = slot.source, let source,
        !source.layout.hasFieldMembers, source.entries[place].type != nil
      else { return false }
      places.append(place)
    }
    guard let first = places.first, let source, let type = source.entries[first].type else {
      return false
    }
    if asList {
      guard type.listType != nil, places.allSatisfy({ source.entries[$0].type == type }) else {
        return false
      }
      edits.lists.append(places)
    }
    edits.copies += fields.count
    edits.newNames.append(interned(name))
    let newName = edits.newNames.count - 1
    insert(
      asList
        ? EditedField(list: edits.lists.count - 1, newName: newName, isEncrypted: isEncrypted)
        : EditedField(source: first, newName: newName, isEncrypted: isEncrypted), named: name)
    return true
  }

  /// Replaces the field at `index` with one of the same name.
  func replaceField(at index: Int, with field: Field) {
    edits.didChangeFields = true
    edits.newBytes += field.value.approximateSize
    if let place = edits.slots[index].newField {
      edits.newFields[place] = field
    } else {
      edits.newFields.append(field)
      edits.slots[index].newField = edits.newFields.count - 1
    }
  }

  private func insert(_ slot: EditedField, named name: String) {
    edits.didChangeFields = true
    let slots = edits.slots.indices
    let place = slots.first { compareUTF8(name, self.name(at: $0)) < 0 }
    edits.slots.insert(slot, at: place ?? slots.endIndex)
  }

  /// Removes a field.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  package func remove(_ name: String) -> Bool {
    guard let index = index(ofField: name) else { return false }
    edits.slots.remove(at: index)
    edits.didChangeFields = true
    return true
  }

  /// Renames a field. No other field may have the new name.
  package func renameField(_ name: String, to newName: String) {
    guard let index = index(ofField: name) else { return }
    var slot = edits.slots.remove(at: index)
    if let place = slot.newField {
      edits.newFields[place] = edits.newFields[place].named(interned(newName))
    } else {
      edits.newNames.append(interned(newName))
      slot.newName = edits.newNames.count - 1
    }
    insert(slot, named: newName)
  }

  /// Changes whether a field is encrypted.
  package func setEncrypted(_ isEncrypted: Bool, at index: Int) {
    edits.didChangeFields = true
    if let place = edits.slots[index].newField {
      edits.newFields[place] = edits.newFields[place].encrypted(isEncrypted)
    } else {
      edits.slots[index].isEncrypted = isEncrypted
      edits.slots[index].isUnchanged = false
    }
  }

  /// Returns an object for a name that only this record uses: threads that retain and release the
  /// same object slow each other down.
  private func interned(_ name: String) -> FieldName {
    for known in knownNames where known.string.sameScalars(as: name) { return known }
    let made = FieldName.unshared(name)
    if knownNames.count < 256 { knownNames.append(made) }
    return made
  }
}

extension Field {
  fileprivate func named(_ name: FieldName) -> Field {
    Field(interned: name, value: value, isEncrypted: isEncrypted, otherMembers: otherMembers)
  }

  fileprivate func encrypted(_ isEncrypted: Bool) -> Field {
    Field(interned: interned, value: value, isEncrypted: isEncrypted, otherMembers: otherMembers)
  }

  package func replacing(_ value: RecordValue) -> Field {
    Field(interned: interned, value: value, isEncrypted: isEncrypted, otherMembers: otherMembers)
  }
}
