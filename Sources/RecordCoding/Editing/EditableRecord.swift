import RecordModel

import struct Foundation.Date

/// A mutable record whose unchanged parts remain bytes, for migrations.
///
/// Most of a record is neither decoded nor encoded. ``wasRead`` tracks whether a value was read; if
/// not, the ``edits`` apply to every record with the same ``outline``. Reuse one object for many
/// records. It is not thread-safe.
package final class EditableRecord {
  /// The database of the record.
  @exclusivity(unchecked) package private(set) var database = DatabaseScope.private
  /// The changes to the record.
  @exclusivity(unchecked) package internal(set) var edits = RecordEdits()
  /// Whether a value, the name, the parent or the share was read.
  @exclusivity(unchecked) package var wasRead = false

  /// The canonical bytes the record was loaded from; nil if it was loaded from values.
  @exclusivity(unchecked) var parts: RecordParts?
  /// Retains the bytes if no other object does.
  @exclusivity(unchecked) private var owner: AnyObject?
  /// The system fields of a record that was loaded from values.
  @exclusivity(unchecked) private var system: SystemFields?
  /// The name, if it was decoded or changed; otherwise nil.
  @exclusivity(unchecked) private var name: PackedName?
  /// Caches for the next records: field names, and the start of the last record written.
  @exclusivity(unchecked) var knownNames: [FieldName] = []
  @exclusivity(unchecked) var targetEnvelope: RecordEnvelope?
  let writer = RecordJSONWriter()

  package init() {}

  /// Creates a record from values.
  package convenience init(_ record: ResultRecord, in database: DatabaseScope) {
    self.init()
    load(record, in: database)
  }

  /// Loads another record.
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

  /// - Parameter fields: the fields, sorted by name, without duplicates.
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

  /// Loads a record from canonical bytes. Call ``begin()`` or ``adopt(_:)`` before any other
  /// method.
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

  /// Begins editing a record that was loaded from bytes.
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

  /// Applies the edits of another record to this one, which was loaded from bytes.
  ///
  /// Both records must have the same ``outline``, and the values of the other one must not have
  /// been read.
  ///
  /// - Returns: false if the edits do not apply to this record's values.
  package func adopt(_ other: RecordEdits) -> Bool {
    guard let parts else { return false }
    if case .field(let source) = other.parent, !isPlainReference(parts.values[source]) {
      return false
    }
    edits = other
    return true
  }
}

// MARK: - Source

extension EditableRecord {
  /// What is known of a record without reading its values.
  package struct Outline: Equatable {
    private let envelope: ObjectIdentifier
    private let shape: ObjectIdentifier
    private let database: DatabaseScope
    private let hasParent: Bool
    private let hasShare: Bool

    init?(_ parts: RecordParts, _ database: DatabaseScope) {
      // The outline does not describe JSON members that the model has no property for.
      guard !parts.layout.hasFieldMembers else { return nil }
      envelope = ObjectIdentifier(parts.envelope)
      shape = ObjectIdentifier(parts.shape)
      self.database = database
      hasParent = !parts.layout.parent.isEmpty
      hasShare = !parts.layout.share.isEmpty
    }
  }

  /// The outline of the record as it was loaded; nil if it was loaded from values. See
  /// ``outlineObjects``.
  package var outline: Outline? { parts.flatMap { Outline($0, database) } }

  /// The objects whose identities the outline contains. Retain them with the outline, so that no
  /// other objects can have the same identities.
  package var outlineObjects: [AnyObject] { parts.map { [$0.envelope, $0.shape] } ?? [] }

  /// The shape of the record as it was loaded, the same object for records with the same fields;
  /// nil if it was loaded from values.
  package var sourceShape: RecordShape? { parts?.shape }

  /// The dictionary of the record as it was loaded, without its first brace; nil if it was loaded
  /// from values.
  package var sourceBytes: UnsafeRawBufferPointer? { parts?.body }

  /// The zone and type of the record as it was loaded.
  package var sourceZoneID: ZoneID { parts?.envelope.zoneID ?? system?.recordID.zoneID ?? .default }
  package var sourceType: String { parts?.envelope.recordType ?? system?.recordType ?? "" }

  /// The identity of the record as it was loaded.
  package var sourceID: RecordID {
    guard let parts else { return system?.recordID ?? recordID }
    wasRead = true
    return RecordID(packedName: name(in: parts), zoneID: parts.envelope.zoneID)
  }

  private func name(in parts: RecordParts) -> PackedName {
    let text = bytes(parts.layout.recordName)
    return PackedName(uuid: text) ?? PackedName(CanonicalDecoder.string(text))
  }

  /// Returns the bytes of a value, from its start (high half) to its end (low half).
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
  /// The type of the record.
  package var recordType: String { edits.recordType }
  /// The zone of the record.
  package var zoneID: ZoneID { edits.zoneID }
  /// The identity of the record.
  package var recordID: RecordID { RecordID(packedName: packedName, zoneID: zoneID) }

  /// Whether the record ID changed.
  package var hasNewIdentity: Bool { edits.hasNewIdentity }

  var packedName: PackedName {
    wasRead = true
    if let name { return name }
    guard let parts else { return .text("") }
    let found = name(in: parts)
    name = found
    return found
  }

  /// Changes the type of the record.
  package func retype(_ recordType: String) {
    edits.recordType = recordType
    edits.hasNewOpening = true
  }

  /// Changes the name of the record, but not of references to it.
  package func rename(to recordName: String) {
    // The name is not part of the edits that other records can adopt.
    wasRead = true
    name = PackedName(recordName)
    edits.hasNewOpening = true
    edits.hasNewIdentity = true
  }

  /// Moves the record to another zone. The targets of its references do not change.
  package func move(to zone: ZoneID) {
    guard zone != zoneID else { return }
    // The bytes of a reference within the record's zone do not contain the zone.
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

  /// Appends the name of the record in UTF-8.
  package func appendName(to buffer: ByteBuffer) {
    if let text = unchangedName, !text.contains(0x5C) { return buffer.append(text) }
    buffer.append(packedName.string)
  }

  /// The name in the bytes the record was loaded from; nil if it was decoded or changed.
  var unchangedName: UnsafeRawBufferPointer? {
    name == nil ? parts.map { bytes($0.layout.recordName) } : nil
  }
}

// MARK: - System fields

extension EditableRecord {
  /// The version of the record on the server.
  package var recordChangeTag: String? {
    guard let parts else { return system?.recordChangeTag }
    return parts.layout.changeTag.isEmpty
      ? nil : CanonicalDecoder.string(bytes(parts.layout.changeTag))
  }

  /// The time of the last save.
  package var modificationDate: Date? {
    guard let parts else { return system?.modificationDate }
    return parts.layout.modified.isEmpty
      ? nil : CanonicalDate.date(from: bytes(parts.layout.modified))
  }

  /// Everything but the field values, decoded.
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

  /// The record in its current state, decoded.
  package var resultRecord: ResultRecord {
    var system = systemFields
    system.archive = nil
    return ResultRecord(
      storage: ValueStorage(
        systemFields: system, fields: edits.slots.indices.map(field(at:))))
  }
}
