import Foundation

/// A query for records of one type (`CKQuery`).
///
/// ```swift
/// let query = try RecordQuery(
///   recordType: "Message", predicate: "sentAt > %@", yesterday,
///   sort: [QuerySort("sentAt", ascending: false)])
/// let (results, cursor) = try await database.records(matching: query, inZoneWith: chats)
/// for (id, result) in results { print(id.recordName, try result.get()["text"] ?? "") }
/// ```
///
/// The server returns a page of records. With a cursor, `records(continuingMatchFrom:)` returns the
/// next page. A query needs indexes: `recordpack schema validate` names those that are missing.
public struct RecordQuery: Sendable, Hashable {
  /// The type of the records looked for.
  @ExactText public var recordType: String
  /// Comparisons that all must hold; none is the true predicate.
  public var filters: [QueryFilter]
  /// The order of the results.
  public var sort: [QuerySort]
  /// The JSON members that this model has no property for.
  public var otherMembers: OtherMembers

  /// Makes a query.
  public init(
    recordType: String, filters: [QueryFilter] = [], sort: [QuerySort] = [],
    otherMembers: OtherMembers = []
  ) {
    self.recordType = recordType
    self.filters = filters
    self.sort = sort
    self.otherMembers = otherMembers
  }

  /// Creates a query from a predicate's format string, as `NSPredicate(format:_:)` takes it.
  ///
  /// ```swift
  /// let query = try RecordQuery(
  ///   recordType: "Message", predicate: "chat = %@ AND sentAt > %@", chat, yesterday,
  ///   sort: [QuerySort("sentAt", ascending: false)])
  /// ```
  ///
  /// CloudKit supports a part of the language (Apple's documentation of `CKQuery`):
  ///
  /// - `=`, `!=`, `<`, `<=`, `>`, `>=`, `BETWEEN`, `IN`, `BEGINSWITH` between a field and a value
  /// - membership in lists: `list CONTAINS x`, `x IN list`, `ANY list = x`, `NONE list = x`,
  ///   `ANY %@ IN list`, `ALL %@ IN list`, `ANY list BEGINSWITH x`
  /// - text search: `self CONTAINS %@` finds records that have all words of a text in fields that are
  ///   `SEARCHABLE`
  /// - `distanceToLocation:fromLocation:(field, %@) < metres`
  /// - `AND`; `NOT` before a comparison other than an order; `TRUEPREDICATE`
  ///
  /// There is no `OR`, no key path into another record, and no comparison of two fields. The system
  /// fields are `recordID`, `creationDate`, `creatorUserRecordID`, `modificationDate` and
  /// `lastModifiedUserRecordID`; `parent` cannot be queried.
  ///
  /// - Parameters:
  ///   - recordType: The type of the records.
  ///   - format: The predicate. `%@` stands for the next argument as a value, `%K` for the name of a
  ///     field, and `%d`, `%ld`, `%u`, `%f` and the like for numbers.
  ///   - arguments: The values for the specifiers, in order.
  ///   - sort: The order of the records.
  /// - Throws: ``QueryPredicateError``, for arguments that are missing or left over, too.
  public init(
    recordType: String, predicate format: String, _ arguments: any RecordValueConvertible...,
    sort: [QuerySort] = []
  ) throws(QueryPredicateError) {
    try self.init(
      recordType: recordType, predicate: format, arguments: arguments, sort: sort)
  }

  /// Creates a query from a predicate's format string and its arguments.
  ///
  /// - Throws: ``QueryPredicateError``.
  public init(
    recordType: String, predicate format: String, arguments: [any RecordValueConvertible],
    sort: [QuerySort] = []
  ) throws(QueryPredicateError) {
    var parser = try PredicateParser(format, arguments: arguments.map(\.recordValue))
    self.init(recordType: recordType, filters: try parser.filters(), sort: sort)
  }
}

/// A comparison in a query, as Web Services spell it: CloudKit's predicates are nothing more than
/// lists of these, joined by "and".
public struct QueryFilter: Sendable, Hashable {
  /// The kind of a comparison.
  public enum Comparator: String, Sendable, Hashable, CaseIterable {
    /// The field has the value.
    case equals = "EQUALS"
    /// The field has another value.
    case notEquals = "NOT_EQUALS"
    /// The field is less than the value.
    case lessThan = "LESS_THAN"
    /// The field is at most the value.
    case lessThanOrEquals = "LESS_THAN_OR_EQUALS"
    /// The field is greater than the value.
    case greaterThan = "GREATER_THAN"
    /// The field is at least the value.
    case greaterThanOrEquals = "GREATER_THAN_OR_EQUALS"
    /// The location is within a distance of the value.
    case near = "NEAR"
    /// The text has every word of the value.
    case containsAllTokens = "CONTAINS_ALL_TOKENS"
    /// The text has a word of the value.
    case containsAnyTokens = "CONTAINS_ANY_TOKENS"
    /// The field has one of the values.
    case `in` = "IN"
    /// The field has none of the values.
    case notIn = "NOT_IN"
    /// The text begins with the value.
    case beginsWith = "BEGINS_WITH"
    /// The text does not begin with the value.
    case notBeginsWith = "NOT_BEGINS_WITH"
    /// The list has the value.
    case listContains = "LIST_CONTAINS"
    /// The list does not have the value.
    case notListContains = "NOT_LIST_CONTAINS"
    /// The list has at least one of the values.
    case listContainsAny = "LIST_CONTAINS_ANY"
    /// The list has none of the values.
    case notListContainsAny = "NOT_LIST_CONTAINS_ANY"
    /// The list has all values.
    case listContainsAll = "LIST_CONTAINS_ALL"
    /// The list lacks one of the values.
    case notListContainsAll = "NOT_LIST_CONTAINS_ALL"
    /// A text of the list begins with the value.
    case listMemberBeginsWith = "LIST_MEMBER_BEGINS_WITH"
    /// No text of the list begins with the value.
    case notListMemberBeginsWith = "NOT_LIST_MEMBER_BEGINS_WITH"
  }

  /// The kind of the comparison.
  public var comparator: Comparator
  /// The field that is compared, with the value it is compared with; a server may have sent more of
  /// it than the two.
  package var field: Field
  /// For ``Comparator/near``: the radius in metres.
  public var distance: Double?
  /// The JSON members that this model has no property for.
  public var otherMembers: OtherMembers

  /// Makes a comparison.
  public init(
    _ fieldName: String, _ comparator: Comparator, _ fieldValue: RecordValue,
    distance: Double? = nil, otherMembers: OtherMembers = []
  ) {
    self.init(
      comparator, Field(name: fieldName, value: fieldValue), distance: distance,
      otherMembers: otherMembers)
  }

  package init(
    _ comparator: Comparator, _ field: Field, distance: Double?, otherMembers: OtherMembers
  ) {
    self.comparator = comparator
    self.field = field
    self.distance = distance
    self.otherMembers = otherMembers
  }

  /// The name of the field that is compared; `___recordID` and the like for system fields.
  public var fieldName: String {
    get { field.name }
    set { replaceField(name: newValue, value: field.value) }
  }

  /// The value that the field is compared with.
  public var fieldValue: RecordValue {
    get { field.value }
    set { replaceField(name: field.name, value: newValue) }
  }

  private mutating func replaceField(name: String, value: RecordValue) {
    field = Field(
      name: name, value: value, isEncrypted: field.isEncrypted, otherMembers: field.otherMembers)
  }
}

/// An order of query results.
public struct QuerySort: Sendable, Hashable {
  /// The field that is sorted by.
  @ExactText public var fieldName: String
  /// Whether small values come first.
  public var ascending: Bool
  /// For a location: results are sorted by their distance from here.
  public var relativeLocation: Location?
  /// The JSON members that this model has no property for.
  public var otherMembers: OtherMembers

  /// Makes an order.
  public init(
    _ fieldName: String, ascending: Bool = true, relativeLocation: Location? = nil,
    otherMembers: OtherMembers = []
  ) {
    self.fieldName = fieldName
    self.ascending = ascending
    self.relativeLocation = relativeLocation
    self.otherMembers = otherMembers
  }
}

/// An error in a predicate: text that is not a predicate, or that CloudKit does not support.
public struct QueryPredicateError: Error, Sendable, Hashable, CustomStringConvertible,
  LocalizedError
{
  /// The column of the error, in Unicode scalars from 1.
  public let column: Int
  /// The text that was found, and the expected one.
  public let message: String

  package init(_ column: Int, _ message: String) {
    self.column = column
    self.message = message
  }

  /// The column and the message.
  public var description: String { "predicate, column \(column): \(message)" }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
