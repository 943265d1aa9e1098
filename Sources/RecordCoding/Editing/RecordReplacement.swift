import RecordModel

/// What replaces the parts of canonical records.
///
/// All names are bytes of JSON strings without their quotes. They contain no escapes, and neither
/// may what is appended for them.
package protocol RecordReplacement: AnyObject {
  /// Called before the parts of a record.
  ///
  /// - Parameters:
  ///   - creator: The name of the user who created it; nil if it has none.
  ///   - zoneID: The zone of the record.
  func begin(createdBy creator: UnsafeRawBufferPointer?, in zoneID: ZoneID)
  /// Returns what replaces a zone.
  func zoneID(_ zoneID: ZoneID) -> ZoneID
  /// Appends what replaces a name of a record, a user or a device.
  ///
  /// - Returns: False if it cannot be replaced as bytes.
  func appendName(_ name: UnsafeRawBufferPointer, to buffer: ByteBuffer) -> Bool
  /// Appends what replaces a text of a field, both as UTF-8. The same characters need escapes in
  /// both.
  ///
  /// - Returns: False if it cannot be replaced as bytes.
  func appendText(_ text: UnsafeRawBufferPointer, to buffer: ByteBuffer) -> Bool
  /// Returns what replaces a creation or modification date, in milliseconds since 1970; nil if it
  /// cannot be replaced as a whole number.
  func stamp(_ milliseconds: Int64) -> Int64?
  /// Returns what replaces a date of a field; nil if it cannot be replaced as a whole number.
  func date(_ milliseconds: Int64) -> Int64?
  /// Returns how the fields of records of a type and a shape are replaced.
  func treatments(of shape: RecordShape, in recordType: String) throws -> [FieldTreatment]
  /// Called with each field whose value stays, or is replaced as bytes.
  func note(_ index: Int)
  /// Returns what replaces a field; nil to leave it out.
  func replace(_ field: Field, at index: Int) throws -> RecordValue?
}

/// How a field of canonical JSON is replaced.
package enum FieldTreatment: Sendable {
  /// It stays.
  case copy
  /// Its text is replaced, or each one of a list.
  case text
  /// Its name, or the name in its reference, or each one of a list.
  case name
  /// Its date, or each one of a list.
  case date
  /// It is decoded.
  case decode
}
