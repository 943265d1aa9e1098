import RecordModel

extension EditableRecord {
  /// The record's parent in the sharing hierarchy.
  package var parent: Reference? {
    get { reference(edits.parent, source?.layout.parent, ",\"parent\":", sourceParent) }
    set { edits.parent = .changed(to: newValue) }
  }

  /// The share whose root is this record, or that contains it.
  package var share: Reference? {
    get { reference(edits.share, source?.layout.share, ",\"share\":", sourceShare) }
    set { edits.share = .changed(to: newValue) }
  }

  package var hasParent: Bool {
    switch edits.parent {
    case .unchanged: source.map { !$0.layout.parent.isEmpty } ?? (sourceParent != nil)
    case .changed(let reference): reference != nil
    case .field: true
    }
  }

  package var hasShare: Bool {
    switch edits.share {
    case .unchanged: source.map { !$0.layout.share.isEmpty } ?? (sourceShare != nil)
    case .changed(let reference): reference != nil
    case .field: true
    }
  }

  private var sourceParent: Reference? { source == nil ? sourceSystemFields.parent : nil }
  private var sourceShare: Reference? { source == nil ? sourceSystemFields.share : nil }

  private func reference(
    _ edit: RecordEdits.ReferenceEdit, _ member: Range<Int>?, _ opening: StaticString,
    _ ofValues: @autoclosure () -> Reference?
  ) -> Reference? {
    switch edit {
    case .changed(let reference): return reference
    case .field(let index):
      guard let source else { return nil }
      var reader = self.reader(of: source.value(index), in: source)
      return reader.referenceValue(in: source.prefix)
    case .unchanged:
      guard let source else { return ofValues() }
      guard let member, !member.isEmpty else { return nil }
      let range = (member.lowerBound + opening.utf8CodeUnitCount)..<member.upperBound
      var reader = self.reader(of: range, in: source)
      return reader.referenceValue(in: source.prefix)
    }
  }

  /// Sets the parent to the reference in a field, without decoding it. The edits then apply only to
  /// records whose reference has the same form.
  ///
  /// - Returns: false, without changing anything, if this requires decoding the value.
  package func setParent(fromFieldAt index: Int) -> Bool {
    let slot = edits.slots[index]
    guard slot.newField == nil, let place = slot.source, let source, !slot.isEncrypted,
      source.entries[place].type == .reference, !source.layout.hasFieldMembers,
      edits.zoneID.isIdentical(to: source.prefix.zoneID),
      source.isPlainReference(at: place)
    else { return false }
    edits.plainReferences.append(place)
    edits.parent = .field(place)
    return true
  }

  /// Changes the targets of references: those in fields, the parent and the share.
  ///
  /// - Parameter body: returns the new target of a reference; nil to keep it.
  /// - Returns: the number of references changed.
  package func mapReferences(_ body: (RecordID) -> RecordID?) -> Int {
    // Reading a reference without changing it does not affect the edits.
    let count = peeking { changeReferences(body) }
    if count > 0 { dependsOnValues = true }
    return count
  }

  private func changeReferences(_ body: (RecordID) -> RecordID?) -> Int {
    var count = 0
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
        replaceField(at: index, with: field.replacing(.reference(mapped(reference))))
      case .referenceList(let list):
        replaceField(at: index, with: field.replacing(.referenceList(list.map(mapped))))
      default: break
      }
    }
    if hasParent, let parent, body(parent.recordID) != nil { self.parent = mapped(parent) }
    if hasShare, let share, body(share.recordID) != nil { self.share = mapped(share) }
    return count
  }

  /// Whether the record has, or had when it was loaded, a reference whose target satisfies `test`.
  /// Reads for this are not noted.
  package func hasReference(where test: (RecordID) -> Bool) -> Bool {
    peeking { findReference(where: test) }
  }

  private func findReference(where test: (RecordID) -> Bool) -> Bool {
    var isFound = false
    forEachReference { if !isFound { isFound = test($0) } }
    guard let source else { return isFound }
    for (index, entry) in source.entries.enumerated()
    where !isFound && (entry.type == .reference || entry.type == .referenceList) {
      forEachTarget(of: index, in: source) { if !isFound { isFound = test($0) } }
    }
    if isFound { return true }
    let system = sourceSystemFields
    return [system.parent, system.share].compactMap { $0 }.contains { test($0.recordID) }
  }

  /// Whether the record may have, or may have had when it was loaded, a reference to a name that
  /// satisfies `test`. False is certain, and found without decoding references.
  ///
  /// - Parameter test: receives the name of a target in UTF-8; may be true for names that are none.
  package func mayHaveReference(toName test: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    // The result for new values and for members without a property is always true.
    guard let source, !source.layout.hasOtherMembers, !hasNewReferences else { return true }
    for index in source.entries.indices {
      let type = source.entries[index].type
      guard type == .reference || type == .referenceList else { continue }
      if source.mayRefer(source.value(index), where: test) { return true }
    }
    return isSystem(source.layout.parent, ",\"parent\":", referring: test)
      || isSystem(source.layout.share, ",\"share\":", referring: test)
  }

  private func isSystem(
    _ member: Range<Int>, _ opening: StaticString,
    referring test: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    guard let source, !member.isEmpty else { return false }
    return source.mayRefer(
      (member.lowerBound + opening.utf8CodeUnitCount)..<member.upperBound, where: test)
  }

  /// Whether there may be references that are not from the source.
  private var hasNewReferences: Bool {
    if case .changed = edits.parent { return true }
    if case .changed = edits.share { return true }
    return edits.newFields.contains {
      $0.value.type == .reference || $0.value.type == .referenceList
    }
  }

  /// Returns the number of references whose targets satisfy `test`. Reads for this are not noted.
  package func countReferences(where test: (RecordID) -> Bool) -> Int {
    var count = 0
    peeking { forEachReference { if test($0) { count += 1 } } }
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
    if let place = slot.newField {
      switch edits.newFields[place].value {
      case .reference(let reference): body(reference.recordID)
      case .referenceList(let list): for reference in list { body(reference.recordID) }
      default: break
      }
    } else if let source {
      if let index = slot.source { forEachTarget(of: index, in: source, body) }
      for index in slot.list.map({ edits.lists[$0] }) ?? [] {
        forEachTarget(of: index, in: source, body)
      }
    }
  }

  private func forEachTarget(of index: Int, in source: RecordSource, _ body: (RecordID) -> Void) {
    var reader = self.reader(of: source.value(index), in: source)
    reader.forEachReference(in: source.prefix) { body($0.recordID) }
  }
}
