import RecordModel

extension SaveRule {
  /// The record, as it will be stored, is within the limits on records, names and assets.
  ///
  /// Source: `RecordLimits`.
  static let limits = SaveRule { save, request in
    let record = save.merged
    try request.rules.recordLimits.check(record.recordID, record.recordType, record.allFields)
  }
}
