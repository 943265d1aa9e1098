import Foundation
import RecordArchive
import RecordCoding
import RecordModel

extension QueryMatch {
  /// Creates the match of a predicate that somebody typed: text stands for a date, and for a
  /// reference into the zone of its record.
  static func typed(_ query: RecordQuery, in source: ArchiveSource) throws -> QueryMatch {
    var options = Options()
    options.currentUserRecordName = try source.info().currentUserRecordName
    options.converting = { text, type, zoneID in
      switch type {
      case .timestamp: DateArgument(argument: text).map { .timestamp($0.date) }
      case .reference:
        .reference(Reference(recordID: RecordID(recordName: text, zoneID: zoneID)))
      default: nil
      }
    }
    return QueryMatch(query, options)
  }
}
