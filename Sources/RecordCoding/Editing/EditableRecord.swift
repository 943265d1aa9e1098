import RecordModel

import struct Foundation.Date

/// A record whose parts are changed one by one, while all others stay the bytes they came as.
///
/// What a migration works on: most of a record is neither decoded nor encoded again. And it knows
/// whether anybody has looked at its values: where nobody has, its ``edits`` fit every record with
/// the same fields. One object serves for many records, one after the other; it belongs to one
/// thread.
package final class EditableRecord {
  /// The database the record lies in.
  @exclusivity(unchecked) package private(set) var database = DatabaseScope.private
  /// What has been changed.
  @exclusivity(unchecked) package internal(set) var edits = RecordEdits()
  /// Whether a value, the name, the parent or the share was looked at.
  @exclusivity(unchecked) package var wasRead = false

  /// The canonical bytes the record came as; nil where it came as values.
  @exclusivity(unchecked) var parts: RecordParts?
  /// Keeps the bytes in memory, where nobody else does.
  @exclusivity(unchecked) private var owner: AnyObject?
  /// The system fields of a record that came as values.
  @exclusivity(unchecked) private var system: SystemFields?
  /// The name the record has got, or came with; nil while it is only bytes.
  @exclusivity(unchecked) private var name: PackedName?
  /// What is of use for the next record too: names of fields, and how a record begins.
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
      begin()
    } else if let values = record.storage.values {
      load(values.systemFields, values.fields, in: database)
    } else {
      load(record.systemFields, Array(record.fields), in: database)
    }
  }

  /// - Parameter fields: in the order of their names, none twice.
  private func load(_ system: SystemFields, _ fields: [Field], in database: DatabaseScope) {
    forget()
    self.database = database
    self.system = system
    name = system.recordID.packedName
    edits = RecordEdits()
    edits.recordType = system.recordType
    edits.zoneID = system.recordID.zoneID
    edits.made = fields
    for index in fields.indices { edits.slots.append(FieldSlot(made: index)) }
  }

  /// Takes over a record that lies in memory as canonical bytes. ``begin()`` or ``adopt(_:)`` must
  /// follow, before anything else is asked.
  func load(_ parts: RecordParts, in database: DatabaseScope) {
    forget()
    self.database = database
    self.parts = parts
  }

  private func forget() {
    wasRead = false
    if name != nil { name = nil }
    if owner != nil { owner = nil }
    if system != nil { system = nil }
    parts = nil
  }

  /// Begins to change a record that was loaded as bytes.
  package func begin() {
    guard let parts else { return }
    edits.slots.removeAll(keepingCapacity: true)
    for index in parts.entries.indices {
      edits.slots.append(FieldSlot(source: index, isEncrypted: parts.entries[index].isEncrypted))
    }
    if !edits.made.isEmpty { edits.made = [] }
    if !edits.newNames.isEmpty { edits.newNames = [] }
    if !edits.lists.isEmpty { edits.lists = [] }
    edits.copies = 0
    edits.newBytes = 0
    edits.recordType = parts.envelope.recordType
    edits.zoneID = parts.envelope.zoneID
    edits.hasNewOpening = false
    edits.hasNewFields = false
    edits.hasNewIdentity = false
    edits.parent = .asItCame
    edits.share = .asItCame
  }

  /// Changes a record that was loaded as bytes as another one was changed, which had the same
  /// ``outline``, and whose values nobody looked at.
  ///
  /// - Returns: false where the edits do not fit its values after all.
  package func adopt(_ other: RecordEdits) -> Bool {
    guard let parts else { return false }
    if case .field(let source) = other.parent, !isPlainReference(parts.values[source]) {
      return false
    }
    edits = other
    return true
  }
}

// MARK: - What it came as

extension EditableRecord {
  /// All that can be told of a record without a look at its values; nil where it came as values.
  package struct Outline: Equatable {
    private let envelope: ObjectIdentifier
    private let shape: ObjectIdentifier
    private let database: DatabaseScope
    private let hasParent: Bool
    private let hasShare: Bool

    init?(_ parts: RecordParts, _ database: DatabaseScope) {
      // Nothing is told of members that the model does not know.
      guard !parts.layout.hasFieldMembers else { return nil }
      envelope = ObjectIdentifier(parts.envelope)
      shape = ObjectIdentifier(parts.shape)
      self.database = database
      hasParent = !parts.layout.parent.isEmpty
      hasShare = !parts.layout.share.isEmpty
    }
  }

  /// What can be told of the record as it was loaded; see ``outlineObjects``.
  package var outline: Outline? { parts.flatMap { Outline($0, database) } }

  /// Who keeps the outline must keep these: no other object can take their place then.
  package var outlineObjects: [AnyObject] { parts.map { [$0.envelope, $0.shape] } ?? [] }

  /// The shape the record came in: the same object for records with the same fields; nil where it
  /// came as values.
  package var sourceShape: RecordShape? { parts?.shape }

  /// The dictionary the record came as, without its first brace; nil where it came as values.
  package var sourceBytes: UnsafeRawBufferPointer? { parts?.body }

  /// The zone and the type the record came with.
  package var sourceZoneID: ZoneID { parts?.envelope.zoneID ?? system?.recordID.zoneID ?? .default }
  package var sourceType: String { parts?.envelope.recordType ?? system?.recordType ?? "" }

  /// The identity the record came with.
  package var sourceID: RecordID {
    guard let parts else { return system?.recordID ?? recordID }
    wasRead = true
    return RecordID(packedName: name(in: parts), zoneID: parts.envelope.zoneID)
  }

  private func name(in parts: RecordParts) -> PackedName {
    let text = bytes(parts.layout.recordName)
    return PackedName(uuid: text) ?? PackedName(CanonicalDecoder.string(text))
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

// MARK: - Identity

extension EditableRecord {
  /// The record's type.
  package var recordType: String { edits.recordType }
  /// The record's zone.
  package var zoneID: ZoneID { edits.zoneID }
  /// The record's identity.
  package var recordID: RecordID { RecordID(packedName: packedName, zoneID: zoneID) }

  /// Whether the record has got another name or zone.
  package var hasNewIdentity: Bool { edits.hasNewIdentity }

  var packedName: PackedName {
    wasRead = true
    if let name { return name }
    guard let parts else { return .text("") }
    let found = name(in: parts)
    name = found
    return found
  }

  /// Gives the record another type.
  package func retype(_ recordType: String) {
    edits.recordType = recordType
    edits.hasNewOpening = true
  }

  /// Gives the record another name; references to it do not follow.
  package func rename(to recordName: String) {
    // The name is none of the edits that others could adopt.
    wasRead = true
    name = PackedName(recordName)
    edits.hasNewOpening = true
    edits.hasNewIdentity = true
  }

  /// Moves the record to another zone; what it refers to stays where it is.
  package func move(to zone: ZoneID) {
    guard zone != zoneID else { return }
    // Bytes do not say the zone of a reference into the record's own.
    for index in edits.slots.indices where edits.slots[index].made == nil {
      let type = valueType(at: index)
      if type == .reference || type == .referenceList { place(field(at: index), at: index) }
    }
    if hasParent { parent = parent }
    if hasShare { share = share }
    edits.zoneID = zone
    edits.hasNewOpening = true
    edits.hasNewIdentity = true
  }

  /// Appends the record's name, in UTF-8.
  package func appendName(to buffer: ByteBuffer) {
    if let text = unchangedName, !text.contains(0x5C) { return buffer.append(text) }
    buffer.append(packedName.string)
  }

  /// The name as it stands in the bytes the record came as, while it has no other.
  var unchangedName: UnsafeRawBufferPointer? {
    name == nil ? parts.map { bytes($0.layout.recordName) } : nil
  }
}

// MARK: - System fields

extension EditableRecord {
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
    wasRead = true
    var fields = sourceSystemFields
    if case .asItCame = edits.parent {} else { fields.parent = parent }
    if case .asItCame = edits.share {} else { fields.share = share }
    fields.recordID = recordID
    fields.recordType = recordType
    return fields
  }

  var sourceSystemFields: SystemFields {
    guard let parts else {
      return system ?? SystemFields(recordID: recordID, recordType: recordType)
    }
    let zoneID = parts.envelope.zoneID
    var others = CanonicalDecoder(bytes(parts.layout.otherMembers), zoneID: zoneID)
    var decoder = CanonicalDecoder(bytes(parts.layout.systemFields), zoneID: zoneID)
    return decoder.systemFields(
      recordID: RecordID(packedName: name(in: parts), zoneID: zoneID),
      recordType: parts.envelope.recordType,
      otherMembers: parts.layout.otherMembers.isEmpty ? [] : others.members())
  }

  /// The record as it stands, all of it decoded.
  package var resultRecord: ResultRecord {
    var system = systemFields
    system.archive = nil
    return ResultRecord(
      storage: ValueStorage(
        systemFields: system, fields: edits.slots.indices.map(field(at:))))
  }
}
