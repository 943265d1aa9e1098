import RecordModel

/// Where a record is: its identifier, which is unique in a database, and the database.
struct RecordPlace: Hashable {
  let database: DatabaseScope
  let recordID: RecordID
}
