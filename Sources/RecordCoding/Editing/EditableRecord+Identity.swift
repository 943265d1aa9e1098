import RecordModel

extension EditableRecord {
  package var recordType: String { edits.recordType }
  package var zoneID: ZoneID { edits.zoneID }
  /// The identity of the record.
  package var recordID: RecordID { RecordID(packedName: packedName, zoneID: zoneID) }

  /// Whether the record ID changed.
  package var didChangeID: Bool { edits.didChangeID }

  var packedName: CompactName {
    if let name {
      // It may have been read without noting it.
      didReadValues = true
      return name
    }
    guard let source else { return .text("") }
    let found = name(in: source)
    name = found
    return found
  }

  /// Changes the type of the record.
  package func setRecordType(_ recordType: String) {
    edits.recordType = recordType
    edits.didChangePrefix = true
  }

  /// Changes the name of the record, but not of references to it.
  package func rename(to recordName: String) {
    // The name is not part of the edits that other records can use.
    didReadValues = true
    name = CompactName(recordName)
    edits.didChangePrefix = true
    edits.didChangeID = true
  }

  /// Moves the record to another zone. The targets of its references do not change.
  package func move(to zone: ZoneID) {
    guard zone != zoneID else { return }
    // The bytes of a reference within the record's zone do not contain the zone.
    for index in edits.slots.indices where edits.slots[index].newField == nil {
      let type = valueType(at: index)
      if type == .reference || type == .referenceList {
        replaceField(at: index, with: field(at: index))
      }
    }
    if hasParent { parent = parent }
    if hasShare { share = share }
    edits.zoneID = zone
    edits.didChangePrefix = true
    edits.didChangeID = true
  }

  /// Appends the name of the record in UTF-8.
  package func appendName(to buffer: ByteBuffer) {
    if let (source, name) = unchangedName, source.copyUnescaped(name, to: buffer) { return }
    buffer.append(text: packedName.string)
  }

  /// The place of the name in the source; nil if it was decoded or changed.
  var unchangedName: (source: RecordSource, name: Range<Int>)? {
    name == nil ? source.map { ($0, $0.layout.recordName) } : nil
  }
}
