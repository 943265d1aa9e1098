import CloudWebServices
import Foundation
import MockCloud
import Synchronization
import TestSupport
import Testing

@testable import CloudWebServer

/// Requests that were damaged or made at random: each connection ends, with responses or without.
@Suite struct HostileBytesTests {
  /// A connection that sends pieces of bytes, and keeps the responses.
  private final class PieceStream: ByteStream {
    private let pieces: Mutex<[[UInt8]]>
    private let output = Mutex(Data())

    init(_ pieces: [[UInt8]]) { self.pieces = Mutex(pieces.reversed()) }

    var responses: String { String(decoding: output.withLock { $0 }, as: UTF8.self) }

    func read() async throws -> [UInt8]? { pieces.withLock { $0.popLast() } }
    func write(_ data: Data) async throws { output.withLock { $0 += data } }
    func finishWriting() {}
  }

  private static let path = "/database/1/a/development/private/"
  private static let query = "?ckAPIToken=t&ckWebAuthToken=__defaultOwner__"

  private static let bodies = [
    #"{"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"a","fields":{"a":{"value":1.5,"type":"TIMESTAMP"},"b":{"value":["1"],"type":"INT64_LIST"}}}}]}"#,
    #"{"query":{"recordType":"Note","filterBy":[{"comparator":"IN","fieldName":"a","fieldValue":{"value":["1"],"type":"STRING_LIST"}}],"sortBy":[{"fieldName":"a"}]},"resultsLimit":9223372036854775807}"#,
    #"{"zones":[{"zoneID":{"zoneName":"_defaultZone"},"syncToken":"MTtwcml2YXRlOw==","reverse":true}]}"#,
    #"{"userRecordName":"_a","nameComponents":{"givenName":"A"}}"#,
    String(repeating: "[", count: 500),
  ]

  private static let headers = [
    "Content-Type: multipart/form-data; boundary=b\r\n", "Range: bytes=0-18446744073709551615\r\n",
    "Transfer-Encoding: chunked\r\n", "Expect: 100-continue\r\n", "Connection: close\r\n", "A:\r\n",
    "Content-Length: 5\r\n", "X-Apple-CloudKit-Request-KeyID: k\r\n", "Origin: null\r\n",
  ]

  private static func request(_ random: inout SeededGenerator) -> [UInt8] {
    let targets = [
      path + "records/modify" + query, path + "records/query" + query,
      path + "changes/zone" + query, "/admin/users", "/admin/faults", "/assets/upload/a.b",
      "/assets/download/a.b/c", "/notifications/x", "/sign-in?for=%00&user=%ff", "/", "/%2e%2e/",
      "*",
      "http://localhost", "/records?type=%f0&zone=~",
    ]
    let body = bodies.randomElement(using: &random)!
    var text = ["POST", "GET", "HEAD", "OPTIONS", "DELETE"].randomElement(using: &random)!
    text += " \(targets.randomElement(using: &random)!) HTTP/1.1\r\nHost: localhost\r\n"
    if Bool.random(using: &random) { text += headers.randomElement(using: &random)! }
    text += "Content-Length: \(body.utf8.count)\r\n\r\n" + body
    return Array(text.utf8)
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    let index = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes[index] = .random(in: .min ... .max, using: &random)
    case 1: bytes.removeSubrange(index..<min(bytes.count, index + 8))
    case 2:
      bytes.insert([0x00, 0x0A, 0x0D, 0x25, 0x22, 0xFF].randomElement(using: &random)!, at: index)
    case 3: bytes = Array(bytes[..<index])
    case 4: bytes.insert(contentsOf: bytes[index...].prefix(100), at: index)
    default:
      bytes.insert(contentsOf: "9223372036854775808e999".utf8, at: index)
    }
    if bytes.isEmpty { bytes = [0] }
  }

  @Test(arguments: SeededGenerator.seeds(20))
  func `damaged requests are answered or dropped`(seed: UInt64) async throws {
    var random = SeededGenerator(seed)
    let container = try MockContainer.inMemory(rules: .webServices)
    let handler = WebServicesHandler(
      [try WebContainer(container)], admin: WebAdmin(), page: .withServices,
      pollTime: .milliseconds(1))
    var limits = WebServerLimits()
    limits.closingTime = .zero
    for _ in 0..<60 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...3, using: &random) { bytes += Self.request(&random) }
      for _ in 0..<Int.random(in: 0...4, using: &random) { Self.damage(&bytes, &random) }
      var pieces: [[UInt8]] = []
      while !bytes.isEmpty {
        let count = Int.random(in: 1...bytes.count, using: &random)
        pieces.append(Array(bytes.prefix(count)))
        bytes.removeFirst(count)
      }
      let stream = PieceStream(pieces)
      let table = ConnectionTable(limits)
      let (number, _) = try #require(table.add {})
      var connection = HTTPConnection(
        stream, number: number, table, limits, maxBodySize: handler.maxBodySize
      ) { await handler.respond(to: $0) }
      await connection.run()
      // A fault of the request that waits would hold the next ones.
      _ = await handler.respond(to: WebRequest("DELETE", "/admin/faults"))
      let responses = stream.responses
      #expect(responses.isEmpty || responses.hasPrefix("HTTP/1.1 "), "\(responses.prefix(200))")
      #expect(!responses.contains("HTTP/1.1 500"), "seed \(seed): \(responses)")
    }
  }

  @Test func `bytes at random are refused at once`() async throws {
    var random = SeededGenerator(1)
    for _ in 0..<2000 {
      var parser = HTTPRequestParser()
      let count = Int.random(in: 0...200, using: &random)
      parser.append((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
      _ = try? parser.takeHead()
      _ = try? parser.takeLine(maxSize: 100)
    }
  }
}
