import struct Foundation.Data

/// A point in the history of a database or zone (`CKServerChangeToken`).
///
/// Fetching changes since a token returns what has changed after it. Only the database that made a
/// token can read it.
public struct ServerChangeToken: Sendable, Hashable, Codable {
  /// The content, for storage.
  public let data: Data

  /// Creates a token from stored content.
  public init(data: Data) { self.data = data }
}
