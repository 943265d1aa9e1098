import RecordModel

import struct Foundation.Data

/// Writes one response of any length and dialect in chunks.
///
/// ```swift
/// let stream = try ResponseStream(.canopy) { try file.write(contentsOf: $0) }
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
  /// - Throws: ``RecordCodingError`` for a dialect that is only read.
  public convenience init(
    _ dialect: ResponseDialect = .webServices, zones: [RecordZone] = [],
    output: @escaping (Data) throws -> Void
  ) throws {
    self.init(try dialect.writer(zones: zones), output: output)
  }

  init(_ writer: any DialectWriter, output: @escaping (Data) throws -> Void) {
    self.writer = writer
    self.output = output
    buffer.append(writer.tokenNames == nil ? "[" : #"{"records":["#)
  }

  /// The losses so far; none in Web Services' dialect.
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

/// The parts of written records that a dialect cannot represent, counted by kind.
public struct ResponseLosses: Sendable, Hashable {
  /// A kind of loss.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A deleted record, which the dialect cannot represent.
    case deletions
    /// A share that was written without its participants and permissions.
    case shares
    /// A field value that the dialect has no form for; its field was left out.
    case values
    /// An asset that was written without its bytes, or without what describes them.
    case assets
    /// Another part of a record: a device, an action of a reference, a member that the model does
    /// not know.
    case details

    /// The loss of so many, as a clause: `2 field values are left out`.
    fileprivate func clause(_ count: Int) -> String {
      let (one, many) =
        switch self {
        case .deletions: ("deleted record is left out", "deleted records are left out")
        case .shares:
          (
            "share is written without its participants",
            "shares are written without their participants"
          )
        case .values: ("field value is left out", "field values are left out")
        case .assets:
          ("asset is written without its contents", "assets are written without their contents")
        case .details:
          ("other detail of records is left out", "other details of records are left out")
        }
      return "\(count) \(count == 1 ? one : many)"
    }
  }

  private var counts: [Kind: Int] = [:]

  /// Nothing is lost.
  package init() {}

  /// The number of losses of this kind.
  package subscript(kind: Kind) -> Int { counts[kind] ?? 0 }

  /// Whether nothing was lost.
  public var isEmpty: Bool { counts.isEmpty }

  /// A clause for each kind of loss, such as `1 deleted record is left out`.
  public var clauses: [String] {
    Kind.allCases.compactMap { kind in counts[kind].map(kind.clause) }
  }

  mutating func add(_ kind: Kind, _ count: Int = 1) {
    if count > 0 { counts[kind, default: 0] += count }
  }
}
