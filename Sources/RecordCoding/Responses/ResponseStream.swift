import RecordModel

import struct Foundation.Data

/// Writes one Web Services response of any length in chunks.
///
/// ```swift
/// let stream = WebServicesStream(writer) { try file.write(contentsOf: $0) }
/// for record in records { try stream.append(record) }
/// try stream.finish()
/// ```
public final class WebServicesStream {
  private let writer: WebServicesWriter
  private let output: (Data) throws -> Void
  private let buffer = ByteBuffer(capacity: pieceSize + 4096)
  private var isEmpty = true

  /// The size of a chunk in bytes.
  private static let pieceSize = 256 << 10

  /// Creates a stream.
  ///
  /// - Parameter output: receives the bytes of the response, in order.
  public init(_ writer: WebServicesWriter, output: @escaping (Data) throws -> Void) {
    self.writer = writer
    self.output = output
    buffer.append("{\"records\":[")
  }

  /// Writes a record.
  public func append(_ record: ResultRecord) throws { try append(writer.value(of: record)) }

  /// Writes a deleted record.
  public func append(_ tombstone: Tombstone) throws { try append(writer.value(of: tombstone)) }

  private func append(_ json: JSONValue) throws {
    if !isEmpty { buffer.append(",\n") }
    isEmpty = false
    json.write(to: buffer)
    if buffer.count >= Self.pieceSize { try flush() }
  }

  /// Ends the response.
  ///
  /// - Parameters:
  ///   - syncToken: the token for fetching later changes.
  ///   - continuationMarker: the token for fetching the next page, if any.
  public func finish(syncToken: String? = nil, continuationMarker: String? = nil) throws {
    buffer.append("]")
    for (name, token) in [
      ("continuationMarker", continuationMarker), ("syncToken", syncToken),
    ] {
      guard let token else { continue }
      buffer.append(",")
      buffer.appendJSONString(name)
      buffer.append(":")
      buffer.appendJSONString(token)
    }
    buffer.append("}\n")
    try flush()
  }

  private func flush() throws {
    try output(Data(buffer.bytes))
    buffer.reset()
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
    let stream = WebServicesStream(self) { page.append($0) }
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
