import RecordModel

/// The start of the canonical JSON of all records of one zone and type, up to the opening quote of
/// the record's name.
package final class RecordEnvelope: Sendable {
  let zoneID: ZoneID
  let recordType: String
  /// `"zoneID":{…},"recordType":"…","recordName":"`: the dictionary after its first brace.
  let opening: [UInt8]
  /// The JSON of the zone, to recognize references within the zone.
  let zoneJSON: [UInt8]

  init(zoneID: ZoneID, recordType: String) {
    self.zoneID = zoneID
    self.recordType = recordType
    let buffer = ByteBuffer(capacity: 256)
    buffer.appendZoneID(zoneID)
    zoneJSON = Array(buffer.bytes)
    buffer.reset()
    buffer.append("\"zoneID\":")
    buffer.append(zoneJSON)
    buffer.append(",\"recordType\":")
    buffer.appendJSONString(recordType)
    buffer.append(",\"recordName\":\"")
    opening = Array(buffer.bytes)
  }
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
