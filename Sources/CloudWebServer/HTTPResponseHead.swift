import CloudWebServices
import Foundation

extension WebResponse {
  /// The first line and the headers, as HTTP/1.1 has them.
  ///
  /// - Parameter keepsAlive: whether the connection takes another request.
  func head(keepsAlive: Bool) -> Data {
    var lines = ["HTTP/1.1 \(status) \(Self.reasons[status] ?? "Status")"]
    lines += headers.sorted.map { "\($0.name): \($0.value)" }
    // A response without content has no length (RFC 9110).
    if status != 204 { lines.append("content-length: \(body.count)") }
    lines.append("connection: \(keepsAlive ? "keep-alive" : "close")")
    return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  private static let reasons = [
    200: "OK", 204: "No Content", 302: "Found", 303: "See Other", 400: "Bad Request",
    401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 408: "Request Timeout",
    409: "Conflict", 412: "Precondition Failed", 413: "Content Too Large",
    421: "Misdirected Request", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
    505: "HTTP Version Not Supported",
  ]
}
