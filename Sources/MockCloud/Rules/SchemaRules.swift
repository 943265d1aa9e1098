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

/// In development, the first value creates its field, and the first record its type: the field gets
/// the value's type and all indexes that it can have, the type the default grants.
///
/// Sources: Apple's documentation of `CKRecord` ("the first time you set a value for a key"); what
/// 33 real schemas have (`CloudSchema.IndexOptions.justInTime`). Server-to-server calls create
/// nothing: ``ServerRules/justInTimeSchema-swift.property``.
enum JustInTimeRule {
  static func check(type: String, _ rules: ServerRules) throws(CloudError) {
    guard rules.justInTimeSchema == .refused else { return }
    // `NOT_FOUND` in Web Services. Source: OpenCloudKit (levinli303), `testCreateRecordUnknownType`.
    throw CloudError(.unknownItem, ServerMessage.typeNotFound(type))
  }

  static func check(
    field: Field, of recordType: String, _ rules: ServerRules
  ) throws(CloudError) {
    guard rules.justInTimeSchema == .refused else { return }
    throw CloudError(.invalidArguments, ServerMessage.fieldNotFound(field.name, in: recordType))
  }

  /// Source: Apple's TN3164.
  static func check(fieldCount: Int, _ rules: ServerRules) throws(CloudError) {
    guard fieldCount >= rules.maxFields else { return }
    throw CloudError(.limitExceeded, "Limit Exceeded")
  }

  /// Returns the field that a value creates.
  ///
  /// - Throws: the server's message for an empty list, of EVCloudKitDao #35: its type is not known.
  static func definition(
    of field: Field, in recordType: String
  ) throws(CloudError) -> CloudSchema.Field {
    let kind = ValueKind(field)
    if kind.isEmptyList {
      throw CloudError(
        .invalidArguments, ServerMessage.emptyListInNewField(field.name, in: recordType))
    }
    // The limits on names allow some of the server's own that no schema has.
    guard let type = kind.fieldType, isAllowed(field.name, in: recordType) else {
      throw CloudError(
        .invalidArguments,
        "field '\(field.name)' of record type '\(recordType)' cannot be created")
    }
    return CloudSchema.Field(field.name, type, .justInTime(for: type))
  }

  private static func isAllowed(_ name: String, in recordType: String) -> Bool {
    if SchemaNames.isPlain(name) { return true }
    return SchemaNames.managedTypes.contains(recordType) && SchemaNames.isManaged(name)
      && SchemaNames.isPlain(String(name.dropFirst(SchemaNames.managedPrefix.count)))
  }
}

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
    // Whether or not the value is encrypted. Source: MistKit, `encrypted-fields-adp-probe` (live).
    guard scope != .public || !defined.isEncrypted else { throw CloudError.encryptedInPublic }
    let problem = RecordValidator.problem(
      field.name, of: recordType, ValueKind(field), defined, scope)
    guard let problem else { return }
    throw CloudError(.invalidArguments, problem.serverMessage ?? problem.message)
  }
}
