import RecordModel

import struct Foundation.Date

/// The properties of a record line that a store needs, read without creating a record.
package struct RecordHeader {
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
  package func scanLine(_ line: UnsafeRawBufferPointer) -> RecordHeader? {
    parts(ofLine: line).map(Self.header)
  }

  /// Reads a record line of a bundle if its header is wanted.
  ///
  /// - Returns: nil if the line is not canonical; no record for one that is not wanted.
  package func readCanonicalLine(
    _ line: UnsafeRawBufferPointer, where isWanted: (RecordHeader) -> Bool
  ) -> (database: DatabaseScope, record: ResultRecord?)? {
    parts(ofLine: line).map { database, start, parts in
      let isWanted = isWanted(Self.header(database, start, parts))
      return (database, isWanted ? ResultRecord(storage: LineStorage(parts)) : nil)
    }
  }

  private static func header(
    _ database: DatabaseScope, _ start: Int, _ parts: RecordParts
  ) -> RecordHeader {
    let (prefix, layout) = (parts.prefix, parts.layout)
    func text(_ range: Range<Int>) -> UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(rebasing: parts.body[range])
    }
    return RecordHeader(
      database: database, zoneID: prefix.zoneID, recordType: prefix.recordType,
      bodyStart: start,
      name: (layout.recordName.lowerBound + start)..<(layout.recordName.upperBound + start),
      changeTag: layout.hasChangeTag ? CanonicalReader.string(text(layout.changeTag)) : nil,
      modificationDate: layout.modified.isEmpty
        ? nil : CanonicalDate.date(from: text(layout.modified)),
      shape: parts.shape, hasOtherMembers: layout.hasOtherMembers)
  }
}

/// The places of a save's change tag and stamps in a canonical dictionary without its first brace.
package struct StampRanges: Sendable {
  /// The end of the record's name.
  package let start: Int
  /// The member `created` with its comma; empty where there is none.
  package let created: Range<Int>
  /// The end of the stamps.
  package let end: Int
}

extension RecordJSONReader {
  /// Finds the places of the stamps; nil if the dictionary does not begin in canonical form.
  package func stampRanges(in body: UnsafeRawBufferPointer) -> StampRanges? {
    var scanner = CanonicalReader(body)
    guard opening(&scanner) != nil, scanner.stringRest() != nil else { return nil }
    let start = scanner.position
    if scanner.take(",\"recordChangeTag\":"), scanner.string() == nil { return nil }
    let created = scanner.position
    if scanner.take(",\"created\":"), scanner.stamp() == nil { return nil }
    let modified = scanner.position
    if scanner.take(",\"modified\":"), scanner.stamp() == nil { return nil }
    return StampRanges(start: start, created: created..<modified, end: scanner.position)
  }
}

extension ByteBuffer {
  /// Appends a dictionary as a save leaves it.
  ///
  /// - Parameters:
  ///   - body: the dictionary without its first brace.
  ///   - places: the places of its stamps.
  ///   - created: the member `created` with its comma.
  ///   - modified: the stamp of the save.
  package func append(
    _ body: UnsafeRawBufferPointer, stampedAt places: StampRanges, changeTag: String,
    created: UnsafeRawBufferPointer, modified: [UInt8]
  ) {
    append(UInt8(ascii: "{"))
    append(UnsafeRawBufferPointer(rebasing: body[..<places.start]))
    append(",\"recordChangeTag\":")
    appendJSONString(changeTag)
    append(created)
    append(",\"modified\":")
    append(modified)
    append(UnsafeRawBufferPointer(rebasing: body[places.end...]))
  }
}
