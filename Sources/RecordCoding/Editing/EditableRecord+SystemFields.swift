import RecordModel

import struct Foundation.Date

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
      dependsOnValues = true
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
    dependsOnValues = true
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

// MARK: - The record as it was loaded

extension EditableRecord {
  /// The part of a record on which edits depend if they read no values: its zone, type, fields and
  /// database.
  package struct EditKey: Equatable {
    private let prefix: ObjectIdentifier
    private let shape: ObjectIdentifier
    private let database: DatabaseScope
    private let hasParent: Bool
    private let hasShare: Bool

    init?(_ source: RecordSource, _ database: DatabaseScope) {
      // The key does not describe JSON members that the model has no property for.
      guard !source.layout.hasFieldMembers else { return nil }
      prefix = ObjectIdentifier(source.prefix)
      shape = ObjectIdentifier(source.shape)
      self.database = database
      hasParent = !source.layout.parent.isEmpty
      hasShare = !source.layout.share.isEmpty
    }
  }

  /// The key of the record as it was loaded; nil if it was loaded from values. See
  /// ``editKeyObjects``.
  package var editKey: EditKey? { source.flatMap { EditKey($0, database) } }

  /// The objects whose identities the key contains. Retain them with the key, so that no
  /// other objects can have the same identities.
  package var editKeyObjects: [AnyObject] { source.map { [$0.prefix, $0.shape] } ?? [] }

  /// The shape of the record as it was loaded, the same object for records with the same fields;
  /// nil if it was loaded from values.
  package var sourceShape: RecordShape? { source?.shape }

  /// The dictionary of the record as it was loaded, without its first brace; nil if it was loaded
  /// from values.
  package var sourceBytes: UnsafeRawBufferPointer? {
    source.map { $0.read(0..<$0.size, by: self) }
  }

  /// An object that the records of one zone and type share as they are read by one reader; nil if
  /// the record was loaded from values.
  package var sourcePrefix: RecordPrefix? { source?.prefix }

  /// The zone and type of the record as it was loaded.
  package var sourceZoneID: ZoneID {
    source?.prefix.zoneID ?? system?.recordID.zoneID ?? .default
  }
  package var sourceType: String { source?.prefix.recordType ?? system?.recordType ?? "" }

  /// The identity of the record as it was loaded.
  package var sourceID: RecordID {
    guard let source else { return system?.recordID ?? recordID }
    return RecordID(packedName: name(in: source), zoneID: source.prefix.zoneID)
  }

  func name(in source: RecordSource) -> CompactName {
    CanonicalReader.compactName(source.read(source.layout.recordName, by: self))
  }

  /// Returns a reader of a part of the source.
  func reader(of range: Range<Int>, in source: RecordSource) -> CanonicalReader {
    CanonicalReader(source.read(range, by: self))
  }
}

// MARK: - System fields

extension EditableRecord {
  /// The version of the record on the server.
  package var recordChangeTag: String? {
    guard let source else { return system?.recordChangeTag }
    guard source.layout.hasChangeTag else { return nil }
    return CanonicalReader.string(source.read(source.layout.changeTag, by: self))
  }

  /// The time of the last save.
  package var modificationDate: Date? {
    guard let source else { return system?.modificationDate }
    let place = source.layout.modified
    return place.isEmpty ? nil : CanonicalDate.date(from: source.read(place, by: self))
  }

  /// Everything but the field values, decoded.
  package var systemFields: SystemFields {
    var fields = sourceSystemFields
    if case .unchanged = edits.parent {} else { fields.parent = parent }
    if case .unchanged = edits.share {} else { fields.share = share }
    fields.recordID = recordID
    fields.recordType = recordType
    return fields
  }

  var sourceSystemFields: SystemFields {
    guard let source else {
      return system ?? SystemFields(recordID: recordID, recordType: recordType)
    }
    let layout = source.layout
    var others = self.reader(of: layout.otherMembers, in: source)
    var reader = self.reader(of: layout.systemFields, in: source)
    return reader.systemFieldValues(
      of: RecordID(packedName: name(in: source), zoneID: source.prefix.zoneID),
      in: source.prefix, otherMembers: layout.otherMembers.isEmpty ? [] : others.members())
  }

  /// The record in its current state, decoded.
  package var resultRecord: ResultRecord {
    var system = systemFields
    system.archive = nil
    return ResultRecord(
      storage: ValueStorage(
        systemFields: system, fields: edits.slots.indices.map(field(at:))))
  }
}
