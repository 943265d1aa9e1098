import RecordModel

/// A record's identity, and the database it lies in.
struct RecordLocation: Hashable, Sendable {
  var database: DatabaseScope
  var recordID: RecordID

  init(_ database: DatabaseScope, _ recordID: RecordID) {
    self.database = database
    self.recordID = recordID
  }

  /// - Parameter name: the record's name in UTF-8.
  init(_ section: RecordSection, name: UnsafeRawBufferPointer) {
    let name = String(decoding: name, as: UTF8.self)
    self.init(section.database, RecordID(recordName: name, zoneID: section.zoneID))
  }
}
