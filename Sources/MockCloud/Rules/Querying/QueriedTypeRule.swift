import RecordModel
import RecordSchema

/// A query is for records of a type that the schema has, and not for users.
///
/// Sources: Apple's documentation of `CKQuery`; `Can't query system types` and `Did not find record
/// type` are reported by many apps.
enum QueriedTypeRule {
  /// - Returns: the type; nil without a schema.
  static func check(
    _ recordType: String, _ schema: CloudSchema?
  ) throws(CloudError) -> CloudSchema.RecordType? {
    guard !recordType.isEmpty else {
      throw CloudError(.invalidArguments, "a query needs a record type")
    }
    guard !recordType.sameScalars(as: UserRecord.recordType) else {
      throw CloudError(.invalidArguments, "Can't query system types")
    }
    guard let schema else { return nil }
    guard let type = schema.recordType(named: recordType) else {
      throw CloudError(.unknownItem, "Did not find record type: \(recordType)")
    }
    return type
  }
}
