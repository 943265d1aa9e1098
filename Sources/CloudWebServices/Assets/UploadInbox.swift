import Foundation
import RecordCoding
import RecordPlatform
import Synchronization

/// The contents of assets that were uploaded and that no record refers to yet.
final class UploadInbox: Sendable {
  /// How long an address takes an upload, in seconds: 15 minutes, as on the server.
  private static let addressLifetime: TimeInterval = 900
  /// How long a content waits for its record, in seconds: one day.
  private static let contentLifetime: TimeInterval = 86_400
  /// The maximum size of all contents, in bytes: 256 MiB. Beyond it, the oldest are dropped.
  private static let capacity = 256 << 20

  private struct State {
    var contents: [String: Data] = [:]
    /// The contents, the oldest first.
    var arrivals: [(sha256: String, date: Date)] = []
    var size = 0

    mutating func drop(_ sha256: String) {
      arrivals.removeAll { $0.sha256 == sha256 }
      size -= contents.removeValue(forKey: sha256)?.count ?? 0
    }
  }

  private let state = Mutex(State())
  private let now: @Sendable () -> Date

  init(now: @escaping @Sendable () -> Date) { self.now = now }

  /// Returns the ticket in an address for an upload.
  func ticket(for address: ContainerAddress) -> Ticket {
    let end = now().addingTimeInterval(Self.addressLifetime)
    return .upload(to: address, until: Int64(end.timeIntervalSince1970), id: UUID())
  }

  /// Takes an upload.
  ///
  /// - Returns: the value of the field that gets the asset.
  /// - Throws: ``WebError``: `NOT_FOUND` for an address that was not given out, or not recently;
  ///   `QUOTA_EXCEEDED` for a file that is too large.
  func take(_ content: Data, at token: String, _ signer: TicketSigner) throws -> JSONValue {
    let now = now()
    guard case .upload(to: let address, until: let end, id: _)? = signer.ticket(of: token),
      now.timeIntervalSince1970 <= Double(end)
    else { throw WebError(.notFound, "the address takes no upload, or not any more") }
    guard content.count <= WebServicesHandler.maxUploadSize else {
      throw WebError(
        .quotaExceeded, "a file has at most \(WebServicesHandler.maxUploadSize) bytes")
    }
    let sha256 = content.withUnsafeBytes { "\(SHA256Digest(of: $0))" }
    state.withLock { state in
      // A content that arrives again waits for its record from now on.
      state.drop(sha256)
      while let first = state.arrivals.first,
        now.timeIntervalSince(first.date) > Self.contentLifetime
          || state.size + content.count > Self.capacity
      { state.drop(first.sha256) }
      state.contents[sha256] = content
      state.arrivals.append((sha256, now))
      state.size += content.count
    }
    return try ServedAssets.receipt(
      ofSHA256: sha256, size: Int64(content.count), for: address, signer)
  }

  /// Returns a content that was uploaded; nil for one that a record already has, or that was dropped.
  func content(_ sha256: String) -> Data? { state.withLock { $0.contents[sha256] } }
}
