import RecordModel

import struct Foundation.Data

/// Writes one response of any length and dialect in chunks.
///
/// ```swift
/// let stream = ResponseStream(.cktool) { try file.write(contentsOf: $0) }
/// for record in records { try stream.append(record) }
/// try stream.finish()
/// for clause in stream.losses.clauses { print(clause) }
/// ```
public final class ResponseStream {
  private var writer: any DialectWriter
  private let output: (Data) throws -> Void
  private let buffer = ByteBuffer(capacity: chunkSize + 4096)
  private var isEmpty = true

  /// The size of a chunk in bytes.
  private static let chunkSize = 256 << 10

  /// Creates a stream.
  ///
  /// - Parameters:
  ///   - dialect: the dialect of the response.
  ///   - zones: the zones whose `zoneType`, if known, is written with every identity, where the
  ///     dialect has it.
  ///   - output: receives the bytes of the response, in order.
  public convenience init(
    _ dialect: ResponseDialect = .webServices, zones: [RecordZone] = [],
    output: @escaping (Data) throws -> Void
  ) {
    self.init(dialect.writer(zones: zones), output: output)
  }

  init(_ writer: any DialectWriter, output: @escaping (Data) throws -> Void) {
    self.writer = writer
    self.output = output
    buffer.append(writer.tokenNames == nil ? "[" : #"{"records":["#)
  }

  /// What the dialect could not represent so far; nothing in Web Services' dialect.
  public var losses: ResponseLosses { writer.losses }

  /// Writes a record.
  public func append(_ record: ResultRecord) throws { try append(writer.element(for: record)) }

  /// Writes a deleted record, if the dialect can represent it.
  public func append(_ tombstone: DeletedRecord) throws {
    if let json = try writer.element(for: tombstone) { try append(json) }
  }

  private func append(_ json: JSONValue) throws {
    if !isEmpty { buffer.append(",\n") }
    isEmpty = false
    json.write(to: buffer)
    if buffer.count >= Self.chunkSize { try flush() }
  }

  /// Ends the response.
  ///
  /// - Parameters:
  ///   - syncToken: the token for fetching later changes.
  ///   - continuationMarker: the token for fetching the next page, if any. Canopy has neither.
  public func finish(syncToken: String? = nil, continuationMarker: String? = nil) throws {
    buffer.append("]")
    if let names = writer.tokenNames {
      for (name, token) in [(names.continuation, continuationMarker), (names.sync, syncToken)] {
        guard let token else { continue }
        buffer.append(",")
        buffer.appendJSONString(name)
        buffer.append(":")
        buffer.appendJSONString(token)
      }
    }
    buffer.append(writer.tokenNames == nil ? "\n" : "}\n")
    try flush()
  }

  private func flush() throws {
    try output(Data(buffer.bytes))
    buffer.reset()
  }
}
