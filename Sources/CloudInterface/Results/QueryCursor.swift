import struct Foundation.Data

/// The place where the next results of a query begin (`CKQueryOperation.Cursor`).
///
/// Only the database that made a cursor can read it, and only for some time.
public struct QueryCursor: Sendable, Hashable, Codable {
  /// The content, for storage.
  public let data: Data

  /// Creates a cursor from stored content.
  public init(data: Data) { self.data = data }
}
