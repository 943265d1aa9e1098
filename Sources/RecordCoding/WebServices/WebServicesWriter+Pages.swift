import RecordModel

import struct Foundation.Data

extension WebServicesWriter: DialectWriter {
  var opening: String { #"{"records":["# }
  var closing: String { "}\n" }
  var tokenNames: (continuation: String, sync: String)? { ("continuationMarker", "syncToken") }
  /// The dialect is the one the model is made for.
  var losses: ResponseLosses { ResponseLosses() }

  func element(for record: ResultRecord) throws(RecordCodingError) -> JSONValue {
    try value(of: record)
  }

  func element(for tombstone: Tombstone) throws(RecordCodingError) -> JSONValue? {
    try value(of: tombstone)
  }
}

extension WebServicesWriter {
  /// The maximum number of records in a response of a server: 200.
  ///
  /// Source: Apple's archived *Data Size Limits*.
  public static let recordsPerPage = 200

  /// Returns a response with records and deleted records.
  public func page(
    records: some Sequence<ResultRecord>, tombstones: [Tombstone] = [], syncToken: String? = nil,
    continuationMarker: String? = nil
  ) throws -> Data {
    var page = Data()
    let stream = ResponseStream(self) { page.append($0) }
    for record in records { try stream.append(record) }
    for tombstone in tombstones { try stream.append(tombstone) }
    try stream.finish(syncToken: syncToken, continuationMarker: continuationMarker)
    return page
  }

  /// Returns a response that lists zones, like one of `zones/list`.
  public func page(zones: [RecordZone]) throws -> Data {
    let list = try JSONValue.list(zones) { (zone) throws(RecordCodingError) in
      try value(of: zone)
    }
    return JSONValue.object([
      .init("moreComing", .bool(false)), .init("zones", list),
    ]).compactData + Data("\n".utf8)
  }
}
