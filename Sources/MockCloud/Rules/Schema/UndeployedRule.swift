import RecordModel
import RecordSchema

/// In production, a record has a type and fields that were deployed.
///
/// Sources: the server's messages, for fields in IceCream #164 and others, for types in TablePro
/// #2226 and Sodalite #45. Each is the error of one record (12/2006).
enum UndeployedRule {
  static func check(
    type: String, in environment: ContainerInfo.Environment
  ) throws(CloudError) {
    guard environment == .production else { return }
    throw CloudError(.invalidArguments, ServerMessage.cannotCreateType(type))
  }

  static func check(
    field: String, of recordType: String, in environment: ContainerInfo.Environment
  ) throws(CloudError) {
    guard environment == .production else { return }
    throw CloudError(.invalidArguments, ServerMessage.cannotCreateField(field, in: recordType))
  }
}
