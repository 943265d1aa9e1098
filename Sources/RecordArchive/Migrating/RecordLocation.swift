import RecordModel

/// A database and a record ID.
struct RecordLocation: Hashable, Sendable {
  var database: DatabaseScope
  var recordID: RecordID

  init(_ database: DatabaseScope, _ recordID: RecordID) {
    self.database = database
    self.recordID = recordID
  }

  /// - Parameter name: The record's name in UTF-8.
  init(_ section: RecordSection, name: UnsafeRawBufferPointer) {
    let name = String(decoding: name, as: UTF8.self)
    self.init(section.database, RecordID(recordName: name, zoneID: section.zoneID))
  }
}
