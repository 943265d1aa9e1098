import Foundation
import RecordArchive
import RecordCoding
import RecordModel

/// A date that somebody typed.
package enum DateInput {
  /// Returns the date of a text in ISO 8601: a day, which means midnight UTC, or a time with its
  /// offset from UTC; nil for another text.
  package static func date(_ text: String) -> Date? {
    let form =
      /[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:?[0-9]{2}))?/
    return text.wholeMatch(of: form) == nil ? nil : ISODate.date(from: text)
  }
}

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
