import RecordModel

import struct Foundation.Date

/// The properties of a record line that a store needs, read without creating a record.
package struct RecordScan {
  package let database: DatabaseScope
  /// The zone; records of a zone share one object.
  package let zoneID: ZoneID
  package let recordType: String
  /// The offset of the dictionary after its first brace, which the byte before this offset
  /// replaces.
  package let bodyStart: Int
  /// The range of the record's name in the line, with JSON escapes.
  package let name: Range<Int>
  package let changeTag: String?
  package let modificationDate: Date?
  /// The fields, without their values; records with the same fields share one object.
  package let shape: RecordShape

  /// Whether the record has members that the model has no property for.
  let hasOtherMembers: Bool

  /// Whether the record may refer to assets, in a field or in a member that the model has no
  /// property for.
  package var mayContainAssets: Bool { shape.mayContainAssets || hasOtherMembers }
}

extension RecordJSONReader {
  /// Checks a record line of a bundle without creating a record.
  ///
  /// - Returns: nil if the line is not canonical.
  package func scanLine(_ line: UnsafeRawBufferPointer) -> RecordScan? {
    guard let (database, start, parts) = parts(ofLine: line) else { return nil }
    let (envelope, layout) = (parts.envelope, parts.layout)
    func text(_ range: Range<Int>) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: parts.body[range])
    }
    return RecordScan(
      database: database, zoneID: envelope.zoneID, recordType: envelope.recordType,
      bodyStart: start,
      name: (layout.recordName.lowerBound + start)..<(layout.recordName.upperBound + start),
      changeTag: layout.hasChangeTag ? CanonicalDecoder.string(text(layout.changeTag)) : nil,
      modificationDate: layout.modified.isEmpty
        ? nil : CanonicalDate.date(from: text(layout.modified)),
      shape: parts.shape, hasOtherMembers: layout.hasOtherMembers)
  }
}
