import CloudWebServer
import CloudWebServices
import Foundation
import MockCloud
import RecordModel
import Testing

@Suite(.serialized) struct WebServerTests {
  private static let path =
    "/database/1/iCloud.a/development/private/records/modify"
    + "?ckAPIToken=t&ckWebAuthToken=__defaultOwner__"

  private static let body =
    #"{"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"a"}}]}"#

  /// Limits for tests that are not about time: other tests may hold up the server's tasks.
  private static let patient: WebServerLimits = {
    var limits = WebServerLimits()
    limits.idleTime = .seconds(900)
    limits.transferTime = .seconds(900)
    return limits
  }()

  /// Runs a server while `body` runs.
  private func serving(
    _ limits: WebServerLimits = patient, _ body: (UInt16) async throws -> Void
  ) async throws {
    let container = try MockContainer.inMemory(rules: .webServices)
    let handler = WebServicesHandler([try WebContainer(container)])
    let server = try WebServer(handler, port: 0, limits: limits)
    let task = server.start()
    do {
      try await body(server.port)
    } catch {
      task.cancel()
      throw error
    }
    task.cancel()
    try await task.value
  }

  private static func request(
    _ body: String = body, path: String = path, _ headers: String = ""
  ) -> String {
    "POST \(path) HTTP/1.1\r\nHost: localhost\r\n\(headers)"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  @Test func `requests of one connection are answered one after the other`() async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      client.send(Self.request())
      let first = await client.receive(until: "}]}")
      #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(first.contains("connection: keep-alive"))
      #expect(first.contains(#""recordName":"a""#))
      // Both at once.
      client.send(Self.request() + Self.request("{", "Connection: close\r\n"))
      let rest = await client.receive()
      #expect(rest.contains("CONFLICT"))
      #expect(rest.contains("HTTP/1.1 400 Bad Request"))
      #expect(rest.contains("connection: close"))
    }
  }

  @Test func `a large body is sent in pieces, and arrives whole`() async throws {
    let letters = Data((0..<2_500_000).map { UInt8(ascii: "a") + UInt8($0 / 100_000) })
    let container = try MockContainer.inMemory(rules: .webServices)
    let zoneID = ZoneID(zoneName: "Notes")
    try await container.privateCloudDatabase.save(RecordZone(zoneID: zoneID))
    var draft = DraftRecord(
      recordType: "Note", recordID: RecordID(recordName: "a", zoneID: zoneID))
    draft["file"] = Asset(data: letters)
    let saved = try await container.privateCloudDatabase.save(draft)
    let asset = try #require(saved.field(named: "file")?.value.assets.first)
    let handler = WebServicesHandler([try WebContainer(container)], page: .alone)
    let server = try WebServer(handler, port: 0, limits: Self.patient)
    let task = server.start()
    let client = try RawClient(port: server.port)
    client.send(
      "GET /page/-/-/asset?sha256=\(asset.sha256 ?? "") HTTP/1.1\r\nHost: localhost\r\n"
        + "Connection: close\r\n\r\n")
    let response = await client.receive()
    #expect(response.hasPrefix("HTTP/1.1 200 OK\r\n"))
    let body = response.components(separatedBy: "\r\n\r\n").last ?? ""
    #expect(Data(body.utf8) == letters)
    task.cancel()
    try await task.value
  }

  @Test func `a body may come in chunks, and wait to be asked for`() async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      client.send(
        "POST \(Self.path) HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
          + "Expect: 100-continue\r\n\r\n")
      let received1 = await client.receive(until: "\r\n\r\n")
      #expect(received1 == "HTTP/1.1 100 Continue\r\n\r\n")
      let half = Self.body.utf8.count / 2
      client.send("\(String(half, radix: 16))\r\n\(Self.body.prefix(half))\r\n")
      let rest = Self.body.dropFirst(half)
      client.send("\(String(rest.utf8.count, radix: 16));x=y\r\n\(rest)\r\n0\r\nA: b\r\n\r\n")
      let answer = await client.receive(until: "}]}")
      #expect(answer.contains(#""recordName":"a""#))
    }
  }

  @Test func `what is no request is refused, and changes nothing`() async throws {
    try await serving { port in
      for (text, status) in [
        ("hello\r\n\r\n", "400"), ("POST / HTTP/1.1\nHost: localhost\n\n", "400"),
        ("GET / HTTP/3\r\nHost: localhost\r\n\r\n", "505"),
        (String(repeating: "x", count: 100_000), "431"),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 17000000\r\n\r\n", "413"),
        (
          "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFF\r\n",
          "413"
        ),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n", "400"),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\n", "400"),
      ] {
        let client = try RawClient(port: port)
        client.send(text)
        let answer = await client.receive()
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(text.prefix(40)): \(answer)")
        // Apple's table has this code for this status.
        let code = status == "413" ? "QUOTA_EXCEEDED" : "BAD_REQUEST"
        #expect(answer.contains(#""serverErrorCode":"\#(code)""#), "\(answer)")
      }
    }
  }

  @Test func `a host that is not ours is refused`() async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      client.send(Self.request().replacing("localhost", with: "evil.example"))
      let received2 = await client.receive(until: "}")
      #expect(received2.hasPrefix("HTTP/1.1 403 Forbidden"))
    }
  }

  @Test func `a client is answered while other tasks have all threads`() async throws {
    try await serving { port in
      let client = try RawClient(port: port)
      client.send(Self.request())
      let first = await client.receive(until: "}]}")
      #expect(first.contains("200 OK"))
      let second = await withCheckedContinuation { continuation in
        let (started, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        @Sendable func hold() {
          started.signal()
          ended.wait()
        }
        let threads = 0..<ProcessInfo.processInfo.activeProcessorCount
        for _ in threads { Task.detached { hold() } }
        Thread.detachNewThread {
          for _ in threads { started.wait() }
          client.send(Self.request())
          let received = client.receiving(until: "}]}")
          for _ in threads { ended.signal() }
          continuation.resume(returning: received)
        }
      }
      #expect(second.contains("CONFLICT"))
    }
  }

  @Test func `connections that do not go on are closed`() async throws {
    var limits = WebServerLimits()
    limits.idleTime = .milliseconds(300)
    limits.transferTime = .milliseconds(300)
    try await serving(limits) { port in
      for text in [
        "", "POST ", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12",
      ] {
        let client = try RawClient(port: port)
        client.send(text)
        let time = await client.timeUntilClosed()
        #expect(time < .seconds(10))
      }
      // On a busy machine, a request can come too late for its connection, too.
      var received = ""
      for _ in 0..<200 where !received.contains("200 OK") {
        let client = try RawClient(port: port)
        client.send(Self.request())
        received = await client.receive(until: "}]}")
      }
      #expect(received.contains("200 OK"))
    }
  }

  @Test func `there are at most so many connections, and others later`() async throws {
    var limits = WebServerLimits()
    limits.connections = 8
    // Beside all other tests, a task may wait long for its turn: no connection ends before.
    limits.idleTime = .seconds(600)
    limits.transferTime = .seconds(600)
    try await serving(limits) { port in
      var open: [RawClient] = []
      for index in 0..<8 {
        open.append(try RawClient(port: port))
        open[index].send(Self.request())
        let received5 = await open[index].receive(until: "}]}")
        #expect(received5.contains("200 OK"))
      }
      for _ in 0..<100 {
        let client = try RawClient(port: port)
        client.send(Self.request())
        let received6 = await client.receive()
        try #require(received6.hasPrefix("HTTP/1.1 503 Service Unavailable"))
        #expect(received6.contains("retry-after: 1"))
        #expect(received6.contains("TRY_AGAIN_LATER"))
      }
      open[0].send(Self.request())
      let received7 = await open[0].receive(until: "}]}")
      #expect(received7.contains("200 OK"))
      open.removeAll()
      var isServed = false
      while !isServed {
        let client = try RawClient(port: port)
        client.send(Self.request())
        isServed = await client.receive(until: "}]}").contains("200 OK")
        if !isServed { try await Task.sleep(for: .milliseconds(50)) }
      }
      #expect(isServed)
    }
  }

  @Test func `bodies have so much memory together`() async throws {
    var limits = Self.patient
    limits.bodies = 1000
    try await serving(limits) { port in
      let waiting = try RawClient(port: port)
      waiting.send(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\nExpect: 100-continue\r\n\r\n")
      // The server asks for a body after it has reserved the memory.
      let asked = await waiting.receive(until: "\r\n\r\n")
      #expect(asked == "HTTP/1.1 100 Continue\r\n\r\n")
      let second = try RawClient(port: port)
      second.send(
        Self.request(String(repeating: " ", count: 200), path: Self.path, "Connection: close\r\n"))
      let refused = await second.receive()
      #expect(refused.hasPrefix("HTTP/1.1 503 "))
      waiting.send(String(repeating: " ", count: 900))
      let received9 = await waiting.receive(until: "}")
      #expect(received9.hasPrefix("HTTP/1.1 404 "))
      let third = try RawClient(port: port)
      third.send(Self.request(String(repeating: " ", count: 200)))
      let received10 = await third.receive(until: "}")
      #expect(received10.hasPrefix("HTTP/1.1 400 "))
    }
  }

  @Test func `a port in use is an error`() async throws {
    try await serving { port in
      let handler = WebServicesHandler([])
      #expect(throws: (any Error).self) { try WebServer(handler, port: port) }
    }
  }

  @Test func `a server ends while clients are connected`() async throws {
    var clients: [RawClient] = []
    try await serving { port in
      for _ in 0..<5 { clients.append(try RawClient(port: port)) }
      clients[0].send(Self.request())
      _ = await clients[0].receive(until: "}]}")
    }
    let received11 = await clients[0].receive()
    #expect(received11 == "")
  }
}
