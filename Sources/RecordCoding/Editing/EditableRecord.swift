import RecordModel

/// A mutable record whose unchanged parts remain bytes, for migrations.
///
/// Most of a record is neither decoded nor encoded. ``dependsOnValues`` tells whether any of it was read; if
/// not, the ``edits`` apply to every record with the same ``editKey``. Reuse one object for many
/// records. It is not thread-safe.
package final class EditableRecord {
  /// The database of the record.
  @exclusivity(unchecked) package private(set) var database = DatabaseScope.private
  /// The changes to the record.
  @exclusivity(unchecked) package internal(set) var edits = RecordEdits() {
    didSet { if applied != nil { applied = nil } }
  }
  /// The source of ``edits``, as long as they are the same.
  @exclusivity(unchecked) private var applied: LearntEdits?
  /// Whether a value, the name, the parent or the share was read.
  @exclusivity(unchecked) package internal(set) var dependsOnValues = false

  /// The bytes the record was loaded from; nil if it was loaded from values.
  @exclusivity(unchecked) var source: RecordSource?
  /// Retains the bytes if no other object does.
  @exclusivity(unchecked) private var owner: AnyObject?
  /// The system fields of a record that was loaded from values.
  @exclusivity(unchecked) private(set) var system: SystemFields?
  /// Whether there are such; looking at ``system``, which is large, would copy it.
  @exclusivity(unchecked) private var hasSystem = false
  /// The name, if it was decoded or changed; otherwise nil.
  @exclusivity(unchecked) var name: CompactName?
  /// Caches for the next records: field names, and the start of the last record written.
  @exclusivity(unchecked) var knownNames: [FieldName] = []
  @exclusivity(unchecked) var targetPrefix: RecordPrefix?
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
      load(record.systemFields, record.allFields, in: database)
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
    for index in fields.indices { edits.slots.append(EditedField(newField: index)) }
  }

  /// Loads a record from canonical bytes. Call ``begin()`` or ``apply(_:)`` before any other
  /// method.
  func load(_ parts: RecordParts, in database: DatabaseScope) {
    reset()
    self.database = database
    source = RecordSource(parts)
  }

  /// Forgets the last record, except its ``source``.
  private func reset() {
    dependsOnValues = false
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
        EditedField(
          source: index, isEncrypted: source.entries[index].isEncrypted, isUnchanged: true))
    }
    if !edits.newFields.isEmpty { edits.newFields = [] }
    if !edits.newNames.isEmpty { edits.newNames = [] }
    if !edits.lists.isEmpty { edits.lists = [] }
    edits.copies = 0
    edits.newBytes = 0
    edits.recordType = source.prefix.recordType
    edits.zoneID = source.prefix.zoneID
    edits.didChangePrefix = false
    edits.didChangeFields = false
    edits.didChangeID = false
    edits.parent = .unchanged
    edits.share = .unchanged
    if !edits.plainReferences.isEmpty { edits.plainReferences = [] }
  }

  /// Applies the edits of another record to this one, which was loaded from bytes.
  ///
  /// Both records must have the same ``editKey``, and the values of the other one must not have
  /// been read.
  ///
  /// - Returns: false if the edits do not apply to this record's values.
  package func apply(_ other: LearntEdits) -> Bool {
    guard let source else { return false }
    for index in other.edits.plainReferences where !source.isPlainReference(at: index) {
      return false
    }
    // Most records get the same edits as the one before, and copying them counts references.
    if applied !== other {
      edits = other.edits
      applied = other
    }
    return true
  }

  /// Calls `body`, whose reads are not noted: no edit may depend on them.
  package func peeking<R>(_ body: () -> R) -> R {
    let dependsOnValues = dependsOnValues
    defer { self.dependsOnValues = dependsOnValues }
    return body()
  }
}
