import Foundation
import RecordPlatform
import Synchronization

/// Checks the signatures of requests of other servers, each of which is valid once.
///
/// Source: Apple's *CloudKit Web Services Reference*, "Accessing CloudKit Using a Server-to-Server
/// Key". What Apple's server does with a request that is sent again is not known; this one refuses it.
final class ServerSignatures: Sendable {
  static let keyHeader = "X-Apple-CloudKit-Request-KeyID"
  private static let dateHeader = "X-Apple-CloudKit-Request-ISO8601Date"
  private static let signatureHeader = "X-Apple-CloudKit-Request-SignatureV1"

  /// How far the date of a request may be from now, in seconds: 10 minutes.
  private static let tolerance: TimeInterval = 600
  /// The maximum number of signatures within that time.
  private static let capacity = 100_000

  private struct State {
    /// When the signatures arrived.
    var known: [Data: Date] = [:]
    var nextCleaning = Date.distantPast
  }

  private let state = Mutex(State())
  private let now: @Sendable () -> Date

  init(now: @escaping @Sendable () -> Date) { self.now = now }

  /// - Throws: ``WebError``: `AUTHENTICATION_FAILED`; `THROTTLED` for too many requests.
  func check(_ request: WebRequest, _ keys: [String: WebServerKey]) throws {
    let now = now()
    guard let key = request.headers[Self.keyHeader].flatMap({ keys[$0] })?.key else {
      throw Self.failed("the key of the request is not known")
    }
    guard let text = request.headers[Self.dateHeader],
      let date = try? Date(text, strategy: .iso8601),
      abs(date.timeIntervalSince(now)) <= Self.tolerance
    else {
      throw Self.failed(
        "the date of the request is not an ISO 8601 date within 10 minutes of the server's")
    }
    guard let encoded = request.headers[Self.signatureHeader],
      let signature = Data(base64Encoded: encoded), signature.count <= 200,
      let number = key.verify(signature, of: Self.message(request, date: text))
    else { throw Self.failed("the signature of the request is not valid") }
    try note(number, now)
  }

  private static func failed(_ reason: String) -> WebError {
    WebError(.authenticationFailed, reason)
  }

  /// The text that is signed. The digest of an empty body is empty (seen by MistKit).
  private static func message(_ request: WebRequest, date: String) -> Data {
    var digest = ""
    if !request.body.isEmpty {
      let hash = request.body.withUnsafeBytes { SHA256Digest(of: $0) }
      digest = hash.withBytes { Data($0).base64EncodedString() }
    }
    return Data("\(date):\(digest):\(request.path)".utf8)
  }

  private func note(_ number: Data, _ now: Date) throws {
    try state.withLock { state in
      if now >= state.nextCleaning || state.known.count >= Self.capacity {
        // A date can be as far in the future as in the past.
        state.known = state.known.filter { now.timeIntervalSince($0.value) <= 2 * Self.tolerance }
        state.nextCleaning = now.addingTimeInterval(Self.tolerance)
      }
      guard state.known[number] == nil else {
        throw Self.failed("the request was sent before")
      }
      guard state.known.count < Self.capacity else {
        throw WebError(.throttled, "too many signed requests", retryAfter: Self.tolerance)
      }
      state.known[number] = now
    }
  }
}
