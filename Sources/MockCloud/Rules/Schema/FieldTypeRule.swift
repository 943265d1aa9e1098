import RecordModel
import RecordSchema

/// A value has the type of its field, encrypted or not, as a list or not, in both environments. An
/// empty list fits every list.
///
/// Sources: the server's messages in Seam3 #18 and CloudCore #42 (12/2006); for encrypted values in
/// MistKit #392.
enum FieldTypeRule {
  static func check(
    _ field: Field, of recordType: String, as defined: CloudSchema.FieldType,
    in scope: DatabaseScope
  ) throws(CloudError) {
    let problem = RecordValidator.problem(
      field.name, of: recordType, ValueKind(field), defined, scope)
    guard let problem else { return }
    throw CloudError(.invalidArguments, problem.serverMessage ?? problem.message)
  }
}
