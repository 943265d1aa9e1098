import RecordModel

import struct Foundation.Date

/// What a store must know of a record line, without a record being made of it.
package struct RecordScan {
  package let database: DatabaseScope
  /// The zone; the records of a zone share one object.
  package let zoneID: ZoneID
  package let recordType: String
  /// Where the dictionary goes on behind its first brace; the byte before stands in for the brace.
  package let bodyStart: Int
  /// Where the record's name lies in the line, as JSON writes it.
  package let name: Range<Int>
  package let changeTag: String?
  package let modificationDate: Date?
  /// The fields, without their values; records with the same fields share one object.
  package let shape: RecordShape

  /// Whether a field may refer to assets: it is one, a list of them, or of an unknown type.
  package var holdsAssets: Bool { shape.holdsAssets }
}
