import RecordModel

import struct Foundation.Date

/// A mutable record whose unchanged parts remain bytes, for migrations.
///
/// Most of a record is neither decoded nor encoded. ``didReadValues`` tells whether any of it was read; if
/// not, the ``edits`` apply to every record with the same ``outline``. Reuse one object for many
/// records. It is not thread-safe.
package final class EditableRecord {
  /// The database of the record.
  @exclusivity(unchecked) package private(set) var database = DatabaseScope.private
  /// The changes to the record.
  @exclusivity(unchecked) package internal(set) var edits = RecordEdits() {
    didSet { if applied != nil { applied = nil } }
  }
  /// What ``edits`` were copied from, as long as they are the same.
  @exclusivity(unchecked) private var applied: LearntEdits?
  /// Whether a value, the name, the parent or the share was read.
  @exclusivity(unchecked) package internal(set) var didReadValues = false

  /// The bytes the record was loaded from; nil if it was loaded from values.
  @exclusivity(unchecked) var source: RecordSource?
  /// Retains the bytes if no other object does.
  @exclusivity(unchecked) private var owner: AnyObject?
  /// The system fields of a record that was loaded from values.
  @exclusivity(unchecked) private var system: SystemFields?
  /// Whether there are such; looking at ``system``, which is large, would copy it.
  @exclusivity(unchecked) private var hasSystem = false
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
    reset()
    source = nil
    self.database = database
    self.system = system
    hasSystem = true
    name = system.recordID.packedName
    edits = RecordEdits()
    edits.recordType = system.recordType
    edits.zoneID = system.recordID.zoneID
    edits.newFields = fields
    for index in fields.indices { edits.slots.append(FieldSlot(newField: index)) }
  }

  /// Loads a record from canonical bytes. Call ``begin()`` or ``apply(_:)`` before any other
  /// method.
  func load(_ parts: RecordParts, in database: DatabaseScope) {
    reset()
    self.database = database
    source = RecordSource(parts)
  }

  /// Forgets the last record, but for its ``source``.
  private func reset() {
    didReadValues = false
    if name != nil { name = nil }
    if owner != nil { owner = nil }
    if hasSystem {
      system = nil
      hasSystem = false
    }
  }

  /// Begins editing a record that was loaded from bytes.
  package func begin() {
    guard let source else { return }
    edits.slots.removeAll(keepingCapacity: true)
    for index in source.entries.indices {
      edits.slots.append(
        FieldSlot(
          source: index, isEncrypted: source.entries[index].isEncrypted, isUnchanged: true))
    }
    if !edits.newFields.isEmpty { edits.newFields = [] }
    if !edits.newNames.isEmpty { edits.newNames = [] }
    if !edits.lists.isEmpty { edits.lists = [] }
    edits.copies = 0
    edits.newBytes = 0
    edits.recordType = source.envelope.recordType
    edits.zoneID = source.envelope.zoneID
    edits.didChangePrefix = false
    edits.didChangeFields = false
    edits.didChangeID = false
    edits.parent = .unchanged
    edits.share = .unchanged
  }

  /// Applies the edits of another record to this one, which was loaded from bytes.
  ///
  /// Both records must have the same ``outline``, and the values of the other one must not have
  /// been read.
  ///
  /// - Returns: false if the edits do not apply to this record's values.
  package func apply(_ other: LearntEdits) -> Bool {
    guard let source else { return false }
    if case .field(let index) = other.edits.parent, !source.isPlainReference(source.value(index)) {
      return false
    }
    // Most records get the same edits as the one before, and copying them counts references.
    if applied !== other {
      edits = other.edits
      applied = other
    }
    return true
  }

  /// Calls `body`. What it reads is not noted: no edit may depend on it.
  package func withoutNoting<R>(_ body: () -> R) -> R {
    let didReadValues = didReadValues
    defer { self.didReadValues = didReadValues }
    return body()
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

    init?(_ source: RecordSource, _ database: DatabaseScope) {
      // The outline does not describe JSON members that the model has no property for.
      guard !source.layout.hasFieldMembers else { return nil }
      envelope = ObjectIdentifier(source.envelope)
      shape = ObjectIdentifier(source.shape)
      self.database = database
      hasParent = !source.layout.parent.isEmpty
      hasShare = !source.layout.share.isEmpty
    }
  }

  /// The outline of the record as it was loaded; nil if it was loaded from values. See
  /// ``outlineObjects``.
  package var outline: Outline? { source.flatMap { Outline($0, database) } }

  /// The objects whose identities the outline contains. Retain them with the outline, so that no
  /// other objects can have the same identities.
  package var outlineObjects: [AnyObject] { source.map { [$0.envelope, $0.shape] } ?? [] }

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
  package var sourceEnvelope: RecordEnvelope? { source?.envelope }

  /// The zone and type of the record as it was loaded.
  package var sourceZoneID: ZoneID {
    source?.envelope.zoneID ?? system?.recordID.zoneID ?? .default
  }
  package var sourceType: String { source?.envelope.recordType ?? system?.recordType ?? "" }

  /// The identity of the record as it was loaded.
  package var sourceID: RecordID {
    guard let source else { return system?.recordID ?? recordID }
    return RecordID(packedName: name(in: source), zoneID: source.envelope.zoneID)
  }

  private func name(in source: RecordSource) -> PackedName {
    CanonicalDecoder.packedName(source.read(source.layout.recordName, by: self))
  }

  /// Returns a decoder of a part of the source.
  func decoder(of range: Range<Int>, in source: RecordSource) -> CanonicalDecoder {
    CanonicalDecoder(source.read(range, by: self), zoneID: source.envelope.zoneID)
  }
}

// MARK: - Identity

extension EditableRecord {
  package var recordType: String { edits.recordType }
  package var zoneID: ZoneID { edits.zoneID }
  /// The identity of the record.
  package var recordID: RecordID { RecordID(packedName: packedName, zoneID: zoneID) }

  /// Whether the record ID changed.
  package var didChangeID: Bool { edits.didChangeID }

  var packedName: PackedName {
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
    name = PackedName(recordName)
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

// MARK: - System fields

extension EditableRecord {
  /// The version of the record on the server.
  package var recordChangeTag: String? {
    guard let source else { return system?.recordChangeTag }
    guard source.layout.hasChangeTag else { return nil }
    return CanonicalDecoder.string(source.read(source.layout.changeTag, by: self))
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
    var others = self.decoder(of: layout.otherMembers, in: source)
    var decoder = self.decoder(of: layout.systemFields, in: source)
    return decoder.systemFields(
      recordID: RecordID(packedName: name(in: source), zoneID: source.envelope.zoneID),
      recordType: source.envelope.recordType,
      otherMembers: layout.otherMembers.isEmpty ? [] : others.members())
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
