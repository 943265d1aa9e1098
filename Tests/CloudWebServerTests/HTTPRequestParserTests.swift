import CloudWebServices
import Foundation
import Testing

@testable import CloudWebServer

@Suite struct HTTPRequestParserTests {
  private func head(_ text: String) throws -> HTTPRequestParser.Head? {
    var parser = HTTPRequestParser()
    parser.append(text.utf8)
    return try parser.takeHead()
  }

  @Test func `a head is read with its target, headers and length`() throws {
    let head = try #require(
      try head("POST /a?b=c HTTP/1.1\r\nHost: h\r\nContent-Length: 12\r\nX: 1\r\nx: 2\r\n\r\n"))
    #expect(head.method == "POST")
    #expect(head.target == "/a?b=c")
    #expect(head.headers["x"] == "1, 2")
    #expect(head.length == .bytes(12))
    #expect(head.keepsAlive)
  }

  @Test func `a head is read from any pieces`() throws {
    let text = "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\nGET"
    for size in 1...text.utf8.count {
      var parser = HTTPRequestParser()
      var found: HTTPRequestParser.Head?
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) where found == nil {
        parser.append(bytes[start..<min(start + size, bytes.count)])
        found = try parser.takeHead()
      }
      #expect(found?.target == "/")
    }
  }

  @Test(arguments: [
    ("GET / HTTP/1.0\r\n\r\n", false), ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true),
    ("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", false),
  ])
  func `a connection stays as its client asks`(text: String, keepsAlive: Bool) throws {
    let head = try head(text)
    #expect(head?.keepsAlive == keepsAlive)
  }

  @Test(arguments: [
    ("http://h:80/a", "h:80", "/a"), ("http://evil.example/a?b", "evil.example", "/a?b"),
    ("http://evil.example?/b", "evil.example", "/?/b"), ("http://h", "h", "/"),
  ])
  func `a whole address has the path and, whatever the header says, the host`(
    _ address: String, _ host: String, _ target: String
  ) throws {
    let head = try head("GET \(address) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(head?.target == target)
    #expect(head?.headers["Host"] == host)
  }

  @Test(arguments: [
    ("GET /\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400), (" / HTTP/1.1\r\n\r\n", 400),
    ("GET / HTTP/2\r\nHost: h\r\n\r\n", 505), ("GET / HTTP/1.1\r\n\r\n", 400),
    ("GET a HTTP/1.1\r\nHost: h\r\n\r\n", 400), ("G(T / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: h\r\nHost: i\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: h\r\n a: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: h\r\na : b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: h\r\nnone\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: h\na: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: h\ra: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: h\u{0}\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: h\r\na: \u{1}\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: h\r\na: \u{7F}\r\n\r\n", 400),
    ("GET /\u{1B} HTTP/1.1\r\nHost: h\r\n\r\n", 400),
    // At once, not when the client gives up.
    ("GET / HTTP/1.1\nHost: h\n\n", 400), ("\n", 400), ("GET / HTTP/1.1\r\r", 400),
    ("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: +1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
    (
      "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400
    ),
    ("GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
    ("GET / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, chunked\r\n\r\n", 501),
    (String(repeating: "a", count: 40_000), 431),
    ("GET / HTTP/1.1\r\na: " + String(repeating: "a", count: 40_000) + "\r\n\r\n", 431),
  ])
  func `what others might read differently is refused`(text: String, status: Int) throws {
    let failure = #expect(throws: HTTPRequestParser.Failure.self) { try head(text) }
    #expect(failure?.status == status)
  }

  @Test(arguments: ["", "-1", "+1", "g", "0x1", "123456789"])
  func `a chunk without a size is refused`(line: String) {
    #expect(throws: HTTPRequestParser.Failure.self) { try HTTPRequestParser.chunkSize(line) }
  }

  @Test func `a chunk may have extensions`() throws {
    let size = try HTTPRequestParser.chunkSize("1A;a=b")
    #expect(size == 26)
  }
}
