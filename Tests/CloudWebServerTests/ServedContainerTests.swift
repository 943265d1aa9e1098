import CloudWebServer
import CloudWebServices
import Foundation
import MockCloud
import RecordArchive
import RecordModel
import RecordStore
import TestSupport
import Testing

@Suite(.serialized) struct ServedContainerTests {
  private static func container(
    _ identifier: String? = nil, _ rules: ServerRules = .webServices
  ) throws -> MockContainer {
    try MockContainer.inMemory(info: ContainerInfo(identifier: identifier), rules: rules)
  }

  /// Sends a request on a connection of its own.
  private static func post(
    _ served: ServedContainer, _ path: String, _ body: String = "{}",
    container: String = "iCloud.a"
  ) async throws -> String {
    let client = try RawClient(port: served.port)
    let target = "/database/1/\(container)/development/private/\(path)\(served.credentials())"
    client.send(
      "POST \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    return await client.receive()
  }

  private static func create(_ name: String) -> String {
    #"{"operations":[{"operationType":"create","record":{"recordType":"Note","recordName":"\#(name)"}}]}"#
  }

  private static func names(_ container: MockContainer) async throws -> [String] {
    try await container.privateCloudDatabase.records(ofType: "Note").map(\.recordID.recordName)
  }

  /// Makes a bundle with a record, and returns its place.
  private static func bundle(_ name: String, in folder: TestFolder) async throws -> URL {
    let container = try container(nil, .native)
    try await container.privateCloudDatabase.save(
      DraftRecord(recordType: "Note", recordID: RecordID(recordName: name)))
    let url = URL(fileURLWithPath: folder.path(name + ".recordpack"))
    try Archiver().export(container.store, to: url.path)
    return url
  }

  @Test func `a container is served while a function runs`() async throws {
    let container = try Self.container()
    let port = try await withServedContainer(container) { served in
      let answer = try await Self.post(served, "records/modify", Self.create("a"))
      #expect(answer.contains(#""recordName":"a""#))
      #expect(served.address == "http://127.0.0.1:\(served.port)")
      #expect(served.container === container)
      #expect(served.log.entries.count == 1)
      return served.port
    }
    let names = try await Self.names(container)
    #expect(names == ["a"])
    #expect(throws: POSIXError.self) { try RawClient(port: port) }
  }

  @Test func `the page is at the address`() async throws {
    let served = try await ServedContainer(Self.container())
    let client = try RawClient(port: served.port)
    client.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    let page = await client.receive()
    #expect(page.hasPrefix("HTTP/1.1 200 "))
    #expect(page.contains("<bdi>Overview</bdi></h1>"))
    await served.stop()
  }

  @Test func `the port is closed when the function throws`() async throws {
    let container = try Self.container()
    let port = await withCheckedContinuation { continuation in
      Task {
        try await withServedContainer(container) { served in
          continuation.resume(returning: served.port)
          throw CancellationError()
        }
      }
    }
    try await Self.waitUntilClosed(port)
  }

  @Test(.timeLimit(.minutes(20)))
  func `the port is closed when the object is released`() async throws {
    var served: ServedContainer? = try await ServedContainer(Self.container())
    let port = try #require(served?.port)
    served = nil
    try await Self.waitUntilClosed(port)
  }

  private static func waitUntilClosed(_ port: UInt16) async throws {
    try await waitUntil { (try? RawClient(port: port)) == nil }
  }

  @Test func `several containers are served under their identifiers`() async throws {
    let served = try await ServedContainer([Self.container("iCloud.a"), Self.container("iCloud.b")])
    let answer = try await Self.post(
      served, "records/modify", Self.create("b"), container: "iCloud.b")
    #expect(answer.contains("200 OK"))
    let (first, second) = (
      try await Self.names(served.containers[0]), try await Self.names(served.containers[1])
    )
    #expect(first.isEmpty && second == ["b"])
    await served.stop()
  }

  @Test func `a bundle is served, reset to, and replaced by another`() async throws {
    let folder = try TestFolder()
    let served = try await ServedContainer(contentsOf: Self.bundle("one", in: folder))
    _ = try await Self.post(served, "records/modify", Self.create("new"))
    let changed = try await Self.names(served.container)
    #expect(changed == ["new", "one"])
    try served.reset()
    let reset = try await Self.names(served.container)
    #expect(reset == ["one"])
    try await served.load(contentsOf: Self.bundle("two", in: folder))
    _ = try await Self.post(served, "records/modify", Self.create("new"))
    try served.reset()
    let loaded = try await Self.names(served.container)
    #expect(loaded == ["two"])
    let none = URL(fileURLWithPath: folder.path("none.recordpack"))
    await #expect(throws: (any Error).self) { try await served.load(contentsOf: none) }
    let kept = try await Self.names(served.container)
    #expect(kept == ["two"])
    let file = folder.path("snapshot.recordpack")
    try served.snapshot().write(to: URL(fileURLWithPath: file))
    let again = try await ServedContainer(contentsOf: URL(fileURLWithPath: file))
    let copied = try await Self.names(again.container)
    #expect(copied == ["two"])
  }

  @Test func `a bundle may be larger than other bodies, and so much only`() async throws {
    let served = try await ServedContainer(Self.container())
    for (size, status) in [(17_000_000, "400"), (WebServicesHandler.maxBundleSize + 1, "413")] {
      let client = try RawClient(port: served.port)
      client.send(
        "POST /admin/load HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
          + "Content-Length: \(size)\r\n\r\n")
      if status == "400" { client.send(Data(count: size)) }
      let answer = await client.receive()
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
    }
  }

  @Test func `faults happen to requests, and the clock is advanced`() async throws {
    let served = try await ServedContainer(Self.container())
    try served.add(.error(.throttled, retryAfter: 3).on("zones/list", times: 1))
    let throttled = try await Self.post(served, "zones/list")
    #expect(throttled.contains("HTTP/1.1 429 ") && throttled.contains("retry-after: 3"))
    let again = try await Self.post(served, "zones/list")
    #expect(again.contains("200 OK"))
    try served.add(.cut())
    let cut = try await Self.post(served, "zones/list")
    #expect(cut.isEmpty)
    served.removeFaults()
    try served.add(.hold())
    async let held = Self.post(served, "zones/list")
    try await waitUntil { !served.heldRequests.isEmpty }
    #expect(served.heldRequests == ["zones/list"])
    served.releaseRequests()
    let released = try await held
    #expect(released.contains("200 OK"))
    #expect(throws: (any Error).self) { try served.add(.latency(601)) }
    let before = served.clock.now
    served.clock.advance(by: 3600)
    #expect(served.clock.now.timeIntervalSince(before) >= 3600)
  }

  @Test func `credentials are encoded, and those of nobody have no user`() async throws {
    var access = WebAccess()
    access.apiTokens = ["a b+c"]
    let served = try await ServedContainer(Self.container(), access: access)
    #expect(served.credentials(user: "_ä&") == "?ckAPIToken=a%20b%2Bc&ckWebAuthToken=_%C3%A4%26")
    #expect(served.credentials(user: nil) == "?ckAPIToken=a%20b%2Bc")
  }

  @Test func `neither files nor threads are left of thousands of servers`() async throws {
    let container = try Self.container()
    // What is made once stays.
    for _ in 0..<20 {
      try await withServedContainer(container) { _ = try await Self.post($0, "a") }
    }
    let before = try Self.resources()
    for index in 0..<2000 {
      try await withServedContainer(container) { served in
        guard index % 4 == 0 else { return }
        _ = try await Self.post(served, "zones/list")
      }
    }
    let after = try Self.resources()
    // Other tests of the process open files and threads meanwhile. A file of each server would be 2,000.
    #expect(after.files < before.files + 1_900, "\(before) \(after)")
    #expect(after.threads < before.threads + 100, "\(before) \(after)")
  }

  private static func resources() throws -> (files: Int, threads: Int) {
    #if os(Linux)
      let manager = FileManager.default
      return (
        try manager.contentsOfDirectory(atPath: "/proc/self/fd").count,
        try manager.contentsOfDirectory(atPath: "/proc/self/task").count
      )
    #else
      return (try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count, 0)
    #endif
  }
}
