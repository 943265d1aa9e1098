import Foundation
import RecordArchive
import RecordCoding
import RecordModel

extension QueryMatch {
  /// Creates the match of a predicate that somebody typed: text stands for a date, and for a
  /// reference into the zone of its record.
  package static func typed(_ query: RecordQuery, in source: ArchiveSource) throws -> QueryMatch {
    var options = Options()
    options.currentUserRecordName = try source.info().currentUserRecordName
    options.converting = { text, type, zoneID in
      switch type {
      case .timestamp: DateInput.date(text).map { .timestamp($0) }
      case .reference:
        .reference(Reference(recordID: RecordID(recordName: text, zoneID: zoneID)))
      default: nil
      }
    }
    return QueryMatch(query, options)
  }
}
