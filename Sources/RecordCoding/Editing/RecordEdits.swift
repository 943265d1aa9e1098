import RecordModel

/// What has been changed in a record: where each of its fields is to come from, and what else is
/// not as it came.
///
/// Where the values of the record played no part in it, the same edits fit every other record with
/// the same fields.
package struct RecordEdits {
  var slots: [FieldSlot] = []
  /// The fields that have values of their own.
  var made: [Field] = []
  /// The names that fields of the source have got.
  var newNames: [FieldName] = []
  /// The lists that were made of values of the source: the places of their elements.
  var lists: [[Int]] = []
  /// How many values of the source were copied.
  var copies = 0
  /// The bytes of all values that are nowhere in the source, also of those that were dropped again.
  package internal(set) var newBytes = 0
  var recordType = ""
  var zoneID = ZoneID.default
  /// Whether type, zone or name are no longer those of the bytes.
  var hasNewOpening = false
  /// Whether fields were changed.
  var hasNewFields = false
  /// Whether the record has got another name or zone.
  var hasNewIdentity = false
  var parent = ReferenceEdit.asItCame
  var share = ReferenceEdit.asItCame

  /// The most values of the source that are copied without being looked at.
  static let maximumCopies = 64

  /// What has become of a reference of the system fields.
  enum ReferenceEdit {
    case asItCame
    case changed(to: Reference?)
    /// It is the reference that a field of the source holds.
    case field(Int)
  }
}
