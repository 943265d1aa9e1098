import RecordModel
import RecordSchema

extension PendingSchema {
  /// Judges a record, and adds its type and fields if it may.
  ///
  /// - Throws: `CloudError`; what was added before stays.
  mutating func judge(
    _ save: PendingSave, in scope: DatabaseScope, _ rules: ServerRules
  ) throws(CloudError) {
    let recordType = save.draft.recordType
    if !hasType(recordType) {
      try UndeployedRule.check(type: recordType, in: base.environment)
      try JustInTimeRule.check(type: recordType, rules)
      addType(recordType)
    }
    for field in save.sentFields {
      if let defined = self.field(named: field.name, of: recordType) {
        try FieldTypeRule.check(field, of: recordType, as: defined.type, in: scope)
      } else {
        try UndeployedRule.check(field: field.name, of: recordType, in: base.environment)
        try JustInTimeRule.check(field: field, of: recordType, rules)
        add(try JustInTimeRule.definition(of: field, in: recordType), to: recordType)
      }
    }
  }
}
