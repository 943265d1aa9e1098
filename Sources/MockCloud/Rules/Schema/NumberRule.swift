import RecordModel
import RecordSchema

/// An integer may be stored as a floating-point number where the field is one.
///
/// See ``ServerRules/integerInDoubleField-swift.property``.
enum NumberRule {
  /// Returns a draft whose integers have the type of their fields.
  static func converted(
    _ draft: DraftRecord, _ schema: PendingSchema, _ rules: ServerRules
  ) -> DraftRecord {
    guard rules.integerInDoubleField == .converted else { return draft }
    var draft = draft
    let changed = Set(draft.changedKeys())
    for field in draft.fields where changed.contains(field.name) {
      let type = schema.field(named: field.name, of: draft.recordType)?.type
      guard type?.primitive == .double else { continue }
      switch field.value {
      case .int64(let number):
        draft.setField(field.name, to: .double(Double(number)), isEncrypted: field.isEncrypted)
      case .int64List(let numbers):
        draft.setField(
          field.name, to: .doubleList(numbers.map(Double.init)), isEncrypted: field.isEncrypted)
      default: continue
      }
    }
    return draft
  }
}
