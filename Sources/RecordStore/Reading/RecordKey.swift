import RecordModel

/// The key columns of a record that is read as bytes.
package struct RecordKey {
  /// The ID of the record's zone; the records of a zone share one object.
  package let zoneID: ZoneID
  package let recordType: String
  /// The record name in UTF-8; valid as long as the payload is.
  package internal(set) var name: UnsafeRawBufferPointer

  package var recordName: String { String(decoding: name, as: UTF8.self) }
  package var recordID: RecordID { RecordID(recordName: recordName, zoneID: zoneID) }
}
