import CloudWebServices
import Foundation

/// Reads requests of HTTP/1.1 out of bytes, with limits.
///
/// It is strict where servers that read the same bytes differently have been tricked (RFC 9112): it
/// rejects a request with two lengths, a folded header or a space before a colon.
struct HTTPRequestParser {
  /// An error in a request, and the status of the response.
  struct Failure: Error, Equatable {
    var status: Int
    var reason: String
  }

  /// The first line and the headers of a request.
  struct Head {
    var method: String
    var target: String
    var headers: WebHeaders
    var length: BodyLength
    /// Whether the connection takes another request after this one.
    var keepsAlive: Bool
    /// Whether the client waits for a word before it sends the body.
    var expectsContinue: Bool
  }

  enum BodyLength: Equatable {
    case bytes(Int)
    case chunked
  }

  /// The maximum size of the first line and the headers, in bytes.
  var maxHeadSize = 32 << 10

  /// Bytes that were received and not yet read.
  private(set) var buffer = Data()

  mutating func append(_ bytes: some Sequence<UInt8>) { buffer.append(contentsOf: bytes) }

  /// Takes bytes of a body.
  mutating func take(_ count: Int) -> Data {
    let taken = Data(buffer.prefix(count))
    buffer = Data(buffer.dropFirst(count))
    return taken
  }

  /// Takes a line without its end; nil as long as it is not complete.
  mutating func takeLine(maxSize: Int) throws -> String? {
    guard let end = buffer.firstRange(of: Data("\r\n".utf8)) else {
      try Self.checkCharacters(of: buffer)
      guard buffer.count <= maxSize else {
        throw Failure(status: 400, reason: "a line is too long")
      }
      return nil
    }
    guard let line = String(data: take(end.lowerBound - buffer.startIndex), encoding: .utf8) else {
      throw Failure(status: 400, reason: "a line is not UTF-8")
    }
    _ = take(2)
    return line
  }

  // MARK: Head

  /// Takes the head of the next request; nil as long as it is not complete.
  mutating func takeHead() throws -> Head? {
    // Clients may send an empty line after a body.
    while buffer.starts(with: Data("\r\n".utf8)) { _ = take(2) }
    let end = buffer.firstRange(of: Data("\r\n\r\n".utf8))
    try Self.checkCharacters(of: buffer[..<(end?.upperBound ?? buffer.endIndex)])
    guard let end else {
      guard buffer.count <= maxHeadSize else {
        throw Failure(status: 431, reason: "the headers are too long")
      }
      return nil
    }
    guard end.upperBound - buffer.startIndex <= maxHeadSize else {
      throw Failure(status: 431, reason: "the headers are too long")
    }
    let bytes = take(end.upperBound - buffer.startIndex)
    guard let text = String(data: bytes.dropLast(4), encoding: .utf8) else {
      throw Failure(status: 400, reason: "the headers are not UTF-8")
    }
    return try Self.head(text.components(separatedBy: "\r\n"))
  }

  /// Rejects control characters, as soon as they arrive. A line feed or carriage return alone would
  /// be the end of a line for others.
  private static func checkCharacters(of head: Data) throws {
    var last: UInt8 = 0
    for byte in head {
      guard (byte == 0x0A) == (last == 0x0D), byte >= 0x20 || [0x09, 0x0A, 0x0D].contains(byte),
        byte != 0x7F
      else { throw Failure(status: 400, reason: "a line has a control character") }
      last = byte
    }
  }

  private static func head(_ lines: [String]) throws -> Head {
    let parts = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].utf8.allSatisfy(isToken) else {
      throw Failure(status: 400, reason: "the first line is not one of a request")
    }
    guard parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0" else {
      throw Failure(status: 505, reason: "the version is neither HTTP/1.1 nor HTTP/1.0")
    }
    var headers = try headers(lines.dropFirst())
    let isNew = parts[2] == "HTTP/1.1"
    guard !isNew || headers["Host"] != nil else {
      throw Failure(status: 400, reason: "the request has no Host")
    }
    let (host, target) = try target(String(parts[1]))
    // RFC 9112, 3.2.2.
    if let host { headers["Host"] = host }
    let connection = headers["Connection"]?.lowercased() ?? ""
    return Head(
      method: String(parts[0]), target: target, headers: headers,
      length: try length(headers),
      keepsAlive: isNew ? !connection.contains("close") : connection.contains("keep-alive"),
      expectsContinue: headers["Expect"]?.lowercased() == "100-continue")
  }

  /// Returns the path and query, and the host of a whole address, which clients of proxies send.
  private static func target(_ text: String) throws -> (host: String?, target: String) {
    if text.hasPrefix("/") { return (nil, text) }
    if text.hasPrefix("http://") {
      let rest = text.dropFirst("http://".count)
      let host = rest.prefix { $0 != "/" && $0 != "?" }
      let target = rest.dropFirst(host.count)
      return (String(host), target.hasPrefix("/") ? String(target) : "/" + target)
    }
    throw Failure(status: 400, reason: "the target is not a path")
  }

  private static func headers(_ lines: some Sequence<String>) throws -> WebHeaders {
    var headers: WebHeaders = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
        line[..<colon].utf8.allSatisfy(isToken)
      else { throw Failure(status: 400, reason: "a header has no name") }
      let name = String(line[..<colon])
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      if let known = headers[name] {
        guard !["host", "content-length", "transfer-encoding"].contains(name.lowercased()) else {
          throw Failure(status: 400, reason: "a header is there twice")
        }
        headers[name] = known + ", " + value
      } else {
        headers[name] = value
      }
    }
    return headers
  }

  private static func length(_ headers: WebHeaders) throws -> BodyLength {
    switch (headers["Content-Length"], headers["Transfer-Encoding"]) {
    case (nil, nil): return .bytes(0)
    case (nil, let coding?):
      guard coding.lowercased() == "chunked" else {
        throw Failure(status: 501, reason: "the transfer coding is not 'chunked'")
      }
      return .chunked
    case (let text?, nil):
      guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let count = Int(text) else {
        throw Failure(status: 400, reason: "the Content-Length is not a number")
      }
      return .bytes(count)
    default: throw Failure(status: 400, reason: "the body has two lengths")
    }
  }

  /// Returns the size in the first line of a chunk.
  static func chunkSize(_ line: String) throws -> Int {
    let digits = line.split(separator: ";", omittingEmptySubsequences: false)[0]
      .trimmingCharacters(in: .whitespaces)
    guard (1...8).contains(digits.utf8.count), digits.first != "+", digits.first != "-",
      let size = Int(digits, radix: 16)
    else { throw Failure(status: 400, reason: "a chunk has no size") }
    return size
  }

  /// Whether a byte can be in the name of a header or a method.
  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
