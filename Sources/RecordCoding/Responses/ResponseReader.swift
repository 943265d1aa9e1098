import RecordModel

/// Reads responses with records, one or several in succession, in any dialect.
///
/// Supports, of CloudKit Web Services, `records/query`, `lookup`, `modify` and `changes`,
/// `zones/list` and `changes`, `changes/zone`, `subscriptions/list`, and `batch` wrappers around
/// them; of `cktool`, what `query-records` and `create-record` print; of Canopy, encoded records and
/// the results that its replaying mocks hold. In each, also arrays of these, and single records.
///
/// Items are read one by one: beside what `body` keeps, memory is that of one item.
///
/// ```swift
/// let summary = try data.withUnsafeBytes { bytes in
///   try ResponseReader().read(bytes) { item in
///     if case .record(let record) = item { print(record) }
///   }
/// }
/// if summary.isIncomplete { print("There are more records on the server.") }
/// ```
public struct ResponseReader: Sendable {
  /// The dialect of the responses.
  public var dialect: ResponseDialect
  /// The zone of records that do not name one, such as those of a response about a single zone.
  public var zoneID: ZoneID
  /// The maximum number of bytes to read at once: 64 MiB. Servers send at most 200 records per
  /// response.
  public var maxSize = 64 << 20

  /// Creates a reader.
  public init(_ dialect: ResponseDialect = .webServices, zoneID: ZoneID = .default) {
    self.dialect = dialect
    self.zoneID = zoneID
  }

  /// Calls `body` with each item, in order.
  ///
  /// - Throws: ``RecordCodingError`` with the byte offset and the path of invalid input; errors of
  ///   `body`.
  public func read(
    _ bytes: UnsafeRawBufferPointer, _ body: (ResponseItem) throws -> Void
  ) throws -> ResponseSummary {
    guard bytes.count <= maxSize else {
      throw RecordCodingError(
        found: "\(bytes.count) bytes",
        expected: "at most \(maxSize) bytes; split the file")
    }
    return try withoutActuallyEscaping(body) { body in
      let sink = ResponseSink(body)
      let reader = dialect.reader(zoneID: zoneID, into: sink)
      do {
        var parser = JSONParser(bytes)
        repeat {
          try reader.read(&parser)
        } while !parser.isAtEnd()
        return sink.summary
      } catch let stop as ResponseSink.Stop {
        throw stop.error
      }
    }
  }
}
