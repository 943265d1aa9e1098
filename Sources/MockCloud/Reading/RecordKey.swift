import RecordModel

/// The keys of a record that is read as bytes.
package struct RecordKey {
  /// The record's zone; the records of a zone share one object.
  package let zoneID: ZoneID
  /// The record's type.
  package let recordType: String
  /// The record's name in UTF-8; valid as long as the payload is.
  package internal(set) var name: UnsafeRawBufferPointer

  /// The record's name.
  package var recordName: String { String(decoding: name, as: UTF8.self) }
  /// The record's identity.
  package var recordID: RecordID { RecordID(recordName: recordName, zoneID: zoneID) }
}
