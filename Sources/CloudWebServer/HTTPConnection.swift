import CloudWebServices
import Foundation

/// The bytes of a connection.
protocol ByteStream: Sendable {
  /// Returns the next bytes; nil at the end.
  func read() async throws -> [UInt8]?
  func write(_ data: Data) async throws
  /// Tells the client that nothing follows.
  func finishWriting()
}

/// Handles the requests of one connection, one after the other.
struct HTTPConnection<Stream: ByteStream> {
  private let stream: Stream
  private let number: Int
  private let table: ConnectionTable
  private let limits: WebServerLimits
  /// Returns the maximum size of a body by the target of the request, in bytes.
  private let maxBodySize: @Sendable (String) -> Int
  private let answer: @Sendable (WebRequest) async -> WebResponse
  private var parser = HTTPRequestParser()

  init(
    _ stream: Stream, number: Int, _ table: ConnectionTable, _ limits: WebServerLimits,
    maxBodySize: @escaping @Sendable (String) -> Int,
    answer: @escaping @Sendable (WebRequest) async -> WebResponse
  ) {
    self.stream = stream
    self.number = number
    self.table = table
    self.limits = limits
    self.maxBodySize = maxBodySize
    self.answer = answer
  }

  /// The end of the bytes in the middle of a request.
  private struct EndOfStream: Error {}

  /// - Parameter isServed: false for a connection that is one too many.
  mutating func run(isServed: Bool = true) async {
    var reserved = 0
    do {
      while true {
        table.setDeadline(of: number, in: limits.idleTime)
        guard let head = try await nextHead() else { return }
        guard isServed else {
          throw HTTPRequestParser.Failure(status: 503, reason: "too many connections at a time")
        }
        table.setDeadline(of: number, in: limits.transferTime)
        defer {
          table.release(reserved)
          reserved = 0
        }
        let body = try await body(of: head, &reserved)
        table.setDeadline(of: number, in: nil)
        let response = await answer(
          WebRequest(head.method, head.target, headers: head.headers, body: body))
        if response.isCut { return }
        // A client that has the response can send the next body.
        table.release(reserved)
        reserved = 0
        try await send(response, isHead: head.method == "HEAD", keepsAlive: head.keepsAlive)
        guard head.keepsAlive, !Task.isCancelled else { return }
      }
    } catch let failure as HTTPRequestParser.Failure {
      let code =
        switch failure.status {
        case 413: "QUOTA_EXCEEDED"
        case 503: "TRY_AGAIN_LATER"
        default: "BAD_REQUEST"
        }
      let body = Data(#"{"serverErrorCode":"\#(code)","reason":"\#(failure.reason)"}"#.utf8)
      var response = WebResponse(
        status: failure.status, headers: ["Content-Type": "application/json; charset=UTF-8"],
        body: body)
      if failure.status == 503 { response.headers["Retry-After"] = "1" }
      try? await send(response, isHead: false, keepsAlive: false)
      await drain()
    } catch {
      // The client has gone; there is nobody to tell.
    }
  }

  /// Reads what the client still sends. A connection that is closed before is reset, and the client
  /// may lose the response.
  private func drain() async {
    table.setDeadline(of: number, in: limits.closingTime)
    stream.finishWriting()
    var count = 0
    while count < 16 << 20, let bytes = try? await stream.read() { count += bytes.count }
  }

  private mutating func nextHead() async throws -> HTTPRequestParser.Head? {
    while true {
      if let head = try parser.takeHead() { return head }
      guard let bytes = try await stream.read() else { return nil }
      parser.append(bytes)
    }
  }

  private func send(_ response: WebResponse, isHead: Bool, keepsAlive: Bool) async throws {
    table.setDeadline(of: number, in: limits.transferTime)
    var data = response.head(keepsAlive: keepsAlive)
    let body = isHead || response.status == 204 ? Data() : response.body
    // A small body goes with the head. A large one may be in a file, and is read piece by piece.
    data.append(body.prefix(Self.pieceSize))
    try await stream.write(data)
    var rest = body.dropFirst(Self.pieceSize)
    while !rest.isEmpty {
      try await stream.write(Data(rest.prefix(Self.pieceSize)))
      rest = rest.dropFirst(Self.pieceSize)
    }
  }

  /// The number of bytes of a body that are written at a time.
  private static var pieceSize: Int { 1 << 20 }

  // MARK: Bodies

  private mutating func body(
    of head: HTTPRequestParser.Head, _ reserved: inout Int
  ) async throws -> Data {
    let maximum = maxBodySize(head.target)
    if case .bytes(let count) = head.length { try reserve(count, of: maximum, &reserved) }
    if head.expectsContinue, head.length != .bytes(0) {
      try await stream.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    if case .bytes(let count) = head.length { return try await bytes(count) }
    var body = Data()
    while true {
      let size = try HTTPRequestParser.chunkSize(try await line())
      guard size > 0 else { break }
      try reserve(size, of: maximum, &reserved)
      body += try await bytes(size)
      guard try await bytes(2) == Data("\r\n".utf8) else {
        throw HTTPRequestParser.Failure(status: 400, reason: "a chunk has no end")
      }
    }
    var trailers = 0
    while try await !line().isEmpty {
      trailers += 1
      guard trailers <= 100 else {
        throw HTTPRequestParser.Failure(status: 431, reason: "the headers are too long")
      }
    }
    return body
  }

  private func reserve(_ count: Int, of maximum: Int, _ reserved: inout Int) throws {
    guard count <= maximum - reserved else {
      throw HTTPRequestParser.Failure(
        status: 413, reason: "the body has more than \(maximum) bytes")
    }
    guard table.reserve(count) else {
      throw HTTPRequestParser.Failure(status: 503, reason: "too many bodies at a time")
    }
    reserved += count
  }

  private mutating func bytes(_ count: Int) async throws -> Data {
    var data = parser.take(count)
    while data.count < count {
      guard let bytes = try await stream.read() else { throw EndOfStream() }
      let missing = count - data.count
      data.append(contentsOf: bytes.prefix(missing))
      parser.append(bytes.dropFirst(missing))
    }
    return data
  }

  private mutating func line() async throws -> String {
    while true {
      if let line = try parser.takeLine(maxSize: 4096) { return line }
      guard let bytes = try await stream.read() else { throw EndOfStream() }
      parser.append(bytes)
    }
  }
}

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
    200: "OK", 204: "No Content", 206: "Partial Content", 302: "Found", 303: "See Other",
    400: "Bad Request",
    401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 408: "Request Timeout",
    409: "Conflict", 412: "Precondition Failed", 413: "Content Too Large",
    416: "Range Not Satisfiable", 421: "Misdirected Request", 429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
    505: "HTTP Version Not Supported",
  ]
}
