import RecordModel

import struct Foundation.Date

/// A record whose parts are changed one by one, while all others stay the bytes they came as.
///
/// What a migration works on: most of a record is neither decoded nor encoded again. One object
/// serves for many records, one after the other; it belongs to one thread.
package final class EditableRecord {
  /// The database the record lies in.
  @exclusivity(unchecked) package internal(set) var database = DatabaseScope.private
  /// The record's type.
  @exclusivity(unchecked) package internal(set) var recordType = ""
  /// The record's zone.
  @exclusivity(unchecked) package internal(set) var zoneID = ZoneID.default
  /// The name the record has got, or came with; nil while it is only bytes.
  @exclusivity(unchecked) var name: PackedName?

  /// The canonical bytes the record came as; nil where it came as values.
  @exclusivity(unchecked) var parts: RecordParts?
  /// Keeps the bytes in memory, where nobody else does.
  @exclusivity(unchecked) private var owner: AnyObject?
  /// The system fields of a record that came as values.
  @exclusivity(unchecked) var system: SystemFields?
  /// Parent and share, once they were asked for or changed.
  @exclusivity(unchecked) private var ownParent: Reference??
  @exclusivity(unchecked) private var ownShare: Reference??

  @exclusivity(unchecked) var slots: [FieldSlot] = []
  /// The fields that have values of their own.
  @exclusivity(unchecked) var made: [Field] = []
  /// The names that fields of the source have got.
  @exclusivity(unchecked) var newNames: [FieldName] = []
  /// Whether type, zone or name are no longer those of the bytes.
  @exclusivity(unchecked) var hasNewOpening = false
  /// Whether fields were changed.
  @exclusivity(unchecked) var hasNewFields = false
  @exclusivity(unchecked) var hasNewParent = false
  @exclusivity(unchecked) var hasNewShare = false

  // What is of use for the next record too.
  @exclusivity(unchecked) var knownNames: [FieldName] = []
  @exclusivity(unchecked) var targetEnvelope: RecordEnvelope?
  let writer = RecordJSONWriter()

  package init() {}

  /// A record of values.
  package convenience init(_ record: ResultRecord, in database: DatabaseScope) {
    self.init()
    load(record, in: database)
  }

  /// Begins with another record.
  package func load(_ record: ResultRecord, in database: DatabaseScope) {
    if let line = record.storage as? LineStorage {
      load(line.parts, in: database)
      owner = line
    } else if let values = record.storage.values {
      load(values.systemFields, values.fields, in: database)
    } else {
      load(record.systemFields, Array(record.fields), in: database)
    }
  }

  /// Begins with a record of values.
  ///
  /// - Parameter fields: in the order of their names, none twice.
  func load(_ system: SystemFields, _ fields: [Field], in database: DatabaseScope) {
    reset(database, system.recordType, system.recordID.zoneID)
    self.system = system
    name = system.recordID.packedName
    made.append(contentsOf: fields)
    for index in made.indices { slots.append(FieldSlot(made: index)) }
  }

  /// Begins with a record that lies in memory as canonical bytes.
  func load(_ parts: RecordParts, in database: DatabaseScope) {
    reset(database, parts.envelope.recordType, parts.envelope.zoneID)
    self.parts = parts
    for index in parts.entries.indices {
      slots.append(FieldSlot(source: index, isEncrypted: parts.entries[index].isEncrypted))
    }
  }

  private func reset(_ database: DatabaseScope, _ recordType: String, _ zoneID: ZoneID) {
    self.database = database
    if self.recordType != recordType { self.recordType = recordType }
    if !self.zoneID.isIdentical(to: zoneID) { self.zoneID = zoneID }
    name = nil
    if parts != nil { parts = nil }
    if owner != nil { owner = nil }
    if system != nil { system = nil }
    if ownParent != nil { ownParent = nil }
    if ownShare != nil { ownShare = nil }
    slots.removeAll(keepingCapacity: true)
    if !made.isEmpty { made.removeAll(keepingCapacity: true) }
    if !newNames.isEmpty { newNames.removeAll(keepingCapacity: true) }
    hasNewOpening = false
    hasNewFields = false
    hasNewParent = false
    hasNewShare = false
  }
}

// MARK: - Identity

extension EditableRecord {
  /// The record's identity.
  package var recordID: RecordID { RecordID(packedName: packedName, zoneID: zoneID) }

  var packedName: PackedName {
    if let name { return name }
    guard let parts else { return .text("") }
    let text = bytes(parts.layout.recordName)
    let found = PackedName(uuid: text) ?? PackedName(CanonicalDecoder.string(text))
    name = found
    return found
  }

  /// What the record was when it was loaded.
  package var origin: (recordID: RecordID, recordType: String) {
    guard let parts else {
      return system.map { ($0.recordID, $0.recordType) } ?? (recordID, recordType)
    }
    let name = PackedName(CanonicalDecoder.string(bytes(parts.layout.recordName)))
    let recordID = RecordID(packedName: name, zoneID: parts.envelope.zoneID)
    return (recordID, parts.envelope.recordType)
  }

  /// Gives the record another type.
  package func retype(_ recordType: String) {
    self.recordType = recordType
    hasNewOpening = true
  }

  /// Gives the record another name; references to it do not follow.
  package func rename(to recordName: String) {
    name = PackedName(recordName)
    hasNewOpening = true
  }

  /// Moves the record to another zone; what it refers to stays where it is.
  package func move(to zone: ZoneID) {
    guard zone != zoneID else { return }
    // Bytes do not say the zone of a reference into the record's own.
    for index in slots.indices where slots[index].made == nil {
      let type = valueType(at: index)
      if type == .reference || type == .referenceList { place(field(at: index), at: index) }
    }
    let (parent, share) = (parent, share)
    if parent != nil { self.parent = parent }
    if share != nil { self.share = share }
    _ = packedName
    zoneID = zone
    hasNewOpening = true
  }

  /// Appends the record's name, in UTF-8.
  package func appendName(to buffer: ByteBuffer) {
    if name == nil, let parts {
      let text = bytes(parts.layout.recordName)
      if !text.contains(0x5C) { return buffer.append(text) }
    }
    buffer.append(packedName.string)
  }

  /// The bytes of a value, which begins at the high half of a word and ends at its low half.
  func bytes(_ place: UInt64) -> UnsafeRawBufferPointer {
    bytes(Int(place &>> 32)..<Int(place & 0xFFFF_FFFF))
  }

  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    guard let parts else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: parts.body[range])
  }
}

// MARK: - System fields

extension EditableRecord {
  /// The record's parent in the sharing hierarchy.
  package var parent: Reference? {
    get {
      if let ownParent { return ownParent }
      let found = system?.parent ?? reference(parts?.layout.parent, ",\"parent\":")
      ownParent = .some(found)
      return found
    }
    set {
      ownParent = .some(newValue)
      hasNewParent = true
    }
  }

  /// The share the record is the root of, or lies in.
  package var share: Reference? {
    get {
      if let ownShare { return ownShare }
      let found = system?.share ?? reference(parts?.layout.share, ",\"share\":")
      ownShare = .some(found)
      return found
    }
    set {
      ownShare = .some(newValue)
      hasNewShare = true
    }
  }

  /// The reference in a member of the system fields.
  private func reference(_ member: Range<Int>?, _ opening: StaticString) -> Reference? {
    guard let parts, let member, !member.isEmpty else { return nil }
    let range = (member.lowerBound + opening.utf8CodeUnitCount)..<member.upperBound
    var decoder = CanonicalDecoder(bytes(range), zoneID: parts.envelope.zoneID)
    return decoder.reference()
  }

  /// The server's version of the record.
  package var recordChangeTag: String? {
    guard let parts else { return system?.recordChangeTag }
    return parts.layout.changeTag.isEmpty
      ? nil : CanonicalDecoder.string(bytes(parts.layout.changeTag))
  }

  /// When the record was last saved.
  package var modificationDate: Date? {
    guard let parts else { return system?.modificationDate }
    return parts.layout.modified.isEmpty
      ? nil : CanonicalDate.date(from: bytes(parts.layout.modified))
  }

  /// Everything but the values, decoded.
  package var systemFields: SystemFields {
    var fields = decodedSystemFields
    if hasNewParent { fields.parent = parent }
    if hasNewShare { fields.share = share }
    guard hasNewOpening else { return fields }
    fields.recordID = recordID
    fields.recordType = recordType
    return fields
  }

  private var decodedSystemFields: SystemFields {
    guard let parts else {
      return system ?? SystemFields(recordID: recordID, recordType: recordType)
    }
    let zoneID = parts.envelope.zoneID
    var others = CanonicalDecoder(bytes(parts.layout.otherMembers), zoneID: zoneID)
    var decoder = CanonicalDecoder(bytes(parts.layout.systemFields), zoneID: zoneID)
    return decoder.systemFields(
      recordID: RecordID(packedName: packedName, zoneID: zoneID),
      recordType: parts.envelope.recordType,
      otherMembers: parts.layout.otherMembers.isEmpty ? [] : others.members())
  }

  /// The record as it stands, all of it decoded.
  package var resultRecord: ResultRecord {
    var system = systemFields
    system.archive = nil
    return ResultRecord(
      storage: ValueStorage(systemFields: system, fields: slots.indices.map(field(at:))))
  }
}
