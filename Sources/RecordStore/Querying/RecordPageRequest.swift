import RecordModel
import struct Foundation.Date

/// A request for the next records of a query.
package struct RecordPageRequest {
  /// What the records match, and their order.
  package var match: QueryMatch
  package var scope: DatabaseScope
  /// Whether to search a zone.
  package var searches: (ZoneID) -> Bool
  /// Whether the user may see a record that matches.
  package var includes: (ResultRecord) throws -> Bool = { _ in true }
  /// The last record of the page before; nil for the first page.
  package var after: QueryPosition?
  /// The maximum number of records, at least 1.
  package var limit: Int
  /// Only records that were modified up to then, or at an unknown time; nil for all.
  package var modifiedUntil: Date?

  package init(
    _ match: QueryMatch, in scope: DatabaseScope,
    searching: @escaping (ZoneID) -> Bool = { _ in true },
    after: QueryPosition? = nil, limit: Int, modifiedUntil: Date? = nil
  ) {
    self.match = match
    self.scope = scope
    searches = searching
    self.after = after
    self.limit = limit
    self.modifiedUntil = modifiedUntil
  }
}

/// Records of a query, in order.
package struct RecordPage: Sendable {
  package var records: [ResultRecord] = []
  /// The last of the records if there are more after it.
  package var last: QueryPosition?
}

/// An index that a query needs and the container does not have.
struct MissingIndex: Error {
  let index: RecordIndex
  let type: Int64
}
