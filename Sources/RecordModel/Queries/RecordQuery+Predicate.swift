extension RecordQuery {
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
    var parser = PredicateParser(
      try PredicateLexer.tokens(of: format), arguments: arguments.map(\.recordValue))
    self.init(recordType: recordType, filters: try parser.filters(), sort: sort)
  }
}
