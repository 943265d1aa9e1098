import RecordModel

extension EditableRecord {
  /// The record's parent in the sharing hierarchy.
  package var parent: Reference? {
    get { reference(edits.parent, parts?.layout.parent, ",\"parent\":", sourceParent) }
    set { edits.parent = .changed(to: newValue) }
  }

  /// The share whose root is this record, or that contains it.
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

  /// Whether the record has a share.
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

  /// Sets the parent to the reference in a field, without decoding it.
  ///
  /// - Returns: false, without changing anything, if this requires decoding the value.
  package func adoptParent(fromFieldAt index: Int) -> Bool {
    let slot = edits.slots[index]
    guard slot.made == nil, let source = slot.source, let parts, !slot.isEncrypted,
      parts.entries[source].type == .reference, !parts.layout.hasFieldMembers,
      edits.zoneID.isIdentical(to: parts.envelope.zoneID), isPlainReference(parts.values[source])
    else { return false }
    edits.parent = .field(source)
    return true
  }

  /// Whether a reference has the form of a parent: to the record's own zone, without an action.
  func isPlainReference(_ place: UInt64) -> Bool {
    var scanner = CanonicalScanner(bytes(place))
    return scanner.take("{\"recordName\":") && scanner.string() != nil
      && scanner.take(",\"action\":\"NONE\"}") && scanner.position == scanner.end
  }

  /// Changes the targets of references: those in fields, the parent and the share.
  ///
  /// - Parameter body: returns the new target of a reference; nil to keep it.
  /// - Returns: the number of references changed.
  package func mapReferences(_ body: (RecordID) -> RecordID?) -> Int {
    // Reading a reference without changing it does not affect the edits.
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
      // Most references do not change; only their targets are decoded.
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

  /// Whether the record has, or had when it was loaded, a reference whose target satisfies `test`.
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

  /// Returns the number of references whose targets satisfy `test`.
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

  /// Calls `body` with each target of the references in a field.
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
