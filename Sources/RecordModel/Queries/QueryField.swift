/// A field in a query, from which filters are made in Swift.
///
/// ```swift
/// let query = RecordQuery(
///   recordType: "Message",
///   filters: [QueryField("chat") == chat, QueryField.creationDate > yesterday])
/// ```
public struct QueryField: Sendable {
  /// The name; `___recordID` and the like for system fields.
  public let name: String

  /// Creates a field of this name.
  public init(_ name: String) { self.name = name }

  /// The record's identifier.
  public static let recordID = QueryField(SystemField.recordID.rawValue)
  /// The time of the record's creation.
  public static let creationDate = QueryField(SystemField.createTime.rawValue)
  /// The user who created the record.
  public static let creatorUserRecordID = QueryField(SystemField.createdBy.rawValue)
  /// The time of the record's last modification.
  public static let modificationDate = QueryField(SystemField.modTime.rawValue)
  /// The user who last modified the record.
  public static let lastModifiedUserRecordID = QueryField(SystemField.modifiedBy.rawValue)

  private func filter(
    _ comparator: QueryFilter.Comparator, _ value: some RecordValueConvertible
  ) -> QueryFilter {
    QueryFilter(name, comparator, value.recordValue)
  }

  // MARK: Values

  /// Whether the value is equal.
  public static func == (field: Self, value: some RecordValueConvertible) -> QueryFilter {
    field.filter(.equals, value)
  }

  /// Whether the value is not equal.
  public static func != (field: Self, value: some RecordValueConvertible) -> QueryFilter {
    field.filter(.notEquals, value)
  }

  /// Whether the value is less.
  public static func < (field: Self, value: some RecordValueConvertible) -> QueryFilter {
    field.filter(.lessThan, value)
  }

  /// Whether the value is less or equal.
  public static func <= (field: Self, value: some RecordValueConvertible) -> QueryFilter {
    field.filter(.lessThanOrEquals, value)
  }

  /// Whether the value is greater.
  public static func > (field: Self, value: some RecordValueConvertible) -> QueryFilter {
    field.filter(.greaterThan, value)
  }

  /// Whether the value is greater or equal.
  public static func >= (field: Self, value: some RecordValueConvertible) -> QueryFilter {
    field.filter(.greaterThanOrEquals, value)
  }

  /// Whether the value is one of several.
  public func isIn<Value: RecordValueConvertible>(_ values: [Value]) -> QueryFilter {
    filter(.in, values)
  }

  /// Whether the value is none of several.
  public func isNotIn<Value: RecordValueConvertible>(_ values: [Value]) -> QueryFilter {
    filter(.notIn, values)
  }

  /// Whether a string begins with another one.
  public func begins(with text: String) -> QueryFilter { filter(.beginsWith, text) }

  /// Whether a string does not begin with another one.
  public func doesNotBegin(with text: String) -> QueryFilter { filter(.notBeginsWith, text) }

  /// Whether a location is less than a distance, in metres, from another one.
  public func isWithin(_ distance: Double, of location: Location) -> QueryFilter {
    QueryFilter(name, .near, .location(location), distance: distance)
  }

  // MARK: Lists

  /// Whether a list has an element.
  public func contains(_ value: some RecordValueConvertible) -> QueryFilter {
    filter(.listContains, value)
  }

  /// Whether a list does not have an element.
  public func doesNotContain(_ value: some RecordValueConvertible) -> QueryFilter {
    filter(.notListContains, value)
  }

  /// Whether a list has at least one of several elements.
  public func containsAny<Value: RecordValueConvertible>(of values: [Value]) -> QueryFilter {
    filter(.listContainsAny, values)
  }

  /// Whether a list has none of several elements.
  public func containsNone<Value: RecordValueConvertible>(of values: [Value]) -> QueryFilter {
    filter(.notListContainsAny, values)
  }

  /// Whether a list has all of several elements.
  public func containsAll<Value: RecordValueConvertible>(of values: [Value]) -> QueryFilter {
    filter(.listContainsAll, values)
  }

  /// Whether a list has a string that begins with another one.
  public func hasElement(beginningWith text: String) -> QueryFilter {
    filter(.listMemberBeginsWith, text)
  }
}

extension QueryFilter {
  /// A text search: finds records that have all words of the text in fields that are `SEARCHABLE`.
  public static func allText(contains text: String) -> QueryFilter {
    QueryFilter(allText, .containsAllTokens, .string(text))
  }
}
