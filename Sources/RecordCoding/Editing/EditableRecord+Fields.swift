import RecordModel

extension EditableRecord {
  /// The number of fields, plain and encrypted.
  package var fieldCount: Int { slots.count }

  /// The shape the record came in: the same object for records with the same fields; nil where it
  /// came as values.
  package var sourceShape: RecordShape? { parts?.shape }

  private func fieldName(at index: Int) -> FieldName {
    let slot = slots[index]
    if let place = slot.made { return made[place].interned }
    if let place = slot.newName { return newNames[place] }
    // A slot that has no value of its own is one of the source's.
    guard let parts, let source = slot.source else { return FieldName.unshared("") }
    return parts.entries[source].name
  }

  /// The name of a field; fields lie in the order of the UTF-8 bytes of their names.
  package func name(at index: Int) -> String {
    let slot = slots[index]
    if slot.made == nil, slot.newName == nil, let parts, let source = slot.source {
      return parts.entries[source].text
    }
    return fieldName(at: index).string
  }

  /// The type of a field; nil for one that this model does not know.
  package func valueType(at index: Int) -> ValueType? {
    let slot = slots[index]
    if let place = slot.made { return made[place].value.type }
    guard let parts, let source = slot.source else { return nil }
    return parts.entries[source].type
  }

  /// Whether a field is one of the encrypted values.
  package func isEncrypted(at index: Int) -> Bool {
    let slot = slots[index]
    return slot.made.map { made[$0].isEncrypted } ?? slot.isEncrypted
  }

  /// Whether the value of a field is not the source's.
  package func hasNewValue(at index: Int) -> Bool { slots[index].made != nil }

  /// A field, decoded.
  package func field(at index: Int) -> Field {
    let slot = slots[index]
    if let place = slot.made { return made[place] }
    guard let parts, let source = slot.source else { return Field(name: "", value: .emptyList) }
    var decoder = CanonicalDecoder(bytes(parts.values[source]), zoneID: parts.envelope.zoneID)
    let value = decoder.value(
      parts.entries[source].type, named: parts.entries[source].typeName)
    return Field(
      interned: fieldName(at: index), value: value, isEncrypted: slot.isEncrypted,
      otherMembers: decoder.isAtEnd ? [] : decoder.members())
  }

  /// Where the field of a name is.
  package func index(ofField name: String) -> Int? {
    slots.indices.first { self.name(at: $0) == name }
  }

  /// Whether there is a field of that name.
  package func hasField(_ name: String) -> Bool { index(ofField: name) != nil }

  /// The field of that name, decoded.
  package func field(named name: String) -> Field? {
    index(ofField: name).map(field(at:))
  }

  /// Puts a field in its place, over one of the same name.
  package func set(_ field: Field) {
    if let known = index(ofField: field.name) { return place(field, at: known) }
    made.append(field)
    insert(FieldSlot(made: made.count - 1), named: field.name)
  }

  /// Puts a field in its place, over one of the same name.
  package func set(
    _ name: String, to value: RecordValue, isEncrypted: Bool = false,
    otherMembers: OtherMembers = []
  ) {
    set(
      Field(
        interned: interned(name), value: value, isEncrypted: isEncrypted,
        otherMembers: otherMembers))
  }

  /// Replaces a field by one of the same name.
  func place(_ field: Field, at index: Int) {
    hasNewFields = true
    if let place = slots[index].made {
      made[place] = field
    } else {
      made.append(field)
      slots[index].made = made.count - 1
    }
  }

  private func insert(_ slot: FieldSlot, named name: String) {
    hasNewFields = true
    let place = slots.indices.first { compareUTF8(name, self.name(at: $0)) < 0 }
    slots.insert(slot, at: place ?? slots.endIndex)
  }

  /// Takes a field away.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  package func remove(_ name: String) -> Bool {
    guard let index = index(ofField: name) else { return false }
    slots.remove(at: index)
    hasNewFields = true
    return true
  }

  /// Gives a field another name, which no other field has.
  package func renameField(_ name: String, to newName: String) {
    guard let index = index(ofField: name) else { return }
    var slot = slots.remove(at: index)
    if let place = slot.made {
      made[place] = made[place].named(interned(newName))
    } else {
      newNames.append(interned(newName))
      slot.newName = newNames.count - 1
    }
    insert(slot, named: newName)
  }

  /// Moves a field to the encrypted values, or from there.
  package func setEncrypted(_ name: String, _ isEncrypted: Bool) {
    guard let index = index(ofField: name) else { return }
    hasNewFields = true
    if let place = slots[index].made {
      made[place] = made[place].encrypted(isEncrypted)
    } else {
      slots[index].isEncrypted = isEncrypted
      slots[index].isAsItCame = false
    }
  }

  /// Changes every reference: those in fields, the parent and the share.
  ///
  /// - Parameter body: the new target of a reference; nil where it stays.
  /// - Returns: how many references were changed.
  package func mapReferences(_ body: (RecordID) -> RecordID?) -> Int {
    var count = 0
    func mapped(_ reference: Reference) -> Reference {
      guard let changed = body(reference.recordID) else { return reference }
      count += 1
      return Reference(
        recordID: changed, action: reference.action, otherMembers: reference.otherMembers)
    }
    for index in slots.indices {
      let type = valueType(at: index)
      guard type == .reference || type == .referenceList else { continue }
      // Most references stay: then nothing but their targets is looked at.
      guard hasTarget(at: index, where: { body($0) != nil }) else { continue }
      let field = field(at: index)
      switch field.value {
      case .reference(let reference):
        place(field.replacing(.reference(mapped(reference))), at: index)
      case .referenceList(let list):
        place(field.replacing(.referenceList(list.map(mapped))), at: index)
      default: break
      }
    }
    if let parent, body(parent.recordID) != nil { self.parent = mapped(parent) }
    if let share, body(share.recordID) != nil { self.share = mapped(share) }
    return count
  }

  /// Whether a field refers to a record of which something holds.
  private func hasTarget(at index: Int, where test: (RecordID) -> Bool) -> Bool {
    if let place = slots[index].made {
      switch made[place].value {
      case .reference(let reference): return test(reference.recordID)
      case .referenceList(let list): return list.contains { test($0.recordID) }
      default: return false
      }
    }
    guard let parts, let source = slots[index].source else { return false }
    var decoder = CanonicalDecoder(bytes(parts.values[source]), zoneID: parts.envelope.zoneID)
    return decoder.hasReference { test($0.recordID) }
  }

  /// The object for a name, which is this record's own: threads that count references to the same
  /// object slow each other down.
  private func interned(_ name: String) -> FieldName {
    for known in knownNames where known.string == name { return known }
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
    Field(
      interned: interned, value: value, isEncrypted: isEncrypted, otherMembers: otherMembers)
  }

  /// The field with another value.
  package func replacing(_ value: RecordValue) -> Field {
    Field(
      interned: interned, value: value, isEncrypted: isEncrypted, otherMembers: otherMembers)
  }
}
