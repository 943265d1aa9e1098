import RecordModel

/// The changes to a record: the origin of each field, and what else changed.
///
/// If the changes do not depend on values of the record, they apply to every record with the same
/// fields. If they depend only on the form of some references, they apply to those of these records
/// whose references have that form: see ``plainReferences``.
package struct RecordEdits {
  var slots: [FieldSlot] = []
  /// The fields that have new values.
  var newFields: [Field] = []
  /// The new names of fields of the source.
  var newNames: [FieldName] = []
  /// The lists of values of the source: the indices of their elements.
  var lists: [[Int]] = []
  /// The number of values of the source that were copied.
  var copies = 0
  /// The size in bytes of all values that are not from the source, including those removed again.
  package internal(set) var newBytes = 0
  var recordType = ""
  var zoneID = ZoneID.default
  /// Whether type, zone or name changed.
  var didChangePrefix = false
  /// Whether fields changed.
  var didChangeFields = false
  /// Whether the record ID changed.
  var didChangeID = false
  var parent = ReferenceEdit.unchanged
  var share = ReferenceEdit.unchanged
  /// The indices of the fields of the source that were found to be plain references: whatever
  /// became of them, the changes depend on it. See ``RecordSource/isPlainReference(at:)``.
  var plainReferences: [Int] = []

  /// The maximum number of values of the source that are copied without decoding them.
  static let maxCopies = 64

  /// A change to a reference of the system fields.
  enum ReferenceEdit {
    case unchanged
    case changed(to: Reference?)
    /// The reference in a field of the source.
    case field(Int)
  }
}

/// The changes to a record that also apply to others. An object, because it is passed to many
/// records.
package final class LearntEdits {
  let edits: RecordEdits

  package init(_ edits: RecordEdits) { self.edits = edits }
}
