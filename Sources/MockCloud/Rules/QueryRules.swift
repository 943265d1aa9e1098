/// The rules of the server for queries that differ, or are not known.
public struct QueryRules: Sendable, Hashable {
  // MARK: Limits

  /// The maximum number of values in a filter: 250. Source: the server's message in the Tact blog on
  /// reference queries.
  public var maxFilterValues = 250

  /// The lifetime of a cursor, in seconds: 3,600. Apple's documentation only says that a cursor
  /// is for continuing soon; nothing public is known about its lifetime.
  public var cursorLifetime = 3_600.0

  // MARK: Indexes

  /// Whether a query needs the indexes of the schema, if the container has a schema. The mock
  /// rejects encrypted fields in any case. Source: the server's messages, such as `Field
  /// 'recordName' is not marked queryable` in IceCream #169.
  public var enforcesIndexes = true

  /// Whether `<`, `<=`, `>` and `>=` need `SORTABLE`; otherwise `QUERYABLE` is enough. Source of
  /// the need: Apple's *Integrating a Text-Based Schema into Your Workflow*; no known message of
  /// the server rejects a range on `QUERYABLE`.
  public var rangesNeedSortable = false

  /// The number of seconds after a save in which a query does not find the record; a fetch by its ID
  /// does. A changed record is not found either, neither as it was before. Source: about 3 seconds in
  /// MistKit #445.
  public var indexLag = 0.0

  // MARK: Queries by references

  /// The number of references in a filter above which a query fails with
  /// ``referenceFailure-swift.property``; nil for no limit but that of all values. Source: the Tact
  /// blog on reference queries and MHCloudSync, where queries failed between 193 and 250 values.
  public var maxReferenceValues: Int?

  /// The error for a query by too many references.
  public var referenceFailure = ReferenceFailure.serverRejectedRequest

  /// The errors that were seen for a query by many references. Source: the Tact blog.
  public enum ReferenceFailure: Sendable, Hashable {
    /// `Request failed with http status code 500`
    case serverRejectedRequest
    /// `Request failed with http status code 503`
    case serviceUnavailable
    /// The client shall wait for so many seconds.
    case requestRateLimited(retryAfter: Double)
  }

  /// Creates the default rules.
  public init() {}
}
