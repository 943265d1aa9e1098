import RecordCoding
import RecordModel

/// The values that the look-ups of one migration need, in memory: one for each record of the types
/// that are looked up.
package struct LookUpValues: Sendable {
  private var fields: [LookUpSource: [RecordLocation: Field?]] = [:]

  package init() {}

  /// A record's value of a field, `nil` if it has none.
  package typealias Entry = (
    source: LookUpSource, recordID: RecordID, database: DatabaseScope, field: Field?
  )

  package mutating func note(_ entry: Entry) {
    let location = RecordLocation(entry.database, entry.recordID)
    fields[entry.source, default: [:]][location] = .some(entry.field)
  }

  /// Returns the value of a record's field; `nil` if there is no such record of the type, and a
  /// `nil` field if the record does not have it.
  func field(
    _ source: LookUpSource, of recordID: RecordID, in database: DatabaseScope
  ) -> Field?? {
    fields[source]?[RecordLocation(database, recordID)]
  }
}
