import RecordModel

extension EditableRecord {
  /// The record's parent in the sharing hierarchy.
  package var parent: Reference? {
    get { reference(edits.parent, parts?.layout.parent, ",\"parent\":", sourceParent) }
    set { edits.parent = .changed(to: newValue) }
  }

  /// The share the record is the root of, or lies in.
  package var share: Reference? {
    get { reference(edits.share, parts?.layout.share, ",\"share\":", sourceShare) }
    set { edits.share = .changed(to: newValue) }
  }

  /// Whether the record has a parent.
  package var hasParent: Bool {
    switch edits.parent {
    case .asItCame: parts.map { !$0.layout.parent.isEmpty } ?? (sourceParent != nil)
    case .changed(let reference): reference != nil
    case .field: true
    }
  }

  /// Whether the record is the root of a share, or lies in one.
  package var hasShare: Bool {
    switch edits.share {
    case .asItCame: parts.map { !$0.layout.share.isEmpty } ?? (sourceShare != nil)
    case .changed(let reference): reference != nil
    case .field: true
    }
  }

  private var sourceParent: Reference? { parts == nil ? sourceSystemFields.parent : nil }
  private var sourceShare: Reference? { parts == nil ? sourceSystemFields.share : nil }

  private func reference(
    _ edit: RecordEdits.ReferenceEdit, _ member: Range<Int>?, _ opening: StaticString,
    _ ofValues: @autoclosure () -> Reference?
  ) -> Reference? {
    switch edit {
    case .changed(let reference): return reference
    case .field(let source):
      wasRead = true
      guard let parts else { return nil }
      return reference(bytes(parts.values[source]), parts)
    case .asItCame:
      guard let parts else { return ofValues() }
      guard let member, !member.isEmpty else { return nil }
      wasRead = true
      let range = (member.lowerBound + opening.utf8CodeUnitCount)..<member.upperBound
      return reference(bytes(range), parts)
    }
  }

  private func reference(_ text: UnsafeRawBufferPointer, _ parts: RecordParts) -> Reference {
    var decoder = CanonicalDecoder(text, zoneID: parts.envelope.zoneID)
    return decoder.reference()
  }

  /// Makes the record that a field refers to the parent, without decoding it.
  ///
  /// - Returns: false where that takes a look at the value: then nothing is changed.
  package func adoptParent(fromFieldAt index: Int) -> Bool {
    let slot = edits.slots[index]
    guard slot.made == nil, let source = slot.source, let parts, !slot.isEncrypted,
      parts.entries[source].type == .reference, !parts.layout.hasFieldMembers,
      edits.zoneID.isIdentical(to: parts.envelope.zoneID), isPlainReference(parts.values[source])
    else { return false }
    edits.parent = .field(source)
    return true
  }

  /// Whether a reference is as plain as a parent's: to the record's own zone, with no action.
  func isPlainReference(_ place: UInt64) -> Bool {
    var scanner = CanonicalScanner(bytes(place))
    return scanner.take("{\"recordName\":") && scanner.string() != nil
      && scanner.take(",\"action\":\"NONE\"}") && scanner.position == scanner.end
  }

  /// Changes every reference: those in fields, the parent and the share.
  ///
  /// - Parameter body: the new target of a reference; nil where it stays.
  /// - Returns: how many references were changed.
  package func mapReferences(_ body: (RecordID) -> RecordID?) -> Int {
    // A reference that stays has played no part.
    let wasRead = wasRead
    var count = 0
    defer { self.wasRead = wasRead || count > 0 }
    func mapped(_ reference: Reference) -> Reference {
      guard let changed = body(reference.recordID) else { return reference }
      count += 1
      return Reference(
        recordID: changed, action: reference.action, otherMembers: reference.otherMembers)
    }
    for index in edits.slots.indices {
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
    if hasParent, let parent, body(parent.recordID) != nil { self.parent = mapped(parent) }
    if hasShare, let share, body(share.recordID) != nil { self.share = mapped(share) }
    return count
  }

  /// Whether the record refers to one of which something holds, or did when it was loaded.
  package func hasReference(where test: (RecordID) -> Bool) -> Bool {
    var isFound = false
    forEachReference { if !isFound { isFound = test($0) } }
    guard let parts else { return isFound }
    for (source, entry) in parts.entries.enumerated()
    where !isFound && (entry.type == .reference || entry.type == .referenceList) {
      forEachTarget(of: parts.values[source], parts) { if !isFound { isFound = test($0) } }
    }
    if isFound { return true }
    let system = sourceSystemFields
    return [system.parent, system.share].compactMap { $0 }.contains { test($0.recordID) }
  }

  /// How many references lead to records of which something holds.
  package func countReferences(where test: (RecordID) -> Bool) -> Int {
    var count = 0
    forEachReference { if test($0) { count += 1 } }
    return count
  }

  private func forEachReference(_ body: (RecordID) -> Void) {
    for index in edits.slots.indices { forEachTarget(at: index, body) }
    if hasParent, let parent { body(parent.recordID) }
    if hasShare, let share { body(share.recordID) }
  }

  private func hasTarget(at index: Int, where test: (RecordID) -> Bool) -> Bool {
    var isFound = false
    forEachTarget(at: index) { if !isFound { isFound = test($0) } }
    return isFound
  }

  /// Calls `body` with the records that a field refers to.
  private func forEachTarget(at index: Int, _ body: (RecordID) -> Void) {
    let type = valueType(at: index)
    guard type == .reference || type == .referenceList else { return }
    let slot = edits.slots[index]
    if let place = slot.made {
      switch edits.made[place].value {
      case .reference(let reference): body(reference.recordID)
      case .referenceList(let list): for reference in list { body(reference.recordID) }
      default: break
      }
    } else if let parts {
      if let source = slot.source { forEachTarget(of: parts.values[source], parts, body) }
      for source in slot.list.map({ edits.lists[$0] }) ?? [] {
        forEachTarget(of: parts.values[source], parts, body)
      }
    }
  }

  private func forEachTarget(
    of value: UInt64, _ parts: RecordParts, _ body: (RecordID) -> Void
  ) {
    var decoder = CanonicalDecoder(bytes(value), zoneID: parts.envelope.zoneID)
    decoder.forEachReference { body($0.recordID) }
  }
}
