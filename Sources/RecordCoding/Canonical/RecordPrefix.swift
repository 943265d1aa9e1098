import RecordModel

/// The start of the canonical JSON of all records of one zone and type, up to the opening quote of
/// the record's name.
package final class RecordPrefix: Sendable {
  package let zoneID: ZoneID
  package let recordType: String
  /// `"zoneID":{…},"recordType":"…","recordName":"`: the dictionary after its first brace.
  ///
  /// Valid during the lifetime of this object; reading an array would retain it.
  nonisolated(unsafe) let opening: UnsafeRawBufferPointer
  /// The JSON of the zone, to recognize references within the zone.
  nonisolated(unsafe) let zoneJSON: UnsafeRawBufferPointer

  init(zoneID: ZoneID, recordType: String) {
    self.zoneID = zoneID
    self.recordType = recordType
    let buffer = ByteBuffer(capacity: 256)
    buffer.append("\"zoneID\":")
    let zoneStart = buffer.count
    buffer.appendZoneID(zoneID)
    let zone = zoneStart..<buffer.count
    buffer.append(",\"recordType\":")
    buffer.appendJSONString(recordType)
    buffer.append(",\"recordName\":\"")
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count, alignment: 8)
    memory.copyMemory(from: buffer.bytes)
    opening = UnsafeRawBufferPointer(memory)
    zoneJSON = UnsafeRawBufferPointer(rebasing: opening[zone])
  }

  deinit { opening.deallocate() }
}

extension ByteBuffer {
  /// Appends a zone's identity as `{"zoneName":…,"ownerRecordName":…}`.
  package func appendZoneID(_ zoneID: ZoneID) {
    append("{\"zoneName\":")
    appendJSONString(zoneID.zoneName)
    append(",\"ownerRecordName\":")
    appendJSONString(zoneID.ownerName)
    append(UInt8(ascii: "}"))
  }
}

/// The start of a record line of a bundle.
package enum RecordLine {
  private static let openings: [(scope: DatabaseScope, bytes: [UInt8])] =
    DatabaseScope.allCases.map { scope in
      (scope, Array("{\"kind\":\"record\",\"database\":\"\(scope.rawValue)\",".utf8))
    }

  /// Returns `{"kind":"record","database":"…",`, which replaces the first brace of the dictionary.
  package static func opening(for scope: DatabaseScope) -> [UInt8] {
    openings[scope.rank].bytes
  }

  /// Returns the number of bytes of a record line, without its end, from that of the dictionary.
  package static func size(ofDictionary size: Int, in scope: DatabaseScope) -> Int {
    size - 1 + opening(for: scope).count
  }

  /// Returns the database of a record line, and the offset of the rest of its dictionary.
  package static func opening(
    of line: UnsafeRawBufferPointer
  ) -> (database: DatabaseScope, bodyStart: Int)? {
    var scanner = CanonicalReader(line)
    guard scanner.take("{\"kind\":\"record\",\"database\":\"") else { return nil }
    if scanner.take("private\",") { return (.private, scanner.position) }
    if scanner.take("shared\",") { return (.shared, scanner.position) }
    if scanner.take("public\",") { return (.public, scanner.position) }
    return nil
  }
}
