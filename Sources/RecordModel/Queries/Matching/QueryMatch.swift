import Foundation

/// Decides whether a record matches a query, and where it is among the results.
///
/// It decides exactly, whatever an index has chosen before: the result of a query does not depend
/// on indexes. Values are compared as ``IndexKey``.
package struct QueryMatch: Sendable {
  /// The settings of a match, beside the query.
  package struct Options: Sendable {
    /// The fields that a text search reads; nil for all.
    package var searchableFields: Set<String>?
    /// The record name of the signed-in user, whom queries may call `__defaultOwner__`.
    package var currentUserRecordName: String?
    /// Reads text as a date, for predicates that people type: text in a filter is then compared with
    /// dates as a date, and with references as a record's name. Nil compares text as it is.
    package var date: (@Sendable (String) -> Date?)?
    /// The part of a condition that no filter expresses; nil for none.
    package var condition: (@Sendable (ResultRecord) -> Bool)?

    package init() {}
  }

  /// The type of the records.
  package let recordType: String
  package let filters: [CompiledFilter]
  package let sort: [MatchSort]
  let options: Options

  package init(_ query: RecordQuery, _ options: Options = Options()) {
    recordType = query.recordType
    filters = query.filters.map { CompiledFilter($0, options) }
    sort = query.sort.map(MatchSort.init)
    self.options = options
  }

  /// Whether a record matches.
  package func matches(_ record: ResultRecord) -> Bool {
    record.recordType.sameScalars(as: recordType) && filtersMatch(record)
  }

  /// Whether a record of any type matches the filters.
  package func filtersMatch(_ record: ResultRecord) -> Bool {
    filters.allSatisfy { $0.matches(record) } && options.condition?(record) ?? true
  }

  /// Returns the keys that a record is sorted by, one for each sort descriptor.
  package func sortKeys(of record: ResultRecord) -> [IndexKey] { sort.map { $0.key(of: record) } }

  /// Returns the place of a record among the results.
  package func position(of record: ResultRecord) -> QueryPosition {
    QueryPosition(keys: sortKeys(of: record), recordID: record.recordID)
  }

  /// Returns the place of a damaged record among the results: after all others in ascending order.
  package func positionOfUnreadable(_ recordID: RecordID) -> QueryPosition {
    QueryPosition(keys: sort.map { _ in .unreadable }, recordID: recordID)
  }

  /// Whether a place among the results is before another one. Records with the same keys are
  /// sorted by zone and name.
  package func precedes(_ a: QueryPosition, _ b: QueryPosition) -> Bool {
    for (index, sort) in sort.enumerated() {
      let (keyA, keyB) = (a.keys[index], b.keys[index])
      if keyA != keyB { return (keyA < keyB) == sort.isAscending }
    }
    return a.recordID < b.recordID
  }
}

/// The place of a record among the results of a query.
package struct QueryPosition: Hashable, Sendable {
  /// The keys that the record is sorted by.
  package var keys: [IndexKey]
  package var recordID: RecordID

  package init(keys: [IndexKey], recordID: RecordID) {
    self.keys = keys
    self.recordID = recordID
  }
}

/// A sort descriptor of a query.
package struct MatchSort: Sendable {
  /// The schema's name of the field.
  package let field: String
  package let isAscending: Bool
  /// The location from which distances are measured.
  package let center: Location?

  init(_ sort: QuerySort) {
    field = SystemField.schemaName(sort.fieldName)
    isAscending = sort.ascending
    center = sort.relativeLocation
  }

  /// Returns the key of a record; ``IndexKey/missing``, which is the least, for one without the
  /// field.
  func key(of record: ResultRecord) -> IndexKey {
    guard let center else { return record.sortKey(of: field) }
    guard case .location(let place)? = record.queryValue(of: field) else { return .missing }
    return IndexKey(distance: center.distance(to: place))
  }
}

extension Location {
  /// The mean radius of the Earth in metres (IUGG).
  private static let earthRadius = 6_371_008.8

  /// The metres of one degree of latitude.
  package static let metresPerDegree = earthRadius * .pi / 180

  /// Returns the great-circle distance to another location, in metres, on a sphere with the mean
  /// radius of the Earth.
  package func distance(to other: Location) -> Double {
    let (a, b) = (latitude * .pi / 180, other.latitude * .pi / 180)
    let (height, width) = (sin((b - a) / 2), sin((other.longitude - longitude) * .pi / 360))
    let chord = height * height + cos(a) * cos(b) * width * width
    return 2 * Self.earthRadius * asin(min(1, chord.squareRoot()))
  }
}
