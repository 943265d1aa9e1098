import Foundation
import RecordArchive
import RecordModel

extension QueryMatch {
  /// Creates the match of a predicate that somebody typed: text stands for a date, and for a
  /// reference into the zone of its record.
  package static func typed(_ query: RecordQuery, in source: ArchiveSource) throws -> QueryMatch {
    var options = Options()
    options.currentUserRecordName = try source.info().currentUserRecordName
    options.date = { DateInput.date($0) }
    return QueryMatch(query, options)
  }
}
