/// A query for records of one type (`CKQuery`).
public struct RecordQuery: Sendable, Hashable {
  /// The type of the records looked for.
  @ExactText public var recordType: String
  /// Comparisons that all must hold; none is the true predicate.
  public var filters: [QueryFilter]
  /// The order of the results.
  public var sort: [QuerySort]
  /// What a server sent that this model does not know.
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
}
