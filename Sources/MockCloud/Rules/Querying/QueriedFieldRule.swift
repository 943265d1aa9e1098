import RecordModel
import RecordSchema

/// A query compares and sorts by fields that the schema has.
///
/// Source: the message in CloudKit-PHP #4; that `parent` cannot be queried, the Tact blog on
/// reference queries.
enum QueriedFieldRule {
  /// - Returns: the field; nil without a schema. A system field that the schema omits has no index.
  static func field(
    named name: String, of recordType: String, _ type: CloudSchema.RecordType?
  ) throws(CloudError) -> CloudSchema.Field? {
    let schemaName = SystemFieldNames.schemaName(name)
    if let field = type?.field(named: schemaName) { return field }
    if let system = CloudSchema.SystemField(rawValue: schemaName) {
      return type == nil ? nil : CloudSchema.Field(system.rawValue, system.type)
    }
    guard type != nil || ["parent", "share"].contains(name) else { return nil }
    throw CloudError(
      .invalidArguments, "Did not find field: '\(name)' in type: '\(recordType)'")
  }
}
