import Foundation
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

/// A query names a zone that exists; in the shared database it has to name one.
///
/// Sources: Apple's documentation of `CKDatabase.fetch(withQuery:inZoneWith:…)`; the message is
/// reported by pyicloud and others.
enum QueriedZoneRule {
  /// - Returns: where the zone lies; nil for a query of all zones.
  static func check(_ zoneID: ZoneID?, _ snapshot: AccountSnapshot) throws -> ZoneLocation? {
    guard let zoneID else {
      guard snapshot.view.scope != .shared else {
        throw CloudError(.invalidArguments, "SharedDB does not support Zone Wide queries")
      }
      return nil
    }
    guard let zone = try snapshot.location(of: zoneID) else {
      throw try snapshot.missingZone(zoneID)
    }
    return zone
  }
}

/// A query compares and sorts by fields that the schema has.
///
/// Source: the message in CloudKit-PHP #4; that `parent` cannot be queried, the Tact blog on
/// reference queries.
enum QueriedFieldRule {
  /// - Returns: the field; nil for a field of the record type without a schema. A system field that the schema
  ///   omits has no index.
  static func field(
    named name: String, of recordType: String, _ type: CloudSchema.RecordType?
  ) throws(CloudError) -> CloudSchema.Field? {
    let schemaName = SystemField.schemaName(name)
    if let field = type?.field(named: schemaName) { return field }
    if let system = SystemField(rawValue: schemaName) {
      return CloudSchema.Field(system.rawValue, system.type)
    }
    guard type != nil || ["parent", "share"].contains(name) else { return nil }
    throw CloudError(
      .invalidArguments, "Did not find field: '\(name)' in type: '\(recordType)'")
  }
}

/// A filter has a limited number of values, of the kind that its comparison needs.
///
/// Sources: the message about the limit in the Tact blog on reference queries; Apple's *CloudKit Web
/// Services Reference*, *Filter Dictionary*.
enum FilterRule {
  static func check(
    _ filter: QueryFilter, _ rules: QueryRules, container: String?
  ) throws(CloudError) {
    let count = filter.fieldValue.elements?.count ?? 1
    guard count <= rules.maxFilterValues else {
      throw CloudError(
        .limitExceeded,
        "Query filter exceeds the limit of values: \(rules.maxFilterValues) for container "
          + "'\(container ?? "")'")
    }
    guard let problem = problem(with: filter) else { return }
    throw CloudError(
      .invalidArguments,
      "the filter \(filter.comparator.rawValue) of '\(filter.fieldName)' needs \(problem)")
  }

  private static func problem(with filter: QueryFilter) -> String? {
    let isList = filter.fieldValue.elements != nil
    switch filter.comparator {
    case .near:
      guard case .location = filter.fieldValue, let distance = filter.distance, distance > 0 else {
        return "a location, and a distance in metres above 0"
      }
    case .containsAllTokens, .containsAnyTokens, .beginsWith, .notBeginsWith,
      .listMemberBeginsWith, .notListMemberBeginsWith:
      guard case .string = filter.fieldValue else { return "a string" }
    case .in, .notIn, .listContainsAny, .notListContainsAny, .listContainsAll,
      .notListContainsAll:
      guard isList else { return "a list" }
    case .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals, .listContains,
      .notListContains:
      guard !isList else { return "a value that is no list" }
    case .equals, .notEquals: break
    }
    return nil
  }
}

/// The value of a filter has the type of its field: a list of it for `IN`, an element of it for
/// `LIST_CONTAINS`. Without a schema, a field has the type of its stored values. CloudKit's development
/// environment also takes the type from the first record with the field.
///
/// A comparison for lists needs a list field. Most other comparisons need a field that is not a list.
///
/// Sources: the server's message in a Python client's comment on the live server and in OpenCloudKit
/// #2; openradar 23687098 for lists; Apple's *CloudKit Web Services Reference*, "Comparators", for the
/// fields of comparisons, whose message is not known. The server is not known to reject an integer for
/// a `DOUBLE` field or the reverse: they are compared as numbers. Users and record names are given as
/// text, too.
enum FilterTypeRule {
  static func check(
    _ filter: QueryFilter, _ type: CloudSchema.RecordType
  ) throws(CloudError) {
    guard !filter.isAllText,
      let field = try QueriedFieldRule.field(named: filter.fieldName, of: type.name, type)
    else { return }
    try check(filter, field)
  }

  /// - Parameter stored: the field in a record of the type.
  static func check(_ filter: QueryFilter, stored: Field) throws(CloudError) {
    guard let type = ValueKind(stored).fieldType else { return }
    guard !type.isEncrypted else { throw QueryIndexRule.encrypted(stored.name, type, filter) }
    try check(filter, CloudSchema.Field(stored.name, type))
  }

  static func check(_ filter: QueryFilter, _ field: CloudSchema.Field) throws(CloudError) {
    try checkType(filter, field)
    guard let needsList = filter.comparator.needsListField, needsList != field.type.isList else {
      return
    }
    throw CloudError(
      .invalidArguments,
      "the filter \(filter.comparator.rawValue) of '\(filter.fieldName)' needs a field that is "
        + (needsList ? "a list" : "not a list"))
  }

  private static func checkType(
    _ filter: QueryFilter, _ field: CloudSchema.Field
  ) throws(CloudError) {
    guard let given = filter.fieldValue.type, given != .emptyList else { return }
    let value = CloudSchema.FieldType(of: given)
    let expected = CloudSchema.FieldType(
      field.type.primitive, isList: filter.comparator.takesList ?? field.type.isList)
    guard value?.isList != expected.isList || !accepts(value?.primitive, field, filter.comparator)
    else { return }
    throw CloudError(.invalidArguments, "Invalid value, expected type \(expected.serverName).")
  }

  private static func accepts(
    _ primitive: CloudSchema.Primitive?, _ field: CloudSchema.Field,
    _ comparator: QueryFilter.Comparator
  ) -> Bool {
    switch (primitive, field.type.primitive) {
    case (let given, let wanted) where given == wanted: true
    case (.int64, .double), (.double, .int64), (.int64, .number), (.double, .number): true
    case (.string, .reference): SystemField.isSystem(field.name) && !comparator.isForText
    default: false
    }
  }
}

extension QueryFilter.Comparator {
  /// Whether the field of the comparison is a list; nil if it may be one.
  fileprivate var needsListField: Bool? {
    switch self {
    case .listContains, .notListContains, .listContainsAny, .notListContainsAny, .listContainsAll,
      .notListContainsAll, .listMemberBeginsWith, .notListMemberBeginsWith:
      true
    case .equals, .notEquals, .containsAllTokens, .containsAnyTokens: nil
    default: false
    }
  }

  /// Whether the value of the comparison is a list; nil if it is one as the field is.
  fileprivate var takesList: Bool? {
    switch self {
    case .in, .notIn, .listContainsAny, .notListContainsAny, .listContainsAll,
      .notListContainsAll:
      true
    case .equals, .notEquals: nil
    default: false
    }
  }
}

/// A query by very many references fails on the server, if that is asked for.
///
/// Source: the Tact blog on reference queries. See ``QueryRules/maxReferenceValues``.
enum ReferenceQueryRule {
  static func check(_ filter: QueryFilter, _ rules: QueryRules) throws(CloudError) {
    guard let most = rules.maxReferenceValues, filter.fieldValue.references.count > most,
      filter.fieldValue.elements != nil
    else { return }
    switch rules.referenceFailure {
    case .serverRejectedRequest:
      throw CloudError(.serverRejectedRequest).withServerMessage
    case .serviceUnavailable: throw CloudError(.serviceUnavailable).withServerMessage
    case .requestRateLimited(let seconds):
      throw CloudError(
        .requestRateLimited, "Request failed with http status code 429", retryAfter: seconds)
    }
  }
}

/// A cursor is used with the database that made it, and not too late.
///
/// Sources: Apple's documentation of `CKQueryOperation.Cursor`; the messages are not the server's,
/// which are not known.
enum CursorRule {
  static func check(
    _ cursor: CursorContent, in database: DatabaseKey, of info: ContainerInfo, at date: Date,
    _ rules: QueryRules
  ) throws(CloudError) {
    guard cursor.database == database, cursor.container == info.identifier,
      cursor.environment == info.environment?.rawValue
    else {
      let container = cursor.container.map { " of '\($0)'" } ?? " of a container without a name"
      throw CloudError(
        .invalidArguments,
        "the query cursor belongs to the \(cursor.database.scope.rawValue) database\(container)"
          + (cursor.environment.map { " (\($0))" } ?? "")
          + (cursor.database.account == database.account ? "" : ", as another user sees it"))
    }
    guard date.timeIntervalSince(cursor.date) <= rules.cursorLifetime else {
      throw CloudError(
        .invalidArguments,
        "the query cursor has expired: it was made more than \(rules.cursorLifetime) seconds ago")
    }
  }
}
