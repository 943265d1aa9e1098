import Foundation
import RecordPlatform

/// Checks the signatures of requests of other servers.
///
/// Source: Apple's *CloudKit Web Services Reference*, "Accessing CloudKit Using a Server-to-Server
/// Key". Nothing public says that a request is valid only once.
struct ServerSignatures: Sendable {
  static let keyHeader = "X-Apple-CloudKit-Request-KeyID"
  private static let dateHeader = "X-Apple-CloudKit-Request-ISO8601Date"
  private static let signatureHeader = "X-Apple-CloudKit-Request-SignatureV1"

  /// How far the date of a request may be from now, in seconds: 10 minutes.
  private static let tolerance: TimeInterval = 600

  let now: @Sendable () -> Date

  /// - Throws: ``WebError``: `AUTHENTICATION_FAILED`.
  func check(_ request: WebRequest, _ keys: [String: WebServerKey]) throws {
    guard let key = request.headers[Self.keyHeader].flatMap({ keys[$0] })?.key else {
      throw Self.failed("the key of the request is not known")
    }
    guard let text = request.headers[Self.dateHeader], let date = Self.date(text),
      abs(date.timeIntervalSince(now())) <= Self.tolerance
    else {
      throw Self.failed(
        "the date of the request is not an ISO 8601 date within 10 minutes of the server's")
    }
    guard let encoded = request.headers[Self.signatureHeader],
      let signature = Data(base64Encoded: encoded), signature.count <= 200,
      Self.messages(request, date: text).contains(where: { key.verify(signature, of: $0) })
    else { throw Self.failed("the signature of the request is not valid") }
  }

  private static func failed(_ reason: String) -> WebError {
    WebError(.authenticationFailed, reason)
  }

  /// Reads a date, with or without fractions of a second.
  private static func date(_ text: String) -> Date? {
    let formats = [
      Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true),
    ]
    return formats.lazy.compactMap { try? Date(text, strategy: $0) }.first
  }

  /// The texts that clients sign. CloudKit JS and requests-cloudkit sign the path with the query,
  /// MistKit and cloudkit-jvm-sample without. The digest of an empty body is that of no bytes in
  /// CloudKit JS, and empty in MistKit.
  private static func messages(_ request: WebRequest, date: String) -> [Data] {
    let digest = request.body.withUnsafeBytes { SHA256Digest(of: $0) }
    let digests =
      [digest.withBytes { Data($0).base64EncodedString() }] + (request.body.isEmpty ? [""] : [])
    let paths =
      [request.path] + (request.query.isEmpty ? [] : ["\(request.path)?\(request.query)"])
    return digests.flatMap { digest in
      paths.map { Data("\(date):\(digest):\($0)".utf8) }
    }
  }
}
